"""Pairs mined from articles that leads send."""
