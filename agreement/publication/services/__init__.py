"""All writes of publications: one file per entity."""
