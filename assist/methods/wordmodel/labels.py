"""The label of a token: logistic regression on its features, and the choice of one label among several."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from assist.methods.base import PairInput
from assist.methods.wordmodel.hinges import Scale, hinge_features

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]

UNMARKED = ""
"""The name of the label of unmarked tokens."""

UNKNOWN, NONE = -1, -2
"""The codes of a token whose label is unknown, and of one without a label if UNMARKED is not one of them."""

MAX_ROWS = 60_000
_INVERSE_PENALTY = 0.005
_ROUNDS = 300
_FACTORS = np.exp(np.linspace(-1.2, 2.4, 13))
_SWEEPS = 3


@dataclass(frozen=True)
class LabelModel:
    """Multinomial logistic regression on piecewise linear functions of each feature's rank.

    ``weights`` (labels, functions) and ``intercepts`` (labels,); a label that was never seen has no chance.
    """

    scales: tuple[Scale, ...]
    weights: Floats
    intercepts: Floats

    @classmethod
    def fit(cls, table: NDArray[np.floating], codes: Ids, labels: int) -> "LabelModel | None":
        """From rows and the codes of their labels, each below ``labels``; None if fewer than two occur.

        Rows without a label (a negative code) are skipped, and very many rows are sampled. Deterministic.
        """
        from sklearn.linear_model import LogisticRegression

        labelled = np.flatnonzero(codes >= 0)
        if len(labelled) > MAX_ROWS:
            labelled = np.sort(np.random.default_rng(0).choice(labelled, MAX_ROWS, replace=False))
        labels_there = np.unique(codes[labelled])
        if len(labels_there) < 2:
            return None
        table = table[labelled]
        scales = tuple(Scale.of(column.astype(np.float64), 100) for column in table.T)
        with threadpool_limits(1):
            features = hinge_features(scales, table)
            fitted = LogisticRegression(C=_INVERSE_PENALTY, max_iter=_ROUNDS).fit(features, codes[labelled])
        weights, intercepts = fitted.coef_.astype(np.float64), fitted.intercept_.astype(np.float64)
        if len(labels_there) == 2:  # a single row then separates the second label from the first
            weights, intercepts = np.concatenate([0 * weights, weights]), np.append(0.0, intercepts)
        every, level = np.zeros((labels, weights.shape[1])), np.full(labels, -np.inf)
        every[labels_there], level[labels_there] = weights, intercepts
        return cls(scales, every, level)

    def predict(self, table: NDArray[np.floating]) -> Floats:
        """The probability of each label, (rows, labels)."""
        values = hinge_features(self.scales, table) @ self.weights.T + self.intercepts
        values = np.exp(values - values.max(axis=1, keepdims=True))
        return np.asarray(values / values.sum(axis=1, keepdims=True), dtype=np.float64)


def label_names(pairs: Sequence[PairInput], *, unmarked: bool) -> tuple[str, ...]:
    """The labels that tokens of these pairs have, sorted; with ``unmarked`` as one of them, the first."""
    sides = (side for pair in pairs for side in (pair.labels_a, pair.labels_b) if side is not None)
    names = {label for side in sides for label in side}
    return (UNMARKED,) * unmarked + tuple(sorted(names - {UNMARKED}))


def label_codes(pair: PairInput, gold: Floats, names: Sequence[str]) -> Ids:
    """The codes of the labels of A's and then B's tokens: ``UNKNOWN`` where ``gold`` is NaN, or ``NONE``."""
    code = {name: index for index, name in enumerate(names)}
    sides = ((pair.a, pair.labels_a), (pair.b, pair.labels_b))
    parts = [
        np.full(len(side.tokens), UNKNOWN) if labels is None else np.array([code.get(label, NONE) for label in labels])
        for side, labels in sides
    ]
    return np.where(np.isnan(gold), UNKNOWN, np.concatenate(parts)).astype(np.int64)


def most_likely_labels(shares: Floats, factors: Floats) -> Ids:
    """The code of the most likely label of each row, with each label's probability times its factor."""
    return np.asarray((shares * factors).argmax(axis=1), dtype=np.int64)


def macro_f1(codes: Ids, predicted: Ids, labels: int) -> float:
    """The mean over labels of F1."""
    counts = np.bincount(codes, minlength=labels) + np.bincount(predicted, minlength=labels)
    right = np.bincount(codes[codes == predicted], minlength=labels)
    return float((2 * right / np.maximum(counts, 1)).mean())


def balanced_factors(shares: Floats, codes: Ids) -> Floats:
    """The factors of labels that give the highest macro F1 on these rows, found label by label.

    Without factors the most likely label would hardly ever be a rare one. ``codes`` must all be known.
    """
    labels = shares.shape[1]
    factors = np.ones(labels)
    if not len(codes):
        return factors
    best = macro_f1(codes, most_likely_labels(shares, factors), labels)
    for _ in range(_SWEEPS):
        for label in range(labels):
            for factor in _FACTORS:
                tried = factors.copy()
                tried[label] = factor
                reached = macro_f1(codes, most_likely_labels(shares, tried), labels)
                if reached > best:
                    best, factors = reached, tried
    return factors
