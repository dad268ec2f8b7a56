"""Settings, URLs, entry points."""
