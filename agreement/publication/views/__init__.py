"""The lead's pages of publications."""
