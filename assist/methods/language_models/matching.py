"""From what a model wrote to tokens: labels of words in order, and quotations found in a text.

A model may split words differently, omit some, repeat some, or quote with other quotation marks. Everything here
takes time and memory that is bounded by the lengths given, whatever they contain.
"""

import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assist.methods.base import Range

T = TypeVar("T")

CELLS = 4_000_000
"""The largest table that is filled to align two sequences; larger ones aren't aligned."""
ERRORS = 0.2
"""The share of a quotation's characters that may be wrong, omitted or added for it to be found."""
_ALIKE = str.maketrans("’‘ʼ`´“”„«»‐‑‒–—−\u00a0\u202f\u2009", "'''''\"\"\"\"\"------   ")


def normalised(text: str) -> str:
    """Text for comparison, of the same length: without differences of case, quotation marks, dashes and spaces."""
    return "".join(
        low if len(low := character.casefold()) == 1 else character for character in text.translate(_ALIKE)
    ).replace("\n", " ")


def longest_common_subsequence(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """A longest common subsequence, as pairs of positions, ascending in both. Empty if the table would be too large."""
    n, m = len(one), len(other)
    if not n or not m or (n + 1) * (m + 1) > CELLS:
        return []
    codes = {item: code for code, item in enumerate(dict.fromkeys([*one, *other]))}
    right = np.array([codes[item] for item in other])
    table = np.zeros((n + 1, m + 1), dtype=np.int32)
    for row, item in enumerate(one, 1):
        table[row, 1:] = np.maximum(table[row - 1, 1:], table[row - 1, :-1] + (right == codes[item]))
        np.maximum.accumulate(table[row], out=table[row])
    pairs: list[tuple[int, int]] = []
    i, j = n, m
    while i and j:
        if table[i, j] == table[i - 1, j]:
            i -= 1
        elif table[i, j] == table[i, j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


def labels_of(words: Sequence[str], answered: Sequence[tuple[str | None, T]]) -> list[T | None]:
    """The label of each word, from (word as the model wrote it, label) in order; None where there is none.

    Without the words, labels are taken in order, as far as they go. With them, equal words are aligned first, then the
    characters of what lies between: a word takes the label of the entry with which it shares most characters.
    """
    written = [normalised(word) if word is not None else None for word, _ in answered]
    names = [normalised(word) for word in words]
    labels: list[T | None] = [None] * len(words)
    if all(word is None for word in written) or written == names:
        for index, (_, label) in enumerate(answered[: len(words)]):
            labels[index] = label
        return labels
    entries = [word or "" for word in written]
    anchors = [(-1, -1), *longest_common_subsequence(names, entries), (len(names), len(entries))]
    for i, j in anchors[1:-1]:
        labels[i] = answered[j][1]
    for (i, j), (k, m) in pairwise(anchors):
        for index, entry in _by_characters(names[i + 1 : k], entries[j + 1 : m]).items():
            labels[i + 1 + index] = answered[j + 1 + entry][1]
    return labels


def _by_characters(words: Sequence[str], entries: Sequence[str]) -> dict[int, int]:
    """For each word, the entry that shares most of its characters in order (the first of several)."""
    ours = [(index, character) for index, word in enumerate(words) for character in word]
    theirs = [(index, character) for index, word in enumerate(entries) for character in word if character != " "]
    shared: dict[tuple[int, int], int] = {}
    for i, j in longest_common_subsequence(
        [character for _, character in ours], [character for _, character in theirs]
    ):
        key = ours[i][0], theirs[j][0]
        shared[key] = shared.get(key, 0) + 1
    best: dict[int, int] = {}
    for (word, entry), count in shared.items():
        if 2 * count >= len(words[word]) and count > shared.get((word, best.get(word, -1)), 0):
            best[word] = entry
    return best


def locate(text: str, quotation: str, after: int = 0) -> tuple[Range, bool] | None:
    """Where a quotation is in a text, and whether it is there letter by letter; None if it isn't there.

    The first occurrence from ``after`` on, otherwise the first of all. If it is there only with other quotation marks,
    case or spaces, or with few errors (`ERRORS`), the best such occurrence.
    """
    quotation = quotation.strip()
    if not quotation or not text:
        return None
    start = text.find(quotation, after)
    start = text.find(quotation) if start < 0 else start
    if start >= 0:
        return (start, start + len(quotation)), True
    like, like_quotation = normalised(text), normalised(unicodedata.normalize("NFC", quotation))
    start = like.find(like_quotation, after)
    start = like.find(like_quotation) if start < 0 else start
    if start >= 0:
        return (start, start + len(like_quotation)), False
    nearest = _nearest(like, like_quotation)
    return (nearest, False) if nearest is not None else None


def _nearest(text: str, quotation: str) -> Range | None:
    """The part of the text with the fewest edits to what is wanted, if these are few enough."""
    n, m = len(quotation), len(text)
    if n < 4 or n > 2 * m or n * m > CELLS:
        return None
    ends = _edits(text, quotation)
    end = int(np.argmin(ends))
    if ends[end] > ERRORS * n or not end:
        return None
    # The same backwards, from where it ends, gives where it begins.
    starts = _edits(text[:end][::-1], quotation[::-1])
    return end - int(np.argmin(starts)), end


def _edits(text: str, quotation: str) -> NDArray[np.int64]:
    """By position in the text, the fewest edits between what is wanted and any part of the text that ends there.

    Sellers' algorithm (1980): the edit distance whose first row costs nothing.
    """
    letters = np.array([ord(character) for character in text], dtype=np.int64)
    steps = np.arange(len(text) + 1, dtype=np.int64)
    row = np.zeros(len(text) + 1, dtype=np.int64)
    for count, character in enumerate(quotation, 1):
        new = row + 1
        new[1:] = np.minimum(new[1:], row[:-1] + (letters != ord(character)))
        new[0] = count
        # An insertion costs one for each character: the least of what is left of it, plus the distance.
        row = np.minimum.accumulate(new - steps) + steps
    return row
