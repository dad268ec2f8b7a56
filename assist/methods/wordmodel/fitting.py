"""Models fitted to rows of features: gradient-boosted trees, an additive model, a model of documents; and ranks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from assist.methods.shared.proposals import best_threshold
from assist.methods.wordmodel.hinges import Scale, hinge_features, number_of_features
from assist.methods.wordmodel.labels import LabelModel
from assist.methods.wordmodel.repetition import MarkingStatistics, marking_statistics, out_of_fold_columns

Floats = NDArray[np.float64]
Rows = NDArray[np.float32]
Ids = NDArray[np.int64]

MAX_ROWS = 400_000
_SHARE = 0.3
_LEAVES = 8
_MIN_LEAF_ROWS = 1000
_RATE = 0.11
_PENALTY = 30.0
_TOKENS = 400
"""The penalty grows by one per this many tokens, above the minimum: tokens of a document are not independent."""
_BLOCK = 16_384
"""The number of rows whose functions are computed at a time."""
_OWN = {"graded": 0.4, "new": 0.0}
"""The share of a document's mean that the additive model need not explain: graded labels depend as much on the
annotator, while 'new' is adjudicated.
"""
_LEVEL_PENALTY = 100.0


@dataclass(frozen=True)
class AdditiveModel:
    """A sum of piecewise linear functions of each feature's rank, fitted by ridge regression."""

    scales: tuple[Scale, ...]
    weights: Floats

    @classmethod
    def fit(cls, table: NDArray[Any], goals: Floats, document: Ids, own: float) -> "AdditiveModel":
        """Least squares with an L2 penalty, with the share ``own`` of each document's mean removed; deterministic.

        ``document`` is the number of each row's document, ascending. The functions' values are never all in memory:
        sums over blocks of rows are enough, also for removing the documents' means.
        """
        scales = tuple(Scale.of(column.astype(np.float64), 100) for column in table.T)
        _, number, sizes = np.unique(document, return_inverse=True, return_counts=True)
        width = number_of_features(len(scales))
        square, product, sums = np.zeros((width, width)), np.zeros(width), np.zeros((len(sizes), width))
        for start in range(0, len(table), _BLOCK):
            block = slice(start, start + _BLOCK)
            values = hinge_features(scales, table[block])
            square += values.T @ values
            product += values.T @ goals[block]
            here, first = np.unique(number[block], return_index=True)
            sums[here] += np.add.reduceat(values, first, axis=0, dtype=np.float64)
        goal = np.bincount(number, goals, len(sizes)) / sizes
        means = sums / sizes[:, None]
        # From x - own * (its document's mean - the mean): the products of x with that, and of that with itself.
        away, lift = own * (means - sums.sum(axis=0) / len(table)), own * (goal - goals.mean())
        cross = sums.T @ away
        square += (sizes * away.T) @ away - cross - cross.T
        product += (sizes * away.T) @ (lift - goal) - sums.T @ lift
        square[np.diag_indices(width)] += max(_PENALTY, len(table) / _TOKENS)
        return cls(scales, np.asarray(np.linalg.solve(square, product), dtype=np.float64))

    def predict(self, table: Rows) -> Floats:
        """The fitted value of each row."""
        return np.asarray(hinge_features(self.scales, table) @ self.weights, dtype=np.float64)


@dataclass(frozen=True)
class Level:
    """How much of a document is marked, by ridge regression on the means of its features.

    ``sides`` are those with known values; only their tokens count.
    """

    sides: tuple[float, ...]
    middle: Floats
    spread: Floats
    weights: Floats
    mean: float

    @classmethod
    def fit(cls, tables: Sequence[Rows], goals: Sequence[Floats]) -> "Level":
        """From documents that have known values (NaN: unknown), weighted by how many they have."""
        sides = tuple(np.unique([row[0] for table, each in zip(tables, goals, strict=True)
                                 for row in table[~np.isnan(each)][[0, -1]]]).tolist())  # fmt: skip
        means = np.stack([cls._means(table, sides) for table in tables])
        weight = np.sqrt([float((~np.isnan(each)).sum()) for each in goals])
        weight /= weight.mean()
        gold = np.array([np.nanmean(each) for each in goals])
        mean = float(np.average(gold, weights=weight))
        middle, spread = means.mean(axis=0), means.std(axis=0) + 1e-9
        scaled = (means - middle) / spread
        square = (scaled.T * weight) @ scaled
        square[np.diag_indices(len(square))] += _LEVEL_PENALTY
        return cls(sides, middle, spread, np.linalg.solve(square, (scaled.T * weight) @ (gold - mean)), mean)

    def shift(self, table: Rows, scores: Floats) -> float:
        """The shift of a document's scores half way to the mean that its features predict."""
        counted = np.isin(table[:, 0], self.sides)
        if not counted.any():
            return 0.0
        scaled = ((self._means(table, self.sides) - self.middle) / self.spread).clip(-4, 4)
        return float(self.mean + scaled @ self.weights - scores[counted].mean()) / 2

    @staticmethod
    def _means(table: Rows, sides: tuple[float, ...]) -> Floats:
        return np.asarray(table[np.isin(table[:, 0], sides)].mean(axis=0, dtype=np.float64))


