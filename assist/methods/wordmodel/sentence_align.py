"""Monotone alignment of the sentences of two texts: beads of up to three to one, and sentences left alone.

Dynamic programming after Gale and Church (1993, 'A program for aligning sentences in bilingual corpora'), with the
number of words that find a counterpart, rather than lengths, as the gain of a bead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assist.methods.shared.ranges import members

if TYPE_CHECKING:
    from scipy import sparse

Floats = NDArray[np.float64]

Bead = tuple[int, int, int, int]
"""Sentences [0] to [1] of A correspond to sentences [2] to [3] of B (half-open); one of the two may be empty."""

_SPREAD = 0.3
CELLS = 1 << 22
"""Cells of types by sentences that are in memory at once."""
SHAPES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2))


@dataclass(frozen=True)
class SentenceCoverage:
    """``a[q - 1][i, j]``: weight of sentence i of A found in sentences j to j + q of B; ``b[p - 1][j, i]`` likewise.

    ``mass_a`` and ``mass_b`` are the sentences' whole weights.
    """

    a: list[Floats]
    b: list[Floats]
    mass_a: Floats
    mass_b: Floats


def coverage(
    similar: sparse.csr_matrix, sentences_a: sparse.csr_matrix, sentences_b: sparse.csr_matrix
) -> SentenceCoverage:
    """How much of each sentence is found where.

    ``similar`` holds the similarity in [0, 1] of word types (A, B); ``sentences_a`` and ``sentences_b`` the weight of
    each word type in each sentence (sentences, types).
    """
    return SentenceCoverage(
        _covered(similar, sentences_a, sentences_b),
        _covered(similar.T.tocsr(), sentences_b, sentences_a),
        np.asarray(sentences_a.sum(axis=1), dtype=float).ravel(),
        np.asarray(sentences_b.sum(axis=1), dtype=float).ravel(),
    )


def _covered(similar: sparse.csr_matrix, here: sparse.csr_matrix, there: sparse.csr_matrix) -> list[Floats]:
    """For q in 1..3: (sentences here, sentences there) of the weight here found in q successive sentences there.

    Dense, a block of types at a time: on matrices as small as those of a paragraph, scipy's sparse operations spend
    their time on checks.
    """
    types, sentences = similar.shape[0], there.shape[0]
    result = [np.zeros((here.shape[0], sentences)) for _ in range(3)]
    if not here.shape[0] or not sentences:
        return result
    where = (there > 0).T.tocsr()
    step = max(1, CELLS // sentences)
    for start in range(0, types, step):
        block = slice(start, start + step)
        part, weights = (similar, here) if types <= step else (similar[block], here[:, block])
        best = _best(part, where)
        wide = best.copy()
        for more, table in enumerate(result):
            if more:
                np.maximum(wide[:, :-more], best[:, more:], out=wide[:, :-more])
            table += weights @ wide
    return result


def _best(similar: sparse.csr_matrix, where: sparse.csr_matrix) -> NDArray[Any]:
    """(types here, sentences there): the largest similarity of a type to any type of the sentence.

    ``where`` says which types there (rows) are in which sentences (columns).
    """
    entry = similar.tocoo()
    number, member = members(where.indptr[entry.col], where.indptr[entry.col + 1])
    best = np.zeros(similar.shape[0] * where.shape[1], dtype=similar.dtype)
    cells = entry.row.astype(np.int64)[number] * where.shape[1] + where.indices[member]
    np.maximum.at(best, cells, entry.data[number])
    return best.reshape(similar.shape[0], where.shape[1])


def align(
    cover: SentenceCoverage, *, bar: float = 0.25, uneven: float = 0.1, length: float = 0.0, spread: float = 0.3
) -> list[Bead]:
    """The beads, in order, that cover the most: every sentence of both sides is in exactly one.

    A bead gains its covered weight, less ``bar`` of its whole weight (up to ``length`` less if its two sides have
    similar weights), and less ``uneven`` of it for every sentence beyond one to one. A sentence left alone gains
    nothing.
    """
    n, m = len(cover.mass_a), len(cover.mass_b)
    sum_a = np.concatenate([[0.0], np.cumsum(cover.mass_a)])
    sum_b = np.concatenate([[0.0], np.cumsum(cover.mass_b)])
    total = np.full((n + 1, m + 1), -np.inf)
    choice = np.zeros((n + 1, m + 1), dtype=np.int8)
    total[0] = 0.0
    choice[0] = -2
    for i in range(1, n + 1):
        best = total[i - 1].copy()
        pick = np.full(m + 1, -1, dtype=np.int8)
        for number, (p, q) in enumerate(SHAPES):
            if p > i or q > m:
                continue
            gain = cover.a[q - 1][i - p : i, : m - q + 1].sum(axis=0)
            for r in range(q):
                gain = gain + cover.b[p - 1][r : m - q + 1 + r, i - p]
            mass = sum_a[i] - sum_a[i - p] + sum_b[q:] - sum_b[: m - q + 1]
            left = sum_a[i] - sum_a[i - p]
            right = sum_b[q:] - sum_b[: m - q + 1]
            like = np.exp(-((np.log((left + 0.1) / (right + 0.1)) / _SPREAD) ** 2))
            reached = total[i - p, : m - q + 1] + gain - (bar - length * like + uneven * (p + q - 2)) * mass
            better = reached > best[q:]
            best[q:][better] = reached[better]
            pick[q:][better] = number
        running = np.maximum.accumulate(best)
        pick[running > best] = -2
        total[i], choice[i] = running, pick
    return _walk(choice, n, m)


def _walk(choice: NDArray[np.int8], n: int, m: int) -> list[Bead]:
    beads: list[Bead] = []
    i, j = n, m
    while i or j:
        picked = choice[i, j] if i else -2
        if picked == -2:
            beads.append((i, i, j - 1, j))
            j -= 1
        elif picked == -1:
            beads.append((i - 1, i, j, j))
            i -= 1
        else:
            p, q = SHAPES[picked]
            beads.append((i - p, i, j - q, j))
            i, j = i - p, j - q
    return beads[::-1]
