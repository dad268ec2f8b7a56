"""IBM model 1 with a diagonal prior, in both directions at once, from aligned passages of text.

Model 1 is that of Brown et al. (1993, 'The mathematics of statistical machine translation'), the prior over
positions that of Dyer, Chahuneau and Smith (2013, 'A simple, fast, and effective reparameterization of IBM model 2'):
a word's counterpart is more likely at the same relative position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assist.methods.shared import strings

if TYPE_CHECKING:
    from scipy import sparse

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]

_SQUARE = 6_400
_KEEP = 1e-3


@dataclass(frozen=True)
class WordModel:
    """``forward[e, f]`` is t(f | e) and ``backward[e, f]`` is t(e | f), for words e of A and f of B."""

    forward: sparse.csr_matrix
    backward: sparse.csr_matrix

    @cached_property
    def either(self) -> sparse.csr_matrix:
        """The larger of the two directions."""
        return self.forward.maximum(self.backward).tocsr()

    def __getstate__(self) -> dict[str, Any]:
        """Stored without ``either``, which is made from the two."""
        return {"forward": self.forward, "backward": self.backward}


@dataclass(frozen=True)
class _Entries:
    """Every (word of A, word of B) that occur in the same passage: word ids, the tokens' numbers, log prior weights."""

    key: Ids
    pair_a: Ids
    pair_b: Ids
    token_a: Ids
    token_b: Ids
    prior: Floats


def train(
    beads: Sequence[tuple[Ids, Ids]], words_a: int, words_b: int, *, diagonal: float, null: float,
    rounds: int = 8,
) -> WordModel:  # fmt: skip
    """Word translation probabilities from corresponding passages, each a pair of arrays of word ids.

    ``diagonal`` is λ of the prior exp(-λ |i/m - j/n|); ``null`` the prior of a word without a counterpart.
    """
    entries = _entries(beads, words_b, diagonal)
    if entries is None:
        nothing = strings.table([], [], [], (words_a, words_b))
        return WordModel(nothing, nothing)
    forward = _em(entries.key, entries.pair_a, entries.pair_b, entries.token_b, entries.prior, rounds, null)
    backward = _em(entries.key, entries.pair_b, entries.pair_a, entries.token_a, entries.prior, rounds, null)

    def matrix(values: Floats) -> sparse.csr_matrix:
        probable = values >= _KEEP
        return strings.table(values[probable], entries.pair_a[probable], entries.pair_b[probable], (words_a, words_b))

    return WordModel(matrix(forward), matrix(backward))


def _em(key: Ids, sources: Ids, produced: Ids, token: Ids, prior: Floats, rounds: int, null: float) -> Floats:
    """t(produced | given) for each word pair. ``token`` is the number of the token that each entry explains."""
    givens = int(sources.max()) + 1
    kinds = int(produced.max()) + 1
    tokens = int(token.max()) + 1
    weight = prior * (1 - null) / np.bincount(token, prior, minlength=tokens)[token]
    produced_by_token = np.zeros(tokens, dtype=np.int64)
    produced_by_token[token] = produced[key]
    values = np.ones(len(sources))
    frequency = np.bincount(produced_by_token, minlength=kinds).astype(float)
    from_null = frequency / frequency.sum()
    values /= np.bincount(sources, minlength=givens)[sources]
    for _ in range(rounds):
        share = values[key] * weight
        spare = null * from_null[produced_by_token]
        total = np.bincount(token, share, minlength=tokens) + spare
        share /= total[token]
        counts = np.bincount(key, share, minlength=len(sources))
        sums = np.bincount(sources, counts, minlength=givens)
        values = counts / sums[sources]
        left = np.bincount(produced_by_token, spare / total, minlength=kinds)
        from_null = left / max(left.sum(), 1e-300)
    return values


def _entries(beads: Sequence[tuple[Ids, Ids]], words_b: int, diagonal: float) -> _Entries | None:
    chunks = [chunk for a, b in beads for chunk in _chunks(a, b)]
    if not chunks:
        return None
    sizes_a = np.array([len(a) for a, _ in chunks])
    sizes_b = np.array([len(b) for _, b in chunks])
    counts = sizes_a * sizes_b
    bead = np.repeat(np.arange(len(chunks)), counts)
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    at_a, at_b = within // sizes_b[bead], within % sizes_b[bead]
    token_a = at_a + (np.cumsum(sizes_a) - sizes_a)[bead]
    token_b = at_b + (np.cumsum(sizes_b) - sizes_b)[bead]
    distance = np.abs((at_a + 0.5) / sizes_a[bead] - (at_b + 0.5) / sizes_b[bead])
    words = np.concatenate([a for a, _ in chunks])[token_a] * words_b + np.concatenate([b for _, b in chunks])[token_b]
    unique, key = np.unique(words, return_inverse=True)
    return _Entries(key, unique // words_b, unique % words_b, token_a, token_b, np.exp(-diagonal * distance))


def _chunks(a: Ids, b: Ids) -> list[tuple[Ids, Ids]]:
    """The passage, cut along its diagonal if it is so long that comparing all words would cost too much."""
    if not len(a) or not len(b):
        return []
    pieces = int(np.ceil(np.sqrt(len(a) * len(b) / _SQUARE)))
    if pieces <= 1:
        return [(a, b)]
    cuts_a = np.linspace(0, len(a), pieces + 1).astype(int)
    cuts_b = np.linspace(0, len(b), pieces + 1).astype(int)
    return [
        (a[cuts_a[index] : cuts_a[index + 1]], b[cuts_b[index] : cuts_b[index + 1]])
        for index in range(pieces)
        if cuts_a[index] < cuts_a[index + 1] and cuts_b[index] < cuts_b[index + 1]
    ]
