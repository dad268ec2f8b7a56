"""Shared by the methods that use word models: sentence alignment, word models, features of a token."""
