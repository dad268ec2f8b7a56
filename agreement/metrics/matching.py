"""Which spans of two annotators match, exactly or nearly.

Source: SwissGov-RSD (arXiv 2512.07538), table 2 and table 6. Two spans of one document that share a token are compared
by the mean of the two sides' IoU; a side on which neither has a token counts 1. Every such pair of spans counts, so a
span that shares tokens with two others counts twice.

Edge cases. A broken span (without a token) matches nothing, not even another broken one. Thresholds are in whole per
cent and compared as whole numbers, so that rounding doesn't matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agreement.metrics.arrays import Floats

THRESHOLDS = (50, 75, 90)


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """A span as token indices of both sides; `label` is its code (1 and up, in the scheme's order)."""

    label: int
    a: frozenset[int]
    b: frozenset[int]

    @property
    def linked(self) -> bool:
        return bool(self.a) and bool(self.b)


@dataclass(frozen=True, slots=True)
class SpanPair:
    """Two spans of two annotators that share a token: their indices in the lists, labels, and what they share."""

    one: int
    other: int
    labels: tuple[int, int]
    shared: tuple[int, int]
    joined: tuple[int, int]

    @property
    def exact(self) -> bool:
        """Whether both have the same tokens on both sides."""
        return self.shared == self.joined

    @property
    def similarity(self) -> float:
        """The mean of the two sides' IoU, in (0, 1]."""
        return (
            sum(shared / joined if joined else 1.0 for shared, joined in zip(self.shared, self.joined, strict=True)) / 2
        )

    def reaches(self, percent: int) -> bool:
        """Whether the mean IoU is at least `percent` percent."""
        (shared_a, shared_b), (joined_a, joined_b) = self.shared, self.joined
        if not joined_a:
            shared_a = joined_a = 1
        if not joined_b:
            shared_b = joined_b = 1
        return 50 * (shared_a * joined_b + shared_b * joined_a) >= percent * joined_a * joined_b


def span_pairs(one: Sequence[TokenSpan], other: Sequence[TokenSpan]) -> list[SpanPair]:
    """Every pair of spans, one from each annotator, that share at least one token, in the order of the lists."""
    at: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
    for index, span in enumerate(other):
        for spans_at, tokens in zip(at, (span.a, span.b), strict=True):
            for token in tokens:
                spans_at.setdefault(token, []).append(index)
    result = []
    for index, span in enumerate(one):
        shared: dict[int, list[int]] = {}
        for side, tokens in enumerate((span.a, span.b)):
            spans_at = at[side]
            for token in tokens & spans_at.keys():
                for at_other in spans_at[token]:
                    shared.setdefault(at_other, [0, 0])[side] += 1
        for at_other, (shared_a, shared_b) in sorted(shared.items()):
            partner = other[at_other]
            joined = (len(span.a) + len(partner.a) - shared_a, len(span.b) + len(partner.b) - shared_b)
            result.append(SpanPair(index, at_other, (span.label, partner.label), (shared_a, shared_b), joined))
    return result


def label_table(matched: Sequence[SpanPair], labels: int) -> Floats:
    """Counts of the labels of matched spans: shape (labels, labels), first annotator's label first."""
    table = np.zeros((labels, labels))
    for pair in matched:
        table[pair.labels] += 1
    return table
