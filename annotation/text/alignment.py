"""Aligns the paragraphs of two texts: a monotone alignment into beads of one or more paragraphs per side.

Dynamic programming over lengths, after Gale and Church (1993, 'A program for aligning sentences in bilingual corpora',
section 3), helped by the strings that survive translation (numbers, names, cognates), after Simard, Foster and Isabelle
(1992). Every paragraph of both texts is in exactly one bead, in order.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from anyascii import anyascii

from annotation.text.tokens import Range

Bead = tuple[list[int], list[int]]
Number = TypeVar("Number", int, float)

# The cost of a bead of (paragraphs of A, paragraphs of B), regardless of its texts: the rarer, the higher.
_SHAPES: dict[tuple[int, int], float] = {
    (1, 1): 0.0,
    (1, 0): 2.0,
    (0, 1): 2.0,
    (2, 1): 2.5,
    (1, 2): 2.5,
    (3, 1): 4.0,
    (1, 3): 4.0,
    (2, 2): 4.5,
}
_SPREAD = 6.8  # variance of a translation's length per character (Gale and Church)
_MAX_LENGTH_COST = 5.0
_EVIDENCE = 30.0  # evidence for a bead if the cosine of strings is 1
_MAX_EVIDENCE = 5.0
_WORD = re.compile(r"\d+|[a-z]{4,}")
_GRAM = 4


def align_paragraphs(a: str, a_paragraphs: Sequence[Range], b: str, b_paragraphs: Sequence[Range]) -> list[Bead]:
    """The beads of two texts: lists of paragraph indices of A and of B, both ascending, one of them possibly empty."""
    left = [a[start:end] for start, end in a_paragraphs]
    right = [b[start:end] for start, end in b_paragraphs]
    if not left or not right:
        return [([i], []) for i in range(len(left))] + [([], [j]) for j in range(len(right))]
    n, m = len(left), len(right)
    # In such texts nothing aligns far from the diagonal; the band keeps long documents linear.
    band = abs(n - m) + 16
    costs = _Costs(left, right, band)
    best = [[math.inf] * (m + 1) for _ in range(n + 1)]
    step: list[list[tuple[int, int]]] = [[(0, 0)] * (m + 1) for _ in range(n + 1)]
    best[0][0] = 0.0
    for i in range(n + 1):
        centre = round(i * m / n)
        for j in range(max(0, centre - band), min(m, centre + band) + 1):
            for (di, dj), prior in _SHAPES.items():
                if di > i or dj > j or best[i - di][j - dj] == math.inf:
                    continue
                cost = best[i - di][j - dj] + prior + costs.of(i - di, i, j - dj, j)
                if cost < best[i][j]:
                    best[i][j], step[i][j] = cost, (di, dj)
    return _walk(step, n, m)


class _Costs:
    """The cost of aligning paragraphs i0 to i1 of A with j0 to j1 of B (half-open), for beads that end in the band."""

    def __init__(self, left: list[str], right: list[str], band: int) -> None:
        lengths_a, lengths_b = [_length(text) for text in left], [_length(text) for text in right]
        self.a, self.b = _sums(lengths_a), _sums(lengths_b)
        # If one text has much that the other lacks, the sums are a poor estimate of a translation's length.
        self.ratio = min(max(sum(lengths_b) / max(sum(lengths_a), 1), 0.75), 1.35)
        grams_a, grams_b = [_strings(text) for text in left], [_strings(text) for text in right]
        spread = Counter(gram for grams in (*grams_a, *grams_b) for gram in grams)
        total = len(left) + len(right)
        weight = {gram: math.log(1 + total / n) ** 2 for gram, n in spread.items()}
        self.norm_a = _sums([sum(weight[gram] for gram in grams) for grams in grams_a])
        self.norm_b = _sums([sum(weight[gram] for gram in grams) for grams in grams_b])
        where: dict[str, list[int]] = {}
        for j, grams in enumerate(grams_b):
            for gram in grams:
                where.setdefault(gram, []).append(j)
        self.common: list[dict[int, float]] = []
        slope = len(right) / len(left)
        for i, grams in enumerate(grams_a):
            # A bead with this paragraph ends at most three further, and begins at most three before the band.
            low, high = round((i + 1) * slope) - band - 4, round((i + 3) * slope) + band + 1
            row: dict[int, float] = {}
            for gram in grams:
                indices = where.get(gram, [])
                for j in indices[bisect_left(indices, low) : bisect_left(indices, high)]:
                    row[j] = row.get(j, 0.0) + weight[gram]
            self.common.append(row)

    def of(self, i0: int, i1: int, j0: int, j1: int) -> float:
        """The cost by length, less the evidence from common strings; 0 if one side is empty."""
        if i0 == i1 or j0 == j1:
            return 0.0
        a, b = self.a[i1 - i0][i0], self.b[j1 - j0][j0]
        mean = max((a + b / self.ratio) / 2, 1.0)
        delta = (b - a * self.ratio) / math.sqrt(mean * _SPREAD)
        by_length = min(delta * delta / 4, _MAX_LENGTH_COST)
        common = 0.0
        for i in range(i0, i1):
            row = self.common[i]
            for j in range(j0, j1):
                common += row.get(j, 0.0)
        if not common:
            return by_length
        cosine = common / math.sqrt(self.norm_a[i1 - i0][i0] * self.norm_b[j1 - j0][j0])
        return by_length - min(_EVIDENCE * cosine, _MAX_EVIDENCE)


def _sums(values: list[Number]) -> list[list[Number]]:
    """For each number of neighbours that a bead may have, the sums of that many values from each index on."""
    most = max(max(shape) for shape in _SHAPES)
    return [[sum(values[index : index + count]) for index in range(len(values))] for count in range(most + 1)]


def _length(text: str) -> int:
    """Characters; wide ones (Chinese, Japanese, Korean) count as three letters each."""
    return sum(3 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _strings(text: str) -> frozenset[str]:
    """The strings of a text that may occur in its translation: numbers, and four letters in Latin script."""
    strings: set[str] = set()
    for match in _WORD.finditer(anyascii(text).lower()):
        word = match.group()
        if word.isdigit():
            strings.add(word)
        else:
            strings.update(word[index : index + _GRAM] for index in range(len(word) - _GRAM + 1))
    return frozenset(strings)


def _walk(step: list[list[tuple[int, int]]], n: int, m: int) -> list[Bead]:
    beads: list[Bead] = []
    i, j = n, m
    while i or j:
        di, dj = step[i][j]
        beads.append((list(range(i - di, i)), list(range(j - dj, j))))
        i, j = i - di, j - dj
    return beads[::-1]
