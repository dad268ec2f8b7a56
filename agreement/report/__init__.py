"""The report: figures over a collection of documents, and how they are said in text, JSON, LaTeX and Markdown. PURE."""
