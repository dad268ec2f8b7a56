"""Set-theoretic compositionality (Bansal et al.): are embeddings of overlap, difference and union where sets say?

Six criteria over samples of two sentences A, B and what an operator makes of them: the overlap O, the difference D = A
less B, the union U. C1, C3 and C4 compare similarities, under five measures; C2, C5 and C6 look at the projection of
O, D or U onto the plane of the embeddings of A and B.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assist.encoder_choice.tables import Operator, Sample

Floats = np.ndarray[Any, np.dtype[np.float64]]
Shares = tuple[float, float, float, float]
"""Shares of samples that meet both conditions, only the first, only the second, neither: in [0, 1], of sum 1."""

MARGINS = 132
"""Steps of the grid of margins that a condition is averaged over."""
NEAR = 0.25
"""C5: an angle to A below this share of the angle between A and B is near. Our choice; the paper leaves it open."""
BINS = 20
"""Bars of a histogram."""
MAX_NORMALISED_ANGLE = 2.0
"""Histograms of normalised angles end here: whatever lies farther from B than twice A is in the last bar."""
INSIDE = 1e-6
"""C2 and C6: by how much, in radians, the angles to A and to B may exceed the angle between them."""


def _cosine(x: Floats, y: Floats) -> Floats:
    lengths = np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1)
    values: Floats = np.divide(_dot(x, y), lengths, out=np.zeros(len(x)), where=lengths > 0)
    return values


def _dot(x: Floats, y: Floats) -> Floats:
    values: Floats = np.einsum("ij,ij->i", x, y)
    return values


def _l1(x: Floats, y: Floats) -> Floats:
    values: Floats = np.abs(x - y).sum(axis=1)
    return -values


def _l2(x: Floats, y: Floats) -> Floats:
    values: Floats = np.linalg.norm(x - y, axis=1)
    return -values


def _ned(x: Floats, y: Floats) -> Floats:
    both = x.var(axis=1) + y.var(axis=1)
    values: Floats = np.divide((x - y).var(axis=1), both, out=np.zeros(len(x)), where=both > 0)
    return -0.5 * values


PROJECTED: Mapping[str, Operator] = {"c2": "overlap", "c5": "difference", "c6": "union"}
"""The criteria that look at projections, and the operator of their samples."""
_NARROW = 1e-4

MEASURES: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "cosine": _cosine,
    "dot": _dot,
    "l1": _l1,
    "l2": _l2,
    "ned": _ned,
}
"""Similarities of rows: [n, width] twice give [n]. Distances (L1, L2, normalised Euclidean: 0.5 Var(x-y) / (Var(x) +
Var(y))) have the sign turned; the cosine with a vector of length 0, and the NED of two constant vectors, are 0."""


@dataclass(frozen=True, slots=True)
class Differences:
    """What margins are compared with, under one measure: one value per sample of the operator.

    ``c1``: [overlap samples, 2], Sim(A,O) - Sim(A,B) and Sim(B,O) - Sim(A,B). ``c3``: [difference samples, 2], Sim(A,D)
    - Sim(B,D) and Sim(A,B) - Sim(B,D). ``c4``: [difference samples], Sim(A-B, D) - Sim(A-B, B).
    """

    c1: Floats
    c3: Floats
    c4: Floats


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many samples lie between neighbouring ``edges``: one more of these than ``counts``.

    What lies beyond the last edge is counted below it, and what lies before the first above it.
    """

    edges: tuple[float, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, values: Floats, low: float, high: float, bins: int = BINS) -> Histogram:
        """The histogram of values between two bounds, in bins of equal width."""
        edges = np.linspace(low, high, bins + 1)
        counts, _ = np.histogram(np.clip(values, low, high), edges)
        return cls(tuple(edges.tolist()), tuple(int(each) for each in counts))


