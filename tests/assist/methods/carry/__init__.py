"""Carrying labels from one pair to another."""
