"""Thousands in Spanish are set apart by a point, as browsers and the plots do it; Django would set a space."""

THOUSAND_SEPARATOR = "."
