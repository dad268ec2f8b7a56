"""95 % intervals by bootstrap over documents.

A document is drawn as a whole, because its tokens are not independent observations. Every metric of this package can be
computed from counts that add up over documents (a coincidence matrix, a confusion matrix, a sum and its number of
terms), so a resample is a weighted sum of counts, and all resamples are one matrix product; nothing is recounted.

Percentile intervals: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from agreement.metrics.arrays import Bools, Floats, Ints, quotient
from annotation.phrases import Phrase
from annotation.progress import OnAdvance, ignore_progress

RESAMPLES = 1000
SEED = 20240917
LEVEL = 0.95
FEW_DOCUMENTS = 10
"""Below this many documents an interval is marked as rough."""
ROUGH_INTERVAL = Phrase("only %(documents)s documents: the interval is rough")

ROUNDING = 1e-9
BLOCK = 1 << 18
ROWS = 64
"""The number of resamples that are computed at a time."""
PART = 1 << 12
"""The number of documents whose counts are made at a time."""
WEIGHTS = 1 << 21
"""Up to this many weights are converted to floating point at a time; otherwise FEW_ROWS of them."""
FEW_ROWS = 16
"""Divides ROWS, so that the library adds up in the same order, and gives the same last digit, as with all at once."""

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


def draw_blocks(documents: int, resamples: int = RESAMPLES, seed: int = SEED) -> Iterator[Draws]:
    """The rows of `draws`, ROWS at a time: of 100,000 documents, all at once would take 200 MB."""
    random = np.random.default_rng(seed)
    at_once = max(BLOCK // max(documents, 1), 1)
    rows, filled = np.empty((ROWS, documents), dtype=np.uint16), 0
    for start in range(0, resamples, at_once):
        shape = min(at_once, resamples - start), documents
        drawn = random.integers(0, max(documents, 1), shape)
        drawn += documents * np.arange(shape[0])[:, np.newaxis]
        block = np.bincount(drawn.ravel(), minlength=math.prod(shape)).reshape(shape)
        while len(block):
            taken = block[: ROWS - filled]
            rows[filled : filled + len(taken)] = taken
            filled += len(taken)
            block = block[len(taken) :]
            if filled == ROWS:
                yield rows
                del rows  # before the next ones are made
                rows, filled = np.empty((ROWS, documents), dtype=np.uint16), 0
    if filled:
        yield rows[:filled]


def draws(documents: int, resamples: int = RESAMPLES, seed: int = SEED) -> Draws:
    """How often each of `documents` documents is drawn in each resample: shape (resamples, documents).

    Every row adds up to `documents`. The same seed gives the same rows.
    """
    result = np.empty((resamples, documents), dtype=np.uint16)
    start = 0
    for block in draw_blocks(documents, resamples, seed):
        result[start : start + len(block)] = block
        start += len(block)
    return result


def resampled(counts: Floats, weights: Draws) -> Floats:
    """`counts` (D, ...) added up under each row of `weights` (R, D): shape (R, ...)."""
    flat = np.ascontiguousarray(counts, dtype=np.float64).reshape(len(counts), math.prod(counts.shape[1:]))
    result = np.empty((len(weights), flat.shape[1]))
    rows = ROWS if ROWS * len(flat) <= WEIGHTS else FEW_ROWS
    for start in range(0, len(weights), rows):
        np.matmul(weights[start : start + rows].astype(np.float64), flat, out=result[start : start + rows])
    return result.reshape(len(weights), *counts.shape[1:])


class Summed(Protocol):
    """Counts that add up over documents."""

    def documents(self) -> Ints:
        """The documents that any count is not 0 for, by index."""

    def total(self) -> Floats:
        """The counts of all documents, added up: shape (...)."""

    def summing_function(self) -> Callable[[Draws], Floats]:
        """What adds the counts up under each row of weights (R, D): shape (R, ...)."""


def parts_of(size: int) -> list[slice]:
    """`size` documents divided into parts; one part if there are none."""
    return [slice(start, min(start + PART, size)) for start in range(0, max(size, 1), PART)]


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """Counts (D, ...) of `size` documents. `make` returns those of some of them: many are made when they are needed.

    `exact`: sums of them are, because they are whole numbers or halves. Others are added up at once, so that the last
    digit does not depend on how documents are divided.
    """

    make: Callable[[slice], Floats]
    size: int
    exact: bool = False
    array: Floats | None = None

    @classmethod
    def of(cls, counts: Floats) -> Dense:
        """Counts that are there."""
        return cls(lambda part: counts[part], len(counts), array=counts)

    def documents(self) -> Ints:
        return np.concatenate(
            [part.start + np.flatnonzero(_nonzero_rows(self.make(part))) for part in parts_of(self.size)]
        )

    def total(self) -> Floats:
        if self.exact:
            return np.asarray(sum(self.make(part).sum(axis=0, dtype=np.float64) for part in parts_of(self.size)))
        return np.asarray(self._as_one_array().sum(axis=0))

    def summing_function(self) -> Callable[[Draws], Floats]:
        if not self.exact or self.size <= PART:
            counts = self._as_one_array()
            return lambda weights: resampled(counts, weights)
        return self._resampled

    def _resampled(self, weights: Draws) -> Floats:
        return np.asarray(sum(resampled(self.make(part), weights[:, part]) for part in parts_of(self.size)))

    def _as_one_array(self) -> Floats:
        """All counts in one array, in row-major order."""
        if self.array is not None:
            return np.ascontiguousarray(self.array, dtype=np.float64)
        first = np.asarray(self.make(slice(0, min(PART, self.size))), dtype=np.float64)
        whole = np.empty((self.size, *first.shape[1:]))
        for part in parts_of(self.size):
            whole[part] = self.make(part)
        return whole


@dataclass(frozen=True, slots=True, eq=False)
class Sparse:
    """Counts (N, ...) of some documents, `owners` (N,), which may come more than once; whole numbers.

    `make` returns some of them: they are made when they are needed.
    """

    owners: NDArray[Any]
    make: Callable[[slice], NDArray[Any]]

    @classmethod
    def of(cls, owners: NDArray[Any], rows: NDArray[Any]) -> Sparse:
        """Counts that are there."""
        return cls(owners, lambda part: rows[part])

    def documents(self) -> Ints:
        parts = [self.owners[part][_nonzero_rows(self.make(part))] for part in parts_of(len(self.owners))]
        return np.unique(np.concatenate(parts))

    def total(self) -> Floats:
        # Whole numbers: in parts, the sums are the same.
        return np.asarray(sum(self.make(part).sum(axis=0, dtype=np.float64) for part in parts_of(len(self.owners))))

    def summing_function(self) -> Callable[[Draws], Floats]:
        return self._resampled

    def _resampled(self, weights: Draws) -> Floats:
        parts = parts_of(len(self.owners))
        return np.asarray(sum(resampled(self.make(part), weights[:, self.owners[part]]) for part in parts))


def _nonzero_rows(counts: NDArray[Any]) -> Bools:
    """Which of `counts` (N, ...) are not 0 throughout: (N,)."""
    return np.asarray(np.any(counts.reshape(len(counts), math.prod(counts.shape[1:])) != 0, axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class Stacked:
    """Several counts (...) as one: (number of them, ...)."""

    parts: Sequence[Sparse]

    def documents(self) -> Ints:
        return np.unique(np.concatenate([np.zeros(0, np.int64), *(part.documents() for part in self.parts)]))

    def total(self) -> Floats:
        return np.stack([part.total() for part in self.parts])

    def summing_function(self) -> Callable[[Draws], Floats]:
        each = [part.summing_function() for part in self.parts]
        return lambda weights: np.stack([summed(weights) for summed in each], axis=1)


@dataclass(frozen=True, slots=True)
class CountStatistic:
    """A statistic of counts, for `estimates`. `value` and `why` are as in `estimate`."""

    counts: Summed
    statistic: Statistic
    value: float | None = None
    why: str = ""


K = TypeVar("K", bound=Hashable)


def estimates(
    statistics: Mapping[K, CountStatistic],
    documents: int,
    resamples: int = RESAMPLES,
    on_progress: OnAdvance = ignore_progress,
) -> dict[K, Estimate]:
    """Several statistics of the same documents, each as `estimate` gives it, with one pass over the draws.

    Neither the draws nor the sums are held, so that memory is that of the counts. `on_progress` is called for each
    statistic of each block, and gets the documents' number in the course of the draws.
    """
    result: dict[K, Estimate] = {}
    sums = {id(each.counts): each.counts for each in statistics.values()}
    document_counts: dict[int, int] = {}
    totals: dict[int, Floats] = {}
    for number, counts in sums.items():
        document_counts[number] = len(counts.documents())
        on_progress(0)
        if document_counts[number]:
            totals[number] = counts.total()
            on_progress(0)
    points: dict[K, float] = {}
    for key, each in statistics.items():
        counted = document_counts[id(each.counts)]
        own = float(each.statistic(totals[id(each.counts)][np.newaxis])[0]) if counted else math.nan
        if fixed := _without_interval(own, counted, each.value, each.why):
            result[key] = fixed
        else:
            points[key] = own if each.value is None else each.value
    values: dict[K, list[Floats]] = {key: [] for key in points}
    ready = {
        key: counts.summing_function()
        for key, counts in sums.items()
        if any(id(statistics[one].counts) == key for one in points)
    }
    drawn_rows = 0
    for weights in draw_blocks(documents, resamples) if points else ():
        for number, summed in ready.items():
            drawn = summed(weights)
            for key in points:
                if id(statistics[key].counts) == number:
                    values[key].append(statistics[key].statistic(drawn))
            on_progress(0)
        ahead = documents * drawn_rows // resamples
        drawn_rows += len(weights)
        on_progress(documents * drawn_rows // resamples - ahead)
        del weights  # before the next block is made: of 100,000 documents, one takes 13 MB
    for key, point in points.items():
        result[key] = _with_interval(point, np.concatenate(values[key]), document_counts[id(statistics[key].counts)])
    return {key: result[key] for key in statistics}


def estimate(
    counts: Floats,
    statistic: Statistic,
    weights: Draws,
    *,
    value: float | None = None,
    why: str = "",
) -> Estimate:
    """The statistic of all documents, with its interval.

    `counts` has shape (D, ...); a document whose counts are all 0 does not count towards `documents`. `value` is the
    point value if another implementation computes it (krippendorff, scikit-learn, scipy); by default the statistic's
    own. `why` is the note if there is no value.
    """
    counts = np.asarray(counts, dtype=np.float64)
    documents = len(Dense.of(counts).documents())
    own = float(statistic(counts.sum(axis=0)[np.newaxis])[0]) if documents else math.nan
    fixed = _without_interval(own, documents, value, why)
    if fixed is not None:
        return fixed
    return _with_interval(own if value is None else value, statistic(resampled(counts, weights)), documents)


def _without_interval(own: float, documents: int, value: float | None, why: str) -> Estimate | None:
    """The estimate if it has no interval; `own` is the statistic's own value."""
    if not documents:
        return Estimate(None, note=why or "nothing to count")
    if np.isnan(own):
        return Estimate(None, documents=documents, note=why or "undefined for these counts")
    if documents == 1:
        return Estimate(own if value is None else value, documents=1, note="only one document: no interval")
    return None


