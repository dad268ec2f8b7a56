"""What is fitted to rows of features: gradient-boosted trees, an additive model, a model of documents; and ranks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from assist.methods.proposals import best_threshold
from assist.methods.wordmodel.repetition import Habits, apart, habits

Floats = NDArray[np.float64]
Rows = NDArray[np.float32]
Ids = NDArray[np.int64]

MOST_ROWS = 400_000
_SHARE = 0.3
_LEAVES = 8
_LEAST = 1000
_RATE = 0.11
_PENALTY = 30.0
_TOKENS = 400
"""Tokens that the penalty grows by one with, beyond the least: those of one document are not independent."""
_KNOTS = (0.5, 0.8)
_OWN = {"graded": 0.4, "new": 0.0}
"""The share of a document's mean that the additive model is not asked to explain: where labels are graded, it is the
annotator's as much; 'new' is adjudicated."""
_LEVEL_PENALTY = 100.0


@dataclass(frozen=True)
class Additive:
    """A sum of piecewise linear functions of each feature's rank, fitted by ridge regression."""

    scales: tuple["Scale", ...]
    weights: Floats

    @classmethod
    def fit(cls, table: Rows, wanted: Floats, document: Ids, own: float) -> "Additive":
        """Least squares with an L2 penalty, ``own`` of each document's mean taken out; deterministic.

        ``document`` is the number of each row's document, ascending.
        """
        scales = tuple(Scale.of(column, 100) for column in table.T.astype(np.float64))
        bent = cls._bent(scales, table)
        _, starts, number, sizes = np.unique(document, return_index=True, return_inverse=True, return_counts=True)
        wanted = wanted.copy()
        for values in (bent[:, :-1], wanted[:, None]):
            means = np.add.reduceat(values, starts, axis=0) / sizes[:, None]
            values -= own * (means - values.mean(axis=0))[number].astype(values.dtype)
        square = (bent.T @ bent).astype(np.float64)
        square[np.diag_indices(len(square))] += max(_PENALTY, len(table) / _TOKENS)
        weights: Floats = np.asarray(np.linalg.solve(square, (bent.T @ wanted).astype(np.float64)), dtype=np.float64)
        return cls(scales, weights)

    def predict(self, table: Rows) -> Floats:
        """The fitted value of each row."""
        return np.asarray(self._bent(self.scales, table) @ self.weights, dtype=np.float64)

    @staticmethod
    def _bent(scales: tuple["Scale", ...], table: Rows) -> Rows:
        ranks = np.stack([scale.rank(column) for scale, column in zip(scales, table.T, strict=True)], axis=1)
        parts = [ranks, *(np.maximum(ranks - knot, 0) for knot in _KNOTS), np.ones((len(ranks), 1))]
        return np.concatenate(parts, axis=1).astype(np.float32)


@dataclass(frozen=True)
class Level:
    """How much of a document is marked, by ridge regression on the means of its features.

    ``sides`` are those that anything is known of; only their tokens count.
    """

    sides: tuple[float, ...]
    middle: Floats
    spread: Floats
    weights: Floats
    mean: float

    @classmethod
    def fit(cls, tables: Sequence[Rows], wanted: Sequence[Floats]) -> "Level":
        """From documents that have known values (NaN: unknown); the more, the heavier they weigh."""
        sides = tuple(np.unique([row[0] for table, each in zip(tables, wanted, strict=True)
                                 for row in table[~np.isnan(each)][[0, -1]]]).tolist())  # fmt: skip
        means = np.stack([cls._means(table, sides) for table in tables])
        weight = np.sqrt([float((~np.isnan(each)).sum()) for each in wanted])
        weight /= weight.mean()
        gold = np.array([np.nanmean(each) for each in wanted])
        mean = float(np.average(gold, weights=weight))
        middle, spread = means.mean(axis=0), means.std(axis=0) + 1e-9
        known = (means - middle) / spread
        square = (known.T * weight) @ known
        square[np.diag_indices(len(square))] += _LEVEL_PENALTY
        return cls(sides, middle, spread, np.linalg.solve(square, (known.T * weight) @ (gold - mean)), mean)

    def shift(self, table: Rows, scores: Floats) -> float:
        """What moves the mean of a document's scores half way to what its features say it should be."""
        counted = np.isin(table[:, 0], self.sides)
        if not counted.any():
            return 0.0
        known = ((self._means(table, self.sides) - self.middle) / self.spread).clip(-4, 4)
        return float(self.mean + known @ self.weights - scores[counted].mean()) / 2

    @staticmethod
    def _means(table: Rows, sides: tuple[float, ...]) -> Floats:
        return np.asarray(table[np.isin(table[:, 0], sides)].mean(axis=0, dtype=np.float64))


