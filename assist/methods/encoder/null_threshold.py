"""The null threshold: which alignment edges to drop, chosen on labelled pairs by the F1 of 'new'."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assist.methods.base import PairInput
from assist.methods.shared.gold import new_threshold

Floats = NDArray[np.float64]
KEEP_ALL = 1.0
"""The threshold that drops no edge."""
FOLDS = 5
_POINTS = 100


@dataclass(frozen=True, slots=True)
class NullThresholds:
    """``threshold`` for pairs that were not tuned on; ``folds`` and ``members`` give a pair that was the threshold of
    the other folds; ``curve``: what each threshold gives on the pairs tuned on."""

    threshold: float
    folds: tuple[float, ...] = ()
    members: Mapping[str, int] = field(default_factory=dict)
    curve: tuple[dict[str, float], ...] = ()

    @property
    def drops(self) -> bool:
        """Whether any pair's threshold drops edges."""
        return min(self.threshold, *self.folds, KEEP_ALL) < KEEP_ALL

    def of(self, pair: str) -> float:
        """The threshold of a pair: one that was chosen without it."""
        return self.folds[self.members[pair]] if pair in self.members else self.threshold


def tune_thresholds(pairs: Sequence[PairInput], doubts: Mapping[str, tuple[Floats, Floats]]) -> NullThresholds:
    """Thresholds of the best F1 of 'new' on labelled pairs, for new pairs on all of them, for theirs in folds.

    ``doubts``: per pair and side the least doubt of a token's edges, infinite if it has none: a token counts as new if
    that is above the threshold. 'New' in the gold is anything marked; if only one side is marked (new and inferable),
    anything marked above one half.
    """
    if not pairs:
        return NullThresholds(KEEP_ALL)
    above = new_threshold(pairs)
    doubts_by_side: list[Floats] = []
    truth: list[NDArray[np.bool_]] = []
    fold: list[NDArray[np.int64]] = []
    for pair in pairs:
        for gold, doubt in zip((pair.gold_a, pair.gold_b), doubts[pair.id], strict=True):
            if gold is not None:
                labelled = ~np.isnan(gold)
                doubts_by_side.append(doubt[labelled])
                truth.append(np.asarray(gold)[labelled] > above)
                fold.append(np.full(int(labelled.sum()), _fold(pair.id)))
    values, new, folds = np.concatenate(doubts_by_side), np.concatenate(truth), np.concatenate(fold)
    threshold, curve = _best(values, new)
    others = tuple(_best(values[folds != each], new[folds != each])[0] for each in range(FOLDS))
    return NullThresholds(threshold, others, {pair.id: _fold(pair.id) for pair in pairs}, tuple(curve))


def _fold(pair: str) -> int:
    return zlib.crc32(pair.encode()) % FOLDS


def _best(doubts: Floats, new: NDArray[np.bool_]) -> tuple[float, list[dict[str, float]]]:
    """The threshold of the best F1, and the curve; ``KEEP_ALL`` if nothing is new."""
    order = np.argsort(doubts, kind="stable")
    doubts, hits = doubts[order], new[order]
    cuts = np.unique(np.append(doubts[np.isfinite(doubts)], KEEP_ALL))
    below = np.searchsorted(doubts, cuts, side="right")
    missed = np.concatenate([[0], np.cumsum(hits)])[below]
    right = hits.sum() - missed
    predicted = len(doubts) - below
    precision, recall = right / np.maximum(predicted, 1), right / max(1, int(hits.sum()))
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
    # The highest of equally good thresholds drops the fewest edges.
    winner = len(f1) - 1 - int(np.argmax(f1[::-1]))
    points = np.unique(np.linspace(0, len(cuts) - 1, min(_POINTS, len(cuts))).round().astype(int))
    names = ("threshold", "precision", "recall", "f1")
    rows = zip(*(each[points].tolist() for each in (cuts, precision, recall, f1)), strict=True)
    return float(cuts[winner]), [dict(zip(names, row, strict=True)) for row in rows]
