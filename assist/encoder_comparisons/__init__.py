"""Comparisons of encoders that leads request: candidates named, their figures side by side."""