@dataclass(frozen=True, slots=True)
class Angles:
    """Where projections lie: [samples] each, in radians; samples whose A and B span no plane are excluded.

    ``to_a``, ``to_b``: the angles between the projection and A or B; ``between``: that between A and B.
    """

    to_a: Floats
    to_b: Floats
    between: Floats

    def normalised(self) -> Floats:
        """The angle to B over that between A and B: 0 at B, 1 at A; those of parallel A and B are excluded."""
        values: Floats = self.to_b / self.between
        return values

    def inside(self) -> float | None:
        """The share of projections between A and B; None without samples."""
        return _share(self.to_a + self.to_b <= self.between + INSIDE)

    def near_a(self) -> float | None:
        """The share of projections at A; None without samples."""
        return _share(self.to_a < NEAR * self.between)


@dataclass(frozen=True, slots=True)
class EncoderMeasures:
    """Everything about one encoder that does not depend on the others compared.

    ``norm_ratios``: the length of A's embedding over that of B's, per union sample; B's of length 0 are excluded.
    """

    differences: Mapping[str, Differences]
    angles: Mapping[Operator, Angles]
    norm_ratios: Floats


@dataclass(frozen=True, slots=True)
class Criteria:
    """C1, C3 and C4 under one measure, averaged over the margins; None without samples of the operator."""

    c1: Shares | None
    c3: Shares | None
    c4: float | None


@dataclass(frozen=True, slots=True)
class CompositionalityScore:
    """All figures of one encoder: shares in [0, 1]."""

    measures: Mapping[str, Criteria]
    c2_inside: float | None
    c5_near_a: float | None
    c6_inside: float | None
    norm_ratio: float | None
    histograms: Mapping[str, Histogram]


@dataclass(slots=True)
class _Bounds:
    """The smallest and the largest value of a difference over all samples of all encoders."""

    low: float = field(default=np.inf)
    high: float = field(default=-np.inf)

    def widen(self, values: Floats) -> None:
        if len(values):
            self.low, self.high = min(self.low, float(values.min())), max(self.high, float(values.max()))

    def share_of_margins_reached(self, values: Floats) -> Floats:
        """The share of margins that each value reaches."""
        margins = np.linspace(self.low, self.high, MARGINS)
        return np.searchsorted(margins, values, side="right") / MARGINS


def sentences(samples: Sequence[Sample]) -> list[str]:
    """Every sentence to embed, once."""
    return list(dict.fromkeys(text for each in samples for text in (each.a, each.b, each.target)))


def measure_encoder(samples: Sequence[Sample], vectors: Mapping[str, Floats]) -> EncoderMeasures:
    """The differences and angles of an encoder that gives these vectors, one per sentence of `sentences`."""
    overlap, difference, union = (_stacked(samples, vectors, name) for name in ("overlap", "difference", "union"))
    lengths = np.linalg.norm(union[0], axis=1), np.linalg.norm(union[1], axis=1)
    return EncoderMeasures(
        differences={name: _differences(sim, overlap, difference) for name, sim in MEASURES.items()},
        angles={"overlap": angles(*overlap), "difference": angles(*difference), "union": angles(*union)},
        norm_ratios=lengths[0][lengths[1] > 0] / lengths[1][lengths[1] > 0],
    )


def compositionality_scores(encoders: Sequence[EncoderMeasures]) -> list[CompositionalityScore]:
    """The score of each encoder. Margins run over the values of all of them, so scores are only comparable within.

    Histograms: of the normalised angle for C2, C5 and C6, and of the ratio of lengths, whose bars are the same for all.
    """
    ratios = np.concatenate([each.norm_ratios for each in encoders]) if encoders else np.zeros(0)
    low, high = (float(ratios.min()), float(ratios.max())) if len(ratios) else (1.0, 1.0)
    if high - low < _NARROW:
        low, high = min(low, 1.0) - 0.5, max(high, 1.0) + 0.5  # the encoders give vectors of one length
    criteria = {name: _criteria([each.differences[name] for each in encoders]) for name in MEASURES}
    return [
        CompositionalityScore(
            measures={name: criteria[name][index] for name in MEASURES},
            c2_inside=each.angles["overlap"].inside(),
            c5_near_a=each.angles["difference"].near_a(),
            c6_inside=each.angles["union"].inside(),
            norm_ratio=float(each.norm_ratios.mean()) if len(each.norm_ratios) else None,
            histograms={
                **{
                    name: Histogram.of(each.angles[operator].normalised(), 0.0, MAX_NORMALISED_ANGLE)
                    for name, operator in PROJECTED.items()
                },
                "norm_ratio": Histogram.of(each.norm_ratios, low, high),
            },
        )
        for index, each in enumerate(encoders)
    ]


