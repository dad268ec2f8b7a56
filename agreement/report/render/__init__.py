"""How figures are said: tables, plots, LaTeX, Markdown, JSON and prose."""
