"""Annotations, highlights and adjudication inputs as arrays: the only bridge from rows to the pure parts."""