def angles(a: Floats, b: Floats, x: Floats) -> Angles:
    """The angles of the projection of ``x`` onto the plane of ``a`` and ``b`` (Gram-Schmidt): [n, width] each.

    A sample is excluded if A and B span no plane, or if the projection is 0.
    """
    lengths = np.linalg.norm(a, axis=1)
    first = a / np.where(lengths > 0, lengths, 1.0)[:, None]
    rest = b - _dot(b, first)[:, None] * first
    heights = np.linalg.norm(rest, axis=1)
    second = rest / np.where(heights > 0, heights, 1.0)[:, None]
    along, across = _dot(x, first), _dot(x, second)
    # Rounding leaves a residue of two parallel vectors.
    plane = (lengths > 0) & (heights > 1e-9 * np.linalg.norm(b, axis=1)) & (np.hypot(along, across) > 0)
    turn, between = np.arctan2(across, along)[plane], np.arctan2(heights, _dot(b, first))[plane]
    apart = np.abs(turn - between)
    return Angles(np.abs(turn), np.minimum(apart, 2 * np.pi - apart), between)


def _stacked(
    samples: Sequence[Sample], vectors: Mapping[str, Floats], operator: Operator
) -> tuple[Floats, Floats, Floats]:
    """The vectors of A, B and the target of an operator's samples: [n, width] each."""
    chosen = [each for each in samples if each.operator == operator]
    width = len(next(iter(vectors.values()))) if vectors else 0
    columns = [[each.a for each in chosen], [each.b for each in chosen], [each.target for each in chosen]]
    a, b, target = (np.array([vectors[text] for text in column]).reshape(-1, width) for column in columns)
    return a, b, target


def _differences(
    similarity: Callable[[Floats, Floats], Floats],
    overlap: tuple[Floats, Floats, Floats],
    difference: tuple[Floats, Floats, Floats],
) -> Differences:
    a, b, o = overlap
    whole = similarity(a, b)
    c1 = np.stack([similarity(a, o) - whole, similarity(b, o) - whole], axis=1)
    a, b, d = difference
    apart = similarity(b, d)
    c3 = np.stack([similarity(a, d) - apart, similarity(a, b) - apart], axis=1)
    return Differences(c1, c3, similarity(a - b, d) - similarity(a - b, b))


def _criteria(encoders: Sequence[Differences]) -> list[Criteria]:
    c1 = _shares([each.c1 for each in encoders])
    c3 = _shares([each.c3 for each in encoders])
    bounds = _Bounds()
    for each in encoders:
        bounds.widen(each.c4)
    c4 = [float(bounds.share_of_margins_reached(each.c4).mean()) if len(each.c4) else None for each in encoders]
    return [Criteria(*each) for each in zip(c1, c3, c4, strict=True)]


def _shares(encoders: Sequence[Floats]) -> list[Shares | None]:
    """Of [samples, 2] differences: the four shares averaged over a grid of margins for the first and the second.

    The grid is a full product, so the mean over it is the product of the shares of margins that each value reaches.
    """
    bounds = _Bounds(), _Bounds()
    for values in encoders:
        for column, each in enumerate(bounds):
            each.widen(values[:, column])
    result: list[Shares | None] = []
    for values in encoders:
        if not len(values):
            result.append(None)
            continue
        first, second = (each.share_of_margins_reached(values[:, column]) for column, each in enumerate(bounds))
        both = float((first * second).mean())
        only_first, only_second = float(first.mean()) - both, float(second.mean()) - both
        result.append((both, only_first, only_second, 1.0 - both - only_first - only_second))
    return result


def _share(chosen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> float | None:
    return float(chosen.mean()) if len(chosen) else None