def _with_interval(point: float, values: Floats, documents: int) -> Estimate:
    defined = values[~np.isnan(values)]
    if 2 * len(defined) < len(values):
        return Estimate(point, documents=documents, note="undefined in most resamples: no interval")
    low, high = np.percentile(defined, [50 * (1 - LEVEL), 50 * (1 + LEVEL)])
    # The point may come from another implementation, and must not fall outside the interval by a rounding error.
    low, high = (point if abs(bound - point) < ROUNDING else bound for bound in (low, high))
    return Estimate(point, float(low), float(high), documents, rough(documents))


def rough(documents: int) -> str:
    """The note for an interval over this many documents; '' if they are enough."""
    return ROUGH_INTERVAL.with_params(documents=str(documents)).text() if documents < FEW_DOCUMENTS else ""


def terms(values: Floats) -> Floats:
    """Per-document values (D,), NaN where undefined, as counts (D, 2) for `mean`: the value or 0, and 1 or 0."""
    defined = ~np.isnan(values)
    return np.stack([np.where(defined, values, 0.0), defined.astype(np.float64)], axis=-1)


def mean(counts: Floats) -> Floats:
    """The mean over documents from summed `terms`: shape (..., 2) to (...)."""
    return quotient(counts[..., 0], counts[..., 1])
