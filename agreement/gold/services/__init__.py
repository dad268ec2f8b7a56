"""All writes of gold: one file per entity."""
