"""What is written about publications: a file an entity."""
