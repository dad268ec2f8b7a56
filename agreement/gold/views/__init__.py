"""Pages of gold: each parses, checks the permission, calls one service or selector, and renders."""
