"""The words of a span, as lists of spans quote them."""

from __future__ import annotations

from annotation.text.schemes import Side
from annotation.text.spans import Span


def quote(span: Span, side: Side, text: str) -> str:
    """The words of `span` on one side of its pair, fragments joined by ' … '; '' where it has none there."""
    return " … ".join(text[start:end] for start, end in span.on(side))
