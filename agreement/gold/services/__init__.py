"""Everything that is written about gold: a file an entity."""