@dataclass(frozen=True)
class Fold:
    """Models trained on the documents outside a fold, and how those documents' words are usually marked."""

    ensembles: tuple[Any, ...]
    additive: AdditiveModel
    level: Level
    habits: MarkingStatistics
    labels: LabelModel | None = None

    def predict(self, rows: Rows, keys: Ids) -> Floats:
        """A score for each row of a document that was not trained on.

        It is the mean of trees and additive model, moved to the level that the document as a whole should have.
        """
        if not len(rows):
            return np.zeros(0)
        table = self._table(rows, keys)
        with threadpool_limits(1):
            grown = np.mean([each.predict(table) for each in self.ensembles], axis=0)
            scores = np.asarray((grown + self.additive.predict(table)) / 2)
        return scores + self.level.shift(table, scores)

    def shares(self, rows: Rows, keys: Ids) -> Floats:
        """The probability of each label, (tokens, labels), of a document that was not trained on."""
        if self.labels is None:
            raise ValueError("no labels were learned")
        return self.labels.predict(self._table(rows, keys))

    def _table(self, rows: Rows, keys: Ids) -> Rows:
        return np.concatenate([rows, self.habits.columns(keys)], axis=1)


def fit_fold(
    rows: Sequence[Rows], keys: Sequence[Ids], golds: Sequence[Floats], parts: Ids, *,
    target: Literal["graded", "new"], trees: int, seeds: int, codes: Sequence[Ids] = (), labels: int = 0,
) -> Fold:  # fmt: skip
    """Train on documents: their rows, their phrases, their gold values (NaN: unknown; not all of a document).

    ``codes``: the label of every token, below ``labels``, or negative; without any, labels are not learned.

    What is fitted is the rank of a graded value among all, or whether a token is new; a document is trained with the
    statistics of the other ``parts``, so that training resembles prediction.
    """
    from scipy.stats import rankdata
    from sklearn.ensemble import HistGradientBoostingRegressor

    golds = [marks(gold, target) for gold in golds]
    sizes = [len(each) for each in golds]
    ends = np.cumsum(sizes)[:-1]
    whole = _join_rows(rows, out_of_fold_columns(keys, golds, parts))
    gold = np.concatenate(golds)
    document = np.repeat(np.arange(len(sizes)), sizes)
    goals = np.full(len(gold), np.nan)
    keep = np.flatnonzero(~np.isnan(gold))
    goals[keep] = rankdata(gold[keep]) / len(keep)
    level = Level.fit(np.split(whole, ends), np.split(goals, ends))
    if len(keep) > MAX_ROWS:
        keep = np.sort(np.random.default_rng(0).choice(keep, MAX_ROWS, replace=False))
    # In the layout that trees need: otherwise each ensemble would make such a copy.
    table, goals, document = whole[keep].astype(np.float64), goals[keep], document[keep]
    del whole
    least = min(_MIN_LEAF_ROWS, 1 + len(keep) // 40)
    # One thread: a worker shares its machine, and threads that wait for a core are slower than none.
    with threadpool_limits(1):
        ensembles = tuple(
            HistGradientBoostingRegressor(
                max_iter=trees, learning_rate=_RATE, max_leaf_nodes=_LEAVES, min_samples_leaf=least,
                l2_regularization=10.0, max_features=_SHARE, early_stopping=False, random_state=seed,
            ).fit(table, goals)
            for seed in range(seeds)
        )  # fmt: skip
        additive = AdditiveModel.fit(table, goals, document, _OWN[target])
    learned = LabelModel.fit(table, np.concatenate(codes)[keep], labels) if len(codes) else None
    return Fold(ensembles, additive, level, marking_statistics(keys, golds), learned)


def _join_rows(rows: Sequence[Rows], columns: Sequence[Rows]) -> Rows:
    """The documents' rows with their further columns, one document after the other."""
    width = rows[0].shape[1]
    table = np.empty((sum(map(len, rows)), width + columns[0].shape[1]), dtype=np.float32)
    np.concatenate(rows, out=table[:, :width])
    np.concatenate(columns, out=table[:, width:])
    return table


def marks(gold: Floats, target: Literal["graded", "new"]) -> Floats:
    """The values to learn: graded ones unchanged, or 1 for new tokens (more than half) and 0 for the rest."""
    return gold if target == "graded" else np.where(np.isnan(gold), np.nan, (gold > 0.5).astype(float))


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
    labelled = ~np.isnan(gold)
    gold, score, number = gold[labelled], score[labelled], number[labelled]
    if target == "graded":
        from scipy.stats import spearmanr

        return float(np.nan_to_num(spearmanr(gold, score).statistic))
    marked, taken = gold > 0, np.zeros(len(gold), dtype=bool)
    for each in np.unique(number):
        others = number != each
        if marked[others].any():
            taken[~others] = score[~others] >= best_threshold(marked[others], score[others])
    return float(2 * (taken & marked).sum() / max(1, taken.sum() + marked.sum()))
