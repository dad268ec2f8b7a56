"""What the methods over word models share: sentence alignment, word models, features of a token. PURE."""
