"""All writes of reports: one file per entity."""
