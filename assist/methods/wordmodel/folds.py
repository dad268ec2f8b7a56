"""Folds that keep related pairs together: those that share a text or most of one, in any language."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from annotation.text.related_texts import link_pairs, text_digest
from assist.methods.base import PairInput


def assign(
    pairs: Sequence[PairInput], counts: Sequence[bool], folds: int, *, by_sentence: bool = False
) -> NDArray[np.int64]:
    """The fold of each pair, from 0; folds have similar numbers of pairs that count.

    Pairs share a fold if they share a text, or if half of the shorter of two texts (four fifths of a short one), in
    runs of three words, is in the other; `by_sentence`, also if they share a sentence.

    The fold depends only on the texts, not on the order or the ids of the pairs.
    """
    groups = link_pairs([(pair.a, pair.b) for pair in pairs], by_sentence=by_sentence)
    sizes = [0] * folds
    fold: dict[int, int] = {}
    weight = Counter(group for group, count in zip(groups, counts, strict=True) if count)
    names: dict[int, str] = {}
    for group, pair in zip(groups, pairs, strict=True):
        names[group] = min(digest(pair), names.get(group, "~"))
    for group in sorted(names, key=names.__getitem__):
        fold[group] = min(range(folds), key=lambda number: (sizes[number], number))
        sizes[fold[group]] += weight[group]
    return np.array([fold[group] for group in groups], dtype=np.int64)


def digest(pair: PairInput) -> str:
    """Identifies a pair by its texts, whichever side they are on."""
    return "".join(sorted(text_digest(side) for side in (pair.a, pair.b)))


def fold_by_text(pairs: Sequence[PairInput], chosen: Sequence[PairInput], fold: Sequence[int]) -> dict[str, int]:
    """The fold of each text, by digest, of a pair among those ``chosen``, or of one that shares a text or a sentence
    with it. ``fold`` is that of each chosen pair.
    """
    groups = link_pairs([(pair.a, pair.b) for pair in pairs], by_sentence=True)
    number = dict(zip(map(id, chosen), fold, strict=True))
    of_group = {group: number[id(pair)] for group, pair in zip(groups, pairs, strict=True) if id(pair) in number}
    return {
        text_digest(side): of_group[group]
        for group, pair in zip(groups, pairs, strict=True)
        if group in of_group
        for side in (pair.a, pair.b)
        if side.text.strip()
    }


def own_fold(fold_of: Mapping[str, int], pair: PairInput) -> int | None:
    """The fold that knows neither of a pair's texts; None if none does."""
    folds = [fold_of[text] for text in map(text_digest, (pair.a, pair.b)) if text in fold_of]
    return folds[0] if folds else None
