"""What is stored about one person: written to a file, or removed (docs/privacy.md)."""
