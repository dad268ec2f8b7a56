"""Paragraphs of a text, as half-open ranges of Unicode code points, and the direction of its script."""

from __future__ import annotations

import re

from annotation.text.tokens import Range, base_language

_PARAGRAPH = re.compile(r"[^\n\r\u2028\u2029]+")
_RIGHT_TO_LEFT = frozenset("ar arc ckb dv fa ha he khw ks ps sd ug ur yi".split())  # noqa: SIM905


def direction(language: str) -> str:
    """'rtl' or 'ltr': the `dir` of a text in `language`."""
    return "rtl" if base_language(language) in _RIGHT_TO_LEFT else "ltr"


def paragraphs(text: str) -> list[Range]:
    """The lines of `text` that are not only white space, trimmed."""
    ranges = []
    for match in _PARAGRAPH.finditer(text):
        trimmed = trim_range(text, match.start(), match.end())
        if trimmed:
            ranges.append(trimmed)
    return ranges


def trim_range(text: str, start: int, end: int) -> Range | None:
    """The range without the white space at its ends; none if nothing is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
