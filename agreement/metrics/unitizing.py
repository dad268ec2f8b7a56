"""Krippendorff's alpha for unitizing: agreement on where units begin and end and what they are, without a token grid.

Source: Krippendorff, Mathet, Bouvry and Widlöcher, On the reliability of unitizing textual continua: further
developments, Quality & Quantity 50 (2016), 2347-2364; Krippendorff, Content Analysis (2019), section 12.6, equations 32
to 35. Observed coincidences are the lengths that the units of two annotators share; expected ones pair all lengths with
all others, except a unit with itself. Documents are concatenated into one continuum, so everything adds up over
documents, and a bootstrap over documents is a matrix product.

Positions are code points (or any other whole lengths). A continuum has one value at each position: if spans of one
annotator overlap, the highest label code counts; spans of one label that touch or overlap are one unit.

Edge cases. Nobody marked anything, or everyone marked everything with one label: undefined, NaN. One of two annotators
marked nothing: a value of 0 or less. Fewer than two annotators, or an empty text: the document adds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from agreement.metrics.arrays import Floats, quotient

Unit = tuple[int, int, int]
"""A marked passage: start, end (half-open) and label code, 1 or more."""


@dataclass(frozen=True, slots=True)
class Continuum:
    """A document's terms: `shared` (labels, labels) of equation 32 and `own` (labels,), the self-pairs of 33."""

    shared: Floats
    own: Floats

    @property
    def packed(self) -> Floats:
        """Both as one row (labels * labels + labels,), to be summed over documents."""
        return np.concatenate([self.shared.ravel(), self.own])


def segments(units: Sequence[Unit], length: int) -> list[Unit]:
    """The continuum [0, length) divided into maximal passages of one label; 0 where no unit is."""
    if length < 1:
        return []
    line = np.zeros(length, dtype=np.int32)
    for start, end, label in sorted(units, key=lambda unit: unit[2]):
        line[start:end] = label
    edges = [0, *(np.flatnonzero(np.diff(line)) + 1).tolist(), length]
    return [(start, end, int(line[start])) for start, end in pairwise(edges)]


def continuum(annotators: Sequence[Sequence[Unit]], length: int, labels: int) -> Continuum:
    """Coincidences of one text of `length`: `annotators` holds each annotator's units, in any order."""
    shared, own = lengths(annotators, length, labels)
    return Continuum(shared / max(len(annotators) - 1, 1), own)


def lengths(annotators: Sequence[Sequence[Unit]], length: int, labels: int) -> tuple[Floats, Floats]:
    """As `continuum`, in whole numbers: `shared` is not yet divided by the number of the other annotators."""
    shared = np.zeros((labels, labels))
    own = np.zeros(labels)
    if len(annotators) < 2 or length < 1:
        return shared, own
    cut = [segments(units, length) for units in annotators]
    for pieces in cut:
        for start, end, label in pieces:
            own[label] += (end - start) ** 2 if label else end - start
    for one, pieces in enumerate(cut):
        for others in cut[one + 1 :]:
            _add_intersections(shared, pieces, others)
    return shared + shared.T, own


def _add_intersections(shared: Floats, one: list[Unit], other: list[Unit]) -> None:
    first = second = 0
    while first < len(one) and second < len(other):
        start = max(one[first][0], other[second][0])
        end = min(one[first][1], other[second][1])
        shared[one[first][2], other[second][2]] += end - start
        if one[first][1] <= other[second][1]:
            first += 1
        else:
            second += 1


def alpha_u_of(packed: Floats, labels: int, *, binary: bool = False) -> Floats:
    """Unitizing alpha of summed documents: shape (..., labels * labels + labels) to (...).

    `binary`: only whether a passage is marked, not with which label (equation 35).
    """
    shared = packed[..., : labels * labels].reshape(*packed.shape[:-1], labels, labels)
    own = packed[..., labels * labels :]
    total = shared.sum(axis=(-2, -1))
    margin = shared.sum(axis=-1)
    if binary:
        same = shared[..., 0, 0] + shared[..., 1:, 1:].sum(axis=(-2, -1))
        chance = margin[..., 0] ** 2 + margin[..., 1:].sum(axis=-1) ** 2 - own.sum(axis=-1)
    else:
        same = np.trace(shared, axis1=-2, axis2=-1)
        chance = (margin**2).sum(axis=-1) - own.sum(axis=-1)
    expected = total - total * quotient(chance, total**2 - own.sum(axis=-1))
    return np.asarray(1 - quotient(total - same, np.where(np.abs(expected) < 1e-9, 0.0, expected)))
