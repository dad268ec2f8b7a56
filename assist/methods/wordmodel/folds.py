"""Folds that keep together what belongs together: pairs that share a text, be it a mirror or another language."""

import hashlib
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assist.methods.base import PairInput, Side


def assign(pairs: Sequence[PairInput], counts: Sequence[bool], folds: int) -> NDArray[np.int64]:
    """The fold of each pair, from 0; pairs that share a text share a fold, and folds are alike in pairs that count.

    Which fold depends on the texts alone, not on the order or the ids of the pairs.
    """
    groups = _groups(pairs)
    sizes = [0] * folds
    fold: dict[int, int] = {}
    weight = Counter(group for group, count in zip(groups, counts, strict=True) if count)
    for group in sorted(set(groups), key=lambda group: digest(pairs[group])):
        fold[group] = min(range(folds), key=lambda number: (sizes[number], number))
        sizes[fold[group]] += weight[group]
    return np.array([fold[group] for group in groups], dtype=np.int64)


def digest(pair: PairInput) -> str:
    """What tells a pair by its texts, whichever way round they are."""
    return "".join(sorted(text_digest(side) for side in (pair.a, pair.b)))


def text_digest(side: Side) -> str:
    """What tells a text."""
    return hashlib.sha256(side.text.strip().encode()).hexdigest()


def _groups(pairs: Sequence[PairInput]) -> list[int]:
    """The number of the first pair that each is linked to by shared texts, through others or not."""
    leader = list(range(len(pairs)))

    def find(at: int) -> int:
        while leader[at] != at:
            leader[at] = leader[leader[at]]
            at = leader[at]
        return at

    first: dict[str, int] = {}
    for number, pair in enumerate(pairs):
        for side in (pair.a, pair.b):
            text = side.text.strip()
            if text:
                one, other = find(first.setdefault(text, number)), find(number)
                leader[max(one, other)] = min(one, other)
    return [find(at) for at in range(len(pairs))]
