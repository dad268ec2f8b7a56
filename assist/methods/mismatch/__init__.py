"""Differences that no score of a word shows: numbers, dates, units, names and words of logic that do not match."""
