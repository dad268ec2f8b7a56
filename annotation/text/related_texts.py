"""Which pairs belong together: those that share a text or most of one, in any language.

A page and its later version are two texts but nearly one: a model trained on one has seen the other.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from annotation.text.tokens import Range

_LONG = 50
_SHARED = 0.5
_SHARED_SHORT = 0.8
"""The share of the shorter text's runs of three words that makes two texts versions of one, from `_LONG` runs on."""

_COMMON = 20
"""Texts that a run of words may be found in before it counts as boilerplate."""


class Tokenized(Protocol):
    """A text with the ranges of its tokens."""

    @property
    def text(self) -> str: ...

    @property
    def tokens(self) -> Sequence[Range] | None: ...


def text_digest(side: Tokenized) -> str:
    """Identifies a text."""
    return hashlib.sha256(side.text.strip().encode()).hexdigest()


def linked(pairs: Sequence[tuple[Tokenized, Tokenized]]) -> list[int]:
    """The number of the first pair that each is linked to by shared or similar texts, through others or not."""
    leader = list(range(len(pairs)))

    def find(at: int) -> int:
        while leader[at] != at:
            leader[at] = leader[leader[at]]
            at = leader[at]
        return at

    def join(at: int, to: int) -> None:
        one, other = find(at), find(to)
        leader[max(one, other)] = min(one, other)

    first: dict[str, int] = {}
    sides: list[Tokenized] = []
    of_pair: list[int] = []
    for number, pair in enumerate(pairs):
        for side in pair:
            text = side.text.strip()
            if text and text not in first:
                sides.append(side)
                of_pair.append(number)
            if text:
                join(first.setdefault(text, number), number)
    for at, to in similar_texts(sides):
        join(of_pair[at], of_pair[to])
    return [find(at) for at in range(len(pairs))]


def similar_texts(sides: Sequence[Tokenized]) -> list[tuple[int, int]]:
    """The indices of texts of which one has most of the other's runs of three words.

    Runs that more than `_COMMON` texts have (navigation, boilerplate) do not count.
    """
    parts = [_runs(side) for side in sides]
    runs = np.concatenate([np.zeros(0, np.uint64), *parts])
    texts = np.repeat(np.arange(len(sides)), [len(part) for part in parts])
    order = np.lexsort((texts, runs))
    runs, texts = runs[order], texts[order]
    starts = np.flatnonzero(np.append(True, runs[1:] != runs[:-1])) if len(runs) else np.zeros(0, np.int64)
    shared: Counter[tuple[int, int]] = Counter()
    sizes = np.zeros(len(sides), np.int64)
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(runs)], strict=True):
        if end - start <= _COMMON:
            held = texts[start:end].tolist()
            sizes[held] += 1
            shared.update(combinations(held, 2))
    return [both for both, count in sorted(shared.items()) if _most(count, min(sizes[both[0]], sizes[both[1]]))]


def _most(shared: int, size: int) -> bool:
    """Whether a number of a text's runs makes it a version of the other; short texts are easily half the same."""
    return shared >= (_SHARED if size >= _LONG else _SHARED_SHORT) * size


def _runs(side: Tokenized) -> NDArray[np.uint64]:
    """A number for each different run of three words of a text."""
    words = [side.text[start:end].casefold() for start, end in side.tokens or ()]
    runs = {" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2))}
    digests = (hashlib.blake2b(run.encode(errors="surrogatepass"), digest_size=8).digest() for run in runs)
    return np.array([int.from_bytes(each, "big") for each in digests], dtype=np.uint64)
