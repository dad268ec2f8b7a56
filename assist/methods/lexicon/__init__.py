"""Bilingual word lists, one reader per format, and what they say of the words of a pair."""
