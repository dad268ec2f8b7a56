"""Generating items for the evaluations of encoders: distractors and fusions by a language model."""
