"""Figures over a collection of documents, as data."""
