"""Glossaries: agreed translations of terms, the file formats they come in, and where their terms occur in texts."""
