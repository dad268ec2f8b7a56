"""Scores of tokens against labels: thresholds, precision, recall and F1, labels derived from a score.

Edge cases. Nothing to find and nothing found: precision, recall and F1 are undefined (None). Something to find and
nothing found: precision is undefined, recall and F1 are 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from agreement.metrics.arrays import Bools, Floats, Ints, quotient


@dataclass(frozen=True, slots=True)
class Detection:
    """How well something is found: hits, false alarms and misses, and figures derived from them (None: undefined)."""

    hits: int
    alarms: int
    misses: int

    @property
    def precision(self) -> float | None:
        return self.hits / (self.hits + self.alarms) if self.hits + self.alarms else None

    @property
    def recall(self) -> float | None:
        return self.hits / (self.hits + self.misses) if self.hits + self.misses else None

    @property
    def f1(self) -> float | None:
        either = 2 * self.hits + self.alarms + self.misses
        return 2 * self.hits / either if either else None


def detection(marked: Bools, positive: Bools) -> Detection:
    """Counts over tokens: `marked` and `positive` of shape (tokens,)."""
    return Detection(int((marked & positive).sum()), int((marked & ~positive).sum()), int((~marked & positive).sum()))


def f1_of(counts: Floats) -> Floats:
    """F1 of counts (hits, alarms, misses) on the last axis: shape (..., 3) to (...); NaN where undefined."""
    hits, alarms, misses = counts[..., 0], counts[..., 1], counts[..., 2]
    return quotient(2 * hits, 2 * hits + alarms + misses)


def best_threshold(scores: Floats, positive: Bools) -> float:
    """The threshold (inclusive) with the highest F1 of `positive`; the highest if there are several. NaN for no token.

    Every distinct score is tried, in one pass over the sorted scores.
    """
    if not len(scores):
        return float("nan")
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    hits = np.cumsum(positive[order])
    marked = np.arange(1, len(ranked) + 1)
    ends = np.append(ranked[1:] != ranked[:-1], True)
    f1 = 2 * hits[ends] / np.maximum(marked[ends] + hits[-1], 1)
    return float(ranked[ends][int(np.argmax(f1))])


def curve(scores: Floats, positive: Bools, points: int) -> list[tuple[float, Detection]]:
    """What is found at each of `points` thresholds, spaced by equal shares of tokens; fewer if scores tie."""
    if not len(scores):
        return []
    order = np.argsort(scores, kind="stable")
    ranked = scores[order]
    below = np.concatenate([[0], np.cumsum(positive[order])])
    at = np.unique(np.quantile(ranked, np.linspace(0, 1, points), method="inverted_cdf"))
    total = int(below[-1])
    result = []
    for threshold, first in zip(at.tolist(), np.searchsorted(ranked, at, side="left").tolist(), strict=True):
        misses = int(below[first])
        hits = total - misses
        result.append((threshold, Detection(hits, len(ranked) - first - hits, misses)))
    return result


def folds(documents: Ints, count: int, seed: int) -> Iterator[tuple[Bools, Bools]]:
    """`count` times (tokens to choose on, tokens to report on), no document in both; fewer for fewer documents.

    `documents` (tokens,) is each token's document. Every token is reported on exactly once.
    """
    present = np.unique(documents)
    shuffled = np.random.default_rng(seed).permutation(present)
    for part in np.array_split(shuffled, max(min(count, len(present)), 1)):
        reported = np.isin(documents, part)
        yield ~reported, reported


def label_thresholds(scores: Floats, codes: Ints, labels: int) -> Floats:
    """The scores (labels - 1,) at which each label begins, so that each has the same share of tokens as in `codes`."""
    shares = np.cumsum(np.bincount(codes, minlength=labels))[:-1] / max(len(codes), 1)
    if not len(scores):
        return np.full(labels - 1, np.inf)
    ranked = np.append(np.sort(scores), np.inf)
    return np.asarray(ranked[np.minimum(np.rint(shares * len(scores)).astype(np.int64), len(scores))])


def labels_from_scores(scores: Floats, at: Floats) -> Ints:
    """The label code of every score: how many of the ascending cuts it reaches."""
    return np.searchsorted(at, scores, side="right").astype(np.int64)


def confusion(codes: Ints, predicted: Ints, labels: int) -> Ints:
    """Tokens by label (row) and predicted label (column): shape (labels, labels)."""
    return np.bincount(codes * labels + predicted, minlength=labels * labels).reshape(labels, labels)


def label_detection(table: Ints, label: int) -> Detection:
    """How well one label is found, from a confusion (labels, labels)."""
    hits = int(table[label, label])
    return Detection(hits, int(table[:, label].sum()) - hits, int(table[label].sum()) - hits)
