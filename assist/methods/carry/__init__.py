"""Carrying labels from one pair to another: which pairs they come from, and from token to token."""
