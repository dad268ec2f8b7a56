"""Sentence alignment: against every possible alignment of small texts, and cases by hand."""

import numpy as np
import pytest
from scipy import sparse

from assist.methods.wordmodel import sentence_align
from assist.methods.wordmodel.sentence_align import SHAPES, Bead, SentenceCoverage, align, coverage

PLAIN = {"bar": 0.25, "length": 0.0, "uneven": 0.05}


def matrix(rows: list[list[float]]) -> sparse.csr_matrix:
    return sparse.csr_matrix(np.array(rows, dtype=np.float32))


def by_words(a: list[str], b: list[str]) -> SentenceCoverage:
    """Coverage of sentences made of letters, a letter being like itself alone."""
    letters = sorted(set("".join(a + b)))
    one, other = (
        np.array([[float(letter in each) for letter in letters] for each in side]).reshape(len(side), len(letters))
        for side in (a, b)
    )
    return coverage(*(sparse.csr_matrix(each) for each in (np.eye(len(letters)), one, other)))


def test_coverage_by_hand() -> None:
    # Types here: x (weight 2 in sentence 0), y (1 in sentence 1). There: u in sentence 0, v in sentence 1.
    similar = matrix([[0.5, 0.0], [0.25, 1.0]])
    cover = coverage(similar, matrix([[2, 0], [0, 1]]), matrix([[1, 0], [0, 1]]))
    assert cover.a[0] == pytest.approx(np.array([[1.0, 0.0], [0.25, 1.0]]))
    assert cover.a[1] == pytest.approx(np.array([[1.0, 0.0], [1.0, 1.0]]))
    assert cover.b[0] == pytest.approx(np.array([[0.5, 0.25], [0.0, 1.0]]))
    assert (cover.mass_a.tolist(), cover.mass_b.tolist()) == ([2.0, 1.0], [1.0, 1.0])


@pytest.mark.parametrize("cells", [1, 20, 1 << 22])
def test_coverage_is_the_best_match_of_each_type_whatever_is_held_at_once(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentence_align, "CELLS", cells)
    rng = np.random.default_rng(5)
    similar = rng.random((9, 7)) * (rng.random((9, 7)) < 0.5)
    a, b = (rng.random(shape) * (rng.random(shape) < 0.4) for shape in ((4, 9), (5, 7)))
    cover = coverage(*(sparse.csr_matrix(each) for each in (similar, a, b)))
    for found, here, there, alike in ((cover.a, a, b, similar), (cover.b, b, a, similar.T)):
        for more in range(3):
            for i, weights in enumerate(here):
                for j in range(len(there)):
                    seen = (there[j : j + more + 1] > 0).any(axis=0)
                    expected = weights @ (alike * seen).max(axis=1)
                    assert found[more][i, j] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("a", "b", "beads"),
    [
        (["ab", "cd"], ["ab", "cd"], [(0, 1, 0, 1), (1, 2, 1, 2)]),
        (["ab", "xy", "cd"], ["ab", "cd"], [(0, 1, 0, 1), (1, 2, 1, 1), (2, 3, 1, 2)]),
        (["ab", "cd"], ["ab", "xy", "cd"], [(0, 1, 0, 1), (1, 1, 1, 2), (1, 2, 2, 3)]),
        (["abcd", "ef"], ["ab", "cd", "ef"], [(0, 1, 0, 2), (1, 2, 2, 3)]),
        (["ab", "cd", "ef"], ["abcdef"], [(0, 3, 0, 1)]),
        (["ab"], [], [(0, 1, 0, 0)]),
        ([], ["ab", "cd"], [(0, 0, 0, 1), (0, 0, 1, 2)]),
        ([], [], []),
    ],
)
def test_small_texts(a: list[str], b: list[str], beads: list[Bead]) -> None:
    assert align(by_words(a, b), **PLAIN) == beads


def gain(cover: SentenceCoverage, bead: Bead) -> float:
    low_a, high_a, low_b, high_b = bead
    p, q = high_a - low_a, high_b - low_b
    if not p or not q:
        return 0.0
    found = cover.a[q - 1][low_a:high_a, low_b].sum() + cover.b[p - 1][low_b:high_b, low_a].sum()
    mass = cover.mass_a[low_a:high_a].sum() + cover.mass_b[low_b:high_b].sum()
    return float(found - (0.25 + 0.05 * (p + q - 2)) * mass)


def best(cover: SentenceCoverage, i: int, j: int) -> float:
    """The largest total gain of the first i and j sentences, by trying everything."""
    if not i and not j:
        return 0.0
    options = [best(cover, i - 1, j)] if i else []
    options += [best(cover, i, j - 1)] if j else []
    options += [best(cover, i - p, j - q) + gain(cover, (i - p, i, j - q, j)) for p, q in SHAPES if p <= i and q <= j]
    return max(options)


@pytest.mark.parametrize("seed", range(12))
def test_no_other_alignment_covers_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = (rng.random((size, 6)) * (rng.random((size, 6)) < 0.5) for size in rng.integers(1, 5, 2))
    cover = coverage(matrix((rng.random((6, 6)) ** 3).tolist()), matrix(one.tolist()), matrix(other.tolist()))
    beads = align(cover, **PLAIN)
    assert sum(gain(cover, bead) for bead in beads) == pytest.approx(best(cover, *map(len, (one, other))), abs=1e-5)
    assert [row for bead in beads for row in range(bead[0], bead[1])] == list(range(len(one)))
    assert [row for bead in beads for row in range(bead[2], bead[3])] == list(range(len(other)))


def test_sentences_of_like_weight_are_taken_for_each_other_sooner() -> None:
    cover = by_words(["abcd"], ["axyz"])
    assert (0, 1, 0, 1) not in align(cover, bar=0.3, length=0.0, uneven=0.05)
    assert align(cover, bar=0.3, length=0.3, uneven=0.05) == [(0, 1, 0, 1)]
