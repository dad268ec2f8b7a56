"""How dates and numbers read where Django's own way does not fit: one folder a language."""
