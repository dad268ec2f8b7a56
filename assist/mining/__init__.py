"""Pairs from articles in two languages: which paragraphs of two versions of an article belong together."""
