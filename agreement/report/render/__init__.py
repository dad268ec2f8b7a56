"""Rendering of figures: tables, plots, LaTeX, Markdown, JSON and prose."""
