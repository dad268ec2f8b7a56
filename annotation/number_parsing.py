"""The only parser of untrusted numbers: query parameters, forms, cells, settings."""

from __future__ import annotations

import math
import re

MAX_DIGITS = 19
MAX_INTEGER = 2**31 - 1
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?")


class NumberError(ValueError):
    """A text that is not a number, or a number out of range."""


def parse_integer(text: str, low: int = 0, high: int = MAX_INTEGER) -> int:
    """The whole number that `text` is in ASCII digits, from `low` to `high`. Raises NumberError."""
    digits = text.strip()
    if not _INTEGER.fullmatch(digits):
        raise NumberError(f"a whole number is expected, not '{_shortened(text)}'")
    significant = digits.lstrip("+-0")
    value = int(significant or "0") if len(significant) <= MAX_DIGITS else high + 1
    value = -value if digits.startswith("-") else value
    if not low <= value <= high:
        raise NumberError(f"a whole number from {low} to {high} is expected, not '{_shortened(text)}'")
    return value


def parse_decimal(text: str) -> float:
    """The finite number that `text` is in ASCII digits. Raises NumberError."""
    digits = text.strip()
    if len(digits) > 400 or not _DECIMAL.fullmatch(digits) or not math.isfinite(float(digits)):
        raise NumberError(f"a number is expected, not '{_shortened(text)}'")
    return float(digits)


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}… ({len(text)} characters)"
