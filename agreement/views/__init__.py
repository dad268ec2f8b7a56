"""Pages of agreement and adjudication: each parses, checks the permission, calls one service or selector, renders."""