@dataclass(frozen=True)
class Fold:
    """Models trained on the documents outside a fold, and what those documents' words are usually marked."""

    ensembles: tuple[Any, ...]
    additive: Additive
    level: Level
    habits: Habits

    def predict(self, rows: Rows, keys: Ids) -> Floats:
        """A score for each row of a document that was not trained on.

        It is the mean of trees and additive model, moved to the level that the document as a whole should have.
        """
        table = np.concatenate([rows, self.habits.columns(keys)], axis=1)
        if not len(table):
            return np.zeros(0)
        with threadpool_limits(1):
            grown = np.mean([each.predict(table) for each in self.ensembles], axis=0)
            scores = np.asarray((grown + self.additive.predict(table)) / 2)
        return scores + self.level.shift(table, scores)


def fit_fold(
    rows: Sequence[Rows], keys: Sequence[Ids], golds: Sequence[Floats], parts: Ids, *,
    target: Literal["graded", "new"], trees: int, seeds: int,
) -> Fold:  # fmt: skip
    """Train on documents: their rows, their phrases, their gold values (NaN: unknown; not all of a document).

    What is fitted is the rank of a graded value among all, or whether a token is new; the habits
    that a document is trained with are those of the other ``parts``, so that training looks like use.
    """
    from scipy.stats import rankdata
    from sklearn.ensemble import HistGradientBoostingRegressor

    golds = [marks(gold, target) for gold in golds]
    tables = [np.concatenate(each, axis=1) for each in zip(rows, apart(keys, golds, parts), strict=True)]
    table, gold = np.concatenate(tables), np.concatenate(golds)
    sizes = [len(each) for each in golds]
    document = np.repeat(np.arange(len(sizes)), sizes)
    wanted = np.full(len(gold), np.nan)
    keep = np.flatnonzero(~np.isnan(gold))
    wanted[keep] = rankdata(gold[keep]) / len(keep)
    level = Level.fit(tables, np.split(wanted, np.cumsum(sizes)[:-1]))
    if len(keep) > MOST_ROWS:
        keep = np.sort(np.random.default_rng(0).choice(keep, MOST_ROWS, replace=False))
    table, wanted, document = table[keep], wanted[keep], document[keep]
    least = min(_LEAST, 1 + len(keep) // 40)
    # One thread: a worker shares its machine, and threads that wait for a core are slower than none.
    with threadpool_limits(1):
        ensembles = tuple(
            HistGradientBoostingRegressor(
                max_iter=trees, learning_rate=_RATE, max_leaf_nodes=_LEAVES, min_samples_leaf=least,
                l2_regularization=10.0, max_features=_SHARE, early_stopping=False, random_state=seed,
            ).fit(table, wanted)
            for seed in range(seeds)
        )  # fmt: skip
        additive = Additive.fit(table, wanted, document, _OWN[target])
    return Fold(ensembles, additive, level, habits(keys, golds))


def marks(gold: Floats, target: Literal["graded", "new"]) -> Floats:
    """The values to learn: graded ones as they are, or 1 for what is new (more than half) and 0 for the rest."""
    return gold if target == "graded" else np.where(np.isnan(gold), np.nan, (gold > 0.5).astype(float))


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


def rank_mean(scales: tuple[Scale, Scale], plain: Floats, learned: Floats, weight: float) -> Floats:
    """The weighted mean of two scores' ranks, as a score of the first's distribution, in [0, 1]."""
    ranks = (1 - weight) * scales[0].rank(plain) + weight * scales[1].rank(learned)
    return scales[0].score(ranks).clip(0, 1)


def agreement(
    golds: Sequence[Floats], scores: Sequence[Floats], fold: NDArray[np.int64], target: Literal["graded", "new"]
) -> float:
    """Spearman's correlation over all tokens, or the F1 of 'new' with each fold's threshold from the others."""
    gold, score = np.concatenate([marks(each, target) for each in golds]), np.concatenate(scores)
    number = np.repeat(fold, [len(each) for each in golds])
    known = ~np.isnan(gold)
    gold, score, number = gold[known], score[known], number[known]
    if target == "graded":
        from scipy.stats import spearmanr

        return float(np.nan_to_num(spearmanr(gold, score).statistic))
    marked, taken = gold > 0, np.zeros(len(gold), dtype=bool)
    for each in np.unique(number):
        others = number != each
        if marked[others].any():
            taken[~others] = score[~others] >= best_threshold(marked[others], score[others])
    return float(2 * (taken & marked).sum() / max(1, taken.sum() + marked.sum()))
