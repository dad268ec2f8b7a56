"""Ranks of numbers among those trained on, and hinge functions of them, whose weighted sums are piecewise linear."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.float32]

_KNOTS = (0.5, 0.8)


@dataclass(frozen=True)
class Scale:
    """A distribution of scores by its quantiles, ascending."""

    quantiles: Floats

    @classmethod
    def of(cls, scores: Floats, steps: int = 1000) -> "Scale":
        return cls(np.quantile(scores, np.linspace(0, 1, steps + 1)))

    def rank(self, scores: Floats) -> Floats:
        """The share of the distribution below each score, in [0, 1]."""
        distinct, index = np.unique(self.quantiles, return_index=True)
        return np.asarray(np.interp(scores, distinct, index / (len(self.quantiles) - 1)))

    def score(self, ranks: Floats) -> Floats:
        """The score that has each rank."""
        return np.asarray(np.interp(ranks, np.linspace(0, 1, len(self.quantiles)), self.quantiles))


def number_of_features(columns: int) -> int:
    """How many columns `hinge_features` makes from a number of columns."""
    return (1 + len(_KNOTS)) * columns + 1


def hinge_features(scales: Sequence[Scale], table: NDArray[Any]) -> Rows:
    """Each column's rank in its scale, the part of that rank above each knot, and a column of ones."""
    ranks = np.stack([scale.rank(column) for scale, column in zip(scales, table.T, strict=True)], axis=1)
    parts = [ranks, *(np.maximum(ranks - knot, 0) for knot in _KNOTS), np.ones((len(ranks), 1))]
    return np.concatenate(parts, axis=1, dtype=np.float32, casting="same_kind")
