"""95 % intervals by bootstrap over documents.

A document is drawn as a whole, because its tokens are not independent observations. Every metric of this package can be
computed from counts that add up over documents (a coincidence matrix, a confusion matrix, a sum and its number of
terms), so a resample is a weighted sum of counts, and all resamples are one matrix product; nothing is recounted.

Percentile intervals: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agreement.metrics.arrays import Floats, quotient

RESAMPLES = 1000
SEED = 20240917
LEVEL = 0.95
FEW = 10
"""Below this many documents an interval is marked as rough."""

ROUNDING = 1e-9
BLOCK = 1 << 18

Draws = NDArray[np.uint16]
Statistic = Callable[[Floats], Floats]
"""Counts of shape (R, ...) to values of shape (R,); NaN if undefined for a resample."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, its interval and how many documents it is based on; `note` says why something is missing or rough."""

    value: float | None
    low: float | None = None
    high: float | None = None
    documents: int = 0
    note: str = ""

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.low is None or self.high is None else (self.low, self.high)


def draws(documents: int, resamples: int = RESAMPLES, seed: int = SEED) -> Draws:
    """How often each of `documents` documents is drawn in each resample: shape (resamples, documents).

    Every row adds up to `documents`. The same seed gives the same rows.
    """
    random = np.random.default_rng(seed)
    result = np.zeros((resamples, documents), dtype=np.uint16)
    rows = max(BLOCK // max(documents, 1), 1)
    for start in range(0, resamples if documents else 0, rows):
        block = result[start : start + rows]
        drawn = random.integers(0, documents, block.shape)
        drawn += documents * np.arange(len(block))[:, np.newaxis]
        block[:] = np.bincount(drawn.ravel(), minlength=block.size).reshape(block.shape)
    return result


def resampled(counts: Floats, weights: Draws) -> Floats:
    """`counts` (D, ...) added up under each row of `weights` (R, D): shape (R, ...). Memory: one block of rows."""
    flat = np.ascontiguousarray(counts, dtype=np.float64).reshape(len(counts), math.prod(counts.shape[1:]))
    result = np.empty((len(weights), flat.shape[1]))
    for start in range(0, len(weights), 64):
        np.matmul(weights[start : start + 64].astype(np.float64), flat, out=result[start : start + 64])
    return result.reshape(len(weights), *counts.shape[1:])


def estimate(
    counts: Floats,
    statistic: Statistic,
    weights: Draws,
    *,
    value: float | None = None,
    why: str = "",
    drawn: Floats | None = None,
) -> Estimate:
    """The statistic of all documents, with its interval.

    `counts` has shape (D, ...); a document whose counts are all 0 does not count towards `documents`. `value` is the
    point value if another implementation computes it (krippendorff, scikit-learn, scipy); by default the statistic's
    own. `why` is the note if there is no value. `drawn` are the resampled counts, if several statistics share them.
    """
    counts = np.asarray(counts, dtype=np.float64)
    documents = int(np.any(counts.reshape(len(counts), -1) != 0, axis=1).sum()) if counts.size else 0
    if not documents:
        return Estimate(None, note=why or "nothing to count")
    own = float(statistic(counts.sum(axis=0)[np.newaxis])[0])
    if np.isnan(own):
        return Estimate(None, documents=documents, note=why or "undefined for these counts")
    point = own if value is None else value
    if documents == 1:
        return Estimate(point, documents=1, note="only one document: no interval")
    values = statistic(resampled(counts, weights) if drawn is None else drawn)
    defined = values[~np.isnan(values)]
    if 2 * len(defined) < len(values):
        return Estimate(point, documents=documents, note="undefined in most resamples: no interval")
    low, high = np.percentile(defined, [50 * (1 - LEVEL), 50 * (1 + LEVEL)])
    # The point may come from another implementation, and must not fall outside the interval by a rounding error.
    low, high = (point if abs(bound - point) < ROUNDING else bound for bound in (low, high))
    return Estimate(point, float(low), float(high), documents, rough(documents))


def rough(documents: int) -> str:
    """The note for an interval over this many documents; '' if they are enough."""
    return f"{documents} documents only: the interval is rough" if documents < FEW else ""


def terms(values: Floats) -> Floats:
    """Per-document values (D,), NaN where undefined, as counts (D, 2) for `mean`: the value or 0, and 1 or 0."""
    defined = ~np.isnan(values)
    return np.stack([np.where(defined, values, 0.0), defined.astype(np.float64)], axis=-1)


def mean(counts: Floats) -> Floats:
    """The mean over documents from summed `terms`: shape (..., 2) to (...)."""
    return quotient(counts[..., 0], counts[..., 1])
