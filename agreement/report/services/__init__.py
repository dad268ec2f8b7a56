"""What is written about reports: a file an entity."""
