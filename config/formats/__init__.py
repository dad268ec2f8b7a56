"""Formats of dates and numbers where Django's own do not fit: one folder per language."""
