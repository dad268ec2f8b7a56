"""Counts stored with a spans document, so that list pages need not parse it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.text.schemes import SIDES
from annotation.text.spans import Grid, Span, count_covered


@dataclass(frozen=True, slots=True)
class SpanCounts:
    """Counts of one spans document. As in the papers, `tokens` counts a token under two spans twice."""

    spans: int
    tokens: int
    labels: dict[str, int]


def counts(spans: Sequence[Span], a: Grid, b: Grid) -> SpanCounts:
    """The number of spans, of tokens under them on both sides, and of spans per label (labels that occur, sorted)."""
    grids = {"a": a, "b": b}
    tokens = sum(count_covered(span.on(side), grids[side].tokens) for span in spans for side in SIDES)
    labels = Counter(span.label for span in spans)
    return SpanCounts(len(spans), tokens, dict(sorted(labels.items())))
