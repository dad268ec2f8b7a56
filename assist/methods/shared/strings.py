"""How similar two words look, in any two scripts: stems, numbers, and character n-grams of a transliteration."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
from anyascii import anyascii
from numpy.typing import ArrayLike, NDArray

from annotation.text.stems import stem as stem
from assist.methods.shared.ranges import members

if TYPE_CHECKING:
    from scipy import sparse

_NUMBER = re.compile(r"\d[\d.,'’ ]*")
_CELLS = 250_000
"""Pairs of words that are compared at a time: larger blocks take more memory and are no faster."""


@lru_cache(maxsize=400_000)
def plain(word: str) -> str:
    """A word of any script in lower-case ASCII letters and digits: 'Zürich' -> 'zurich'."""
    return "".join(character for character in anyascii(word).lower() if character.isalnum())


@lru_cache(maxsize=400_000)
def is_word(token: str) -> bool:
    """Whether a token has a letter, a digit or a meaningful symbol, rather than only punctuation."""
    return any(unicodedata.category(character)[0] in "LNMS" for character in token)


def number(word: str) -> str | None:
    """The digits of a number without grouping and leading zeros, None for any other word: "1'000" -> '1000'."""
    if not _NUMBER.fullmatch(word):
        return None
    digits = "".join(str(unicodedata.digit(character, "")) for character in word if character.isdigit())
    return digits.lstrip("0") or "0"


def grams(word: str) -> list[str]:
    """Character bigrams and trigrams of a padded word."""
    padded = f"^{word}$"
    return [padded[index : index + size] for size in (2, 3) for index in range(len(padded) - size + 1)]


def similarities(a: Sequence[str], b: Sequence[str], bar: float) -> sparse.csr_matrix:
    """Similarity in [0, 1] of every word of ``a`` to every word of ``b``, kept if it is at least ``bar``.

    The Dice coefficient of the words' sets of character bigrams and trigrams after transliteration; numbers are
    alike (1) or not (0) as wholes, and so are words of one or two letters.
    """
    if not a or not b:
        return table([], [], [], (len(a), len(b)))
    left, right = [_codes(word) for word in a], [_codes(word) for word in b]
    sizes_a, sizes_b = (np.array([len(each) for each in side], dtype=np.int64) for side in (left, right))
    codes_a, codes_b = np.concatenate(left), np.concatenate(right)
    by_code = np.argsort(codes_b, kind="stable")
    sorted_b, word_b = codes_b[by_code], np.repeat(np.arange(len(b)), sizes_b)[by_code]
    first, last = (np.searchsorted(sorted_b, codes_a, side) for side in ("left", "right"))
    word_a, ends = np.repeat(np.arange(len(a)), sizes_a), np.concatenate([[0], np.cumsum(sizes_a)])
    parts = []
    step = max(1, _CELLS // len(b))
    for start in range(0, len(a), step):
        features = slice(ends[start], ends[min(start + step, len(a))])
        feature, entry = members(first[features], last[features])
        cells = (word_a[features][feature] - start) * len(b) + word_b[entry]
        shared = np.bincount(cells)
        pairs = np.flatnonzero(shared)
        rows, columns = pairs // len(b) + start, pairs % len(b)
        dice = 2 * shared[pairs].astype(np.float32) / (sizes_a[rows] + sizes_b[columns]).astype(np.float32)
        keep = dice >= bar
        parts.append((dice[keep], rows[keep], columns[keep]))
    values, rows, columns = (np.concatenate(each) for each in zip(*parts, strict=True))
    return table(values, rows, columns, (len(a), len(b)))


def table(values: ArrayLike, rows: ArrayLike, columns: ArrayLike, shape: tuple[int, int]) -> sparse.csr_matrix:
    """A sparse matrix from its entries; entries at the same position are added up."""
    from scipy import sparse

    data = np.asarray(values, dtype=np.float32)
    row, column = np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64)
    if (np.diff(row * shape[1] + column) > 0).all():
        # Nothing to sort or to add up, as is usual: half the time.
        return sparse.csr_matrix((data, column, np.searchsorted(row, np.arange(shape[0] + 1))), shape=shape)
    return sparse.csr_matrix((data, (row, column)), shape=shape)


@lru_cache(maxsize=100_000)
def _codes(word: str) -> NDArray[np.int64]:
    """A word's features as numbers that are the same in every process."""
    return np.array([_code(feature) for feature in _features(word)], dtype=np.int64)


def _code(feature: str) -> int:
    return int.from_bytes(blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)


def _features(word: str) -> tuple[str, ...]:
    digits = number(word)
    if digits is not None:
        return (f"#{digits}",)
    letters = plain(word)
    if len(letters) <= 2:
        return (f"={letters or word}",)
    return tuple(dict.fromkeys(grams(letters)))
