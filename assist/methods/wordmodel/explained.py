"""How much of a token the other side explains: shares of the word model, bead by bead, instead of its best match.

A token may have a likely counterpart that other tokens have a better claim to. So all tokens of a bead are shared out:
every token of one side comes from tokens of the other, or from nothing, in the proportions of the word model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assist.methods.wordmodel.corpus import Vocabulary, WordModelText
from assist.methods.wordmodel.document import PairArrays
from assist.methods.wordmodel.training import TrainingConfig

if TYPE_CHECKING:
    from scipy import sparse

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
Columns = dict[str, Floats]


def evidence(
    doc: PairArrays,
    forward: sparse.csr_matrix,
    backward: sparse.csr_matrix,
    vocabularies: tuple[Vocabulary, Vocabulary],
    recipe: TrainingConfig,
) -> tuple[Columns, Columns]:
    """For every token of A, and of B: how much of it the other side leaves unexplained, and how much it explains there.

    ``forward`` and ``backward`` are t(b | a) and t(a | b) over the document's own word types (A, B).
    """
    rare = [_frequency(text, vocabulary) for text, vocabulary in zip((doc.a, doc.b), vocabularies, strict=True)]
    has_stem = [text.stems[text.types] >= 0 if len(text) else np.zeros(0, dtype=bool) for text in (doc.a, doc.b)]
    sides = [_empty_columns(text.words) for text in (doc.a, doc.b)]
    for low_a, high_a, low_b, high_b in doc.beads:
        if low_a == high_a or low_b == high_b:
            continue
        a = _words_in_range(doc.a, low_a, high_a, has_stem[0])
        b = _words_in_range(doc.b, low_b, high_b, has_stem[1])
        if not len(a) or not len(b):
            continue
        types_a, types_b = doc.a.types[a], doc.b.types[b]
        away = np.abs((np.arange(len(a))[:, None] + 0.5) / len(a) - (np.arange(len(b)) + 0.5) / len(b))
        near = np.exp(-recipe.diagonal * away)
        out, spare_b = _shares(forward[types_a][:, types_b].toarray(), near, rare[1][types_b], recipe.null)
        back, spare_a = _shares(backward[types_a][:, types_b].toarray().T, near.T, rare[0][types_a], recipe.null)
        for side, index, spare, share, gives in ((0, a, spare_a, back, out), (1, b, spare_b, out, back)):
            sides[side]["from nothing"][index] = spare
            sides[side]["best share"][index] = share.max(axis=0)
            sides[side]["gives"][index] = np.minimum(gives.sum(axis=1), 2)
            sides[side]["gives too little"][index] = np.maximum(0, 1 - gives.sum(axis=1))
    return sides[0], sides[1]


def _empty_columns(words: NDArray[np.bool_]) -> Columns:
    """The values for tokens outside beads, and for those that are not words."""
    word = words.astype(float)
    return {
        "from nothing": np.where(words, 1.0, 0.5),
        "best share": np.zeros(len(words)),
        "gives": 1 - word,
        "gives too little": word,
    }


def _words_in_range(text: WordModelText, low: int, high: int, has_stem: NDArray[np.bool_]) -> Ids:
    start, end = text.units[low][0], text.units[high - 1][1]
    return start + np.flatnonzero(has_stem[start:end])


def _shares(likely: Floats, near: Floats, rare: Floats, null: float) -> tuple[Floats, Floats]:
    """(givers, made): the share of each made token that comes from each giver; and what comes from nothing."""
    weight = likely * near * (1 - null) / near.sum(axis=0)
    spare = null * rare
    total = weight.sum(axis=0) + spare
    return weight / total, spare / total


def _frequency(text: WordModelText, vocabulary: Vocabulary) -> Floats:
    """The share of each word type's stem among all stems, counted by texts; unknown stems count as in one text."""
    counts = np.array([*vocabulary.texts, 1], dtype=float)
    return np.asarray(counts[text.stems] / max(1.0, counts.sum()))
