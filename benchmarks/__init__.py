"""Benchmarks for the figures in the documentation: `python -m benchmarks.NAME`."""
