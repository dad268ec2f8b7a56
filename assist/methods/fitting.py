"""What is fitted to rows of features: gradient-boosted trees and an additive model, whose errors differ; and ranks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, spearmanr
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from assist.methods.proposals import best_threshold
from assist.methods.repetition import Habits, habits

Floats = NDArray[np.float64]
Rows = NDArray[np.float32]
Kinds = list[list[int]]

MOST_ROWS = 600_000
_SHARE = 0.3
_LEAVES = 15
_LEAST = 500
_RATE = 0.05
_PENALTY = 30.0
_KNOTS = (0.5, 0.8)


@dataclass(frozen=True)
class Additive:
    """A sum of piecewise linear functions of each feature's rank, fitted by ridge regression."""

    scales: tuple["Scale", ...]
    weights: Floats

    @classmethod
    def fit(cls, table: Rows, wanted: Floats) -> "Additive":
        """Least squares with an L2 penalty; deterministic."""
        scales = tuple(Scale.of(column, 100) for column in table.T.astype(np.float64))
        bent = cls._bent(scales, table)
        square = (bent.T @ bent).astype(np.float64)
        square[np.diag_indices(len(square))] += _PENALTY
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
class Fold:
    """Models trained on the documents outside a fold, and what those documents' words are usually marked."""

    ensembles: tuple[Any, ...]
    additive: Additive
    habits: Habits

    def predict(self, rows: Rows, kinds: Kinds) -> Floats:
        """A score for each row of a document that was not trained on: the mean of trees and additive model."""
        table = np.concatenate([rows, self.habits.columns(kinds)], axis=1)
        if not len(table):
            return np.zeros(0)
        with threadpool_limits(1):
            grown = np.mean([each.predict(table) for each in self.ensembles], axis=0)
            return np.asarray((grown + self.additive.predict(table)) / 2)


def fit_fold(
    rows: Sequence[Rows], kinds: Sequence[Kinds], golds: Sequence[Floats], *,
    target: Literal["graded", "new"], trees: int, seeds: int,
) -> Fold:  # fmt: skip
    """Train on documents: their rows, their phrases, their gold values (NaN: unknown).

    What is fitted is the rank of a graded value among all, or whether a token is new; a document's own phrases are
    taken out of the habits that it is trained with, so that training looks like use.
    """
    from sklearn.ensemble import HistGradientBoostingRegressor

    golds = [marks(gold, target) for gold in golds]
    known = habits(kinds, golds)
    tables = [
        np.concatenate([row, known.columns(kind, habits([kind], [gold]))], axis=1)
        for row, kind, gold in zip(rows, kinds, golds, strict=True)
    ]
    table, gold = np.concatenate(tables), np.concatenate(golds)
    keep = np.flatnonzero(~np.isnan(gold))
    if len(keep) > MOST_ROWS:
        keep = np.sort(np.random.default_rng(0).choice(keep, MOST_ROWS, replace=False))
    table, gold = table[keep], gold[keep]
    wanted = rankdata(gold) / len(gold)
    least = min(_LEAST, 1 + len(gold) // 40)
    # One thread: a worker shares its machine, and threads that wait for a core are slower than none.
    with threadpool_limits(1):
        additive = Additive.fit(table, wanted)
        ensembles = tuple(
            HistGradientBoostingRegressor(
                max_iter=trees, learning_rate=_RATE, max_leaf_nodes=_LEAVES, min_samples_leaf=least,
                l2_regularization=10.0, max_features=_SHARE, early_stopping=False, random_state=seed,
            ).fit(table, wanted)
            for seed in range(seeds)
        )  # fmt: skip
    return Fold(ensembles, additive, known)


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
        return float(np.nan_to_num(spearmanr(gold, score).statistic))
    marked, taken = gold > 0, np.zeros(len(gold), dtype=bool)
    for each in np.unique(number):
        others = number != each
        if marked[others].any():
            taken[~others] = score[~others] >= best_threshold(marked[others], score[others])
    return float(2 * (taken & marked).sum() / max(1, taken.sum() + marked.sum()))
