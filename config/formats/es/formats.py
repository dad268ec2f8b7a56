"""Spanish thousands are separated by a point, as in browsers and the plots; Django would use a space."""

THOUSAND_SEPARATOR = "."
