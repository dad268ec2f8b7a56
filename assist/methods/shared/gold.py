"""What people said about pairs, as arrays."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assist.methods.base import PairInput, held_out

Floats = NDArray[np.float64]


def gold_values(pair: PairInput) -> Floats:
    """The gold values of A's and then B's tokens; NaN where unknown."""
    parts = [
        np.full(len(side.tokens), np.nan) if gold is None else np.asarray(gold, dtype=float)
        for side, gold in ((pair.a, pair.gold_a), (pair.b, pair.gold_b))
    ]
    return np.concatenate(parts)


def has_gold(pair: PairInput) -> bool:
    """Whether a pair has a known gold value."""
    return bool(np.any(~np.isnan(gold_values(pair))))


def is_labelled(pair: PairInput) -> bool:
    """Whether something may be learned from a pair: it has a known gold value, and is not of the split 'test'."""
    return not held_out(pair) and has_gold(pair)


def gold_varies(pairs: Sequence[PairInput]) -> bool:
    """Whether the gold values of pairs differ at all."""
    gold = np.concatenate([np.zeros(0), *map(gold_values, pairs)])
    return len(np.unique(gold[~np.isnan(gold)])) > 1


def new_threshold(pairs: Sequence[PairInput]) -> float:
    """The gold value above which a token counts as 'new': 0, or 1/2 if only one side is ever marked.

    There 'inferable' is half new, and does not count.
    """
    return 0.5 if all(pair.gold_a is None or pair.gold_b is None for pair in pairs) else 0.0
