"""The words of a span as lists quote them, and the words around them."""

from __future__ import annotations

from annotation.text.schemes import Side
from annotation.text.spans import Span


def quote(span: Span, side: Side, text: str) -> str:
    """The words of `span` on one side of its pair, fragments joined by ' … '; '' if it has none there."""
    return " … ".join(text[start:end] for start, end in span.on(side))


def context_around(text: str, start: int, end: int, width: int) -> tuple[str, str]:
    """Up to `width` characters before and after [start, end), cut at a space if there is one."""
    before, after = text[max(0, start - width) : start], text[end : end + width]
    if start > width and not text[start - width - 1].isspace():
        before = before.partition(" ")[2] or before
    if end + width < len(text) and not text[end + width].isspace():
        after = after.rpartition(" ")[0] or after
    return before, after
