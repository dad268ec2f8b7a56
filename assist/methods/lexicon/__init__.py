"""Bilingual word lists, one reader per format."""
