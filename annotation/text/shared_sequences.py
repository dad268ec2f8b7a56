"""The sequences of three words that texts share, and which texts are related because they share enough of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from annotation.text.tokens import Range

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
"""Odd multipliers that combine the hashes of three words, in order, into that of their sequence."""


class Tokenized(Protocol):
    """A text with the ranges of its tokens."""

    @property
    def text(self) -> str: ...

    @property
    def tokens(self) -> Sequence[Range] | None: ...


@dataclass(frozen=True, slots=True)
class Sequences:
    """The sequences that several texts have, as numbers from 0, rarest first.

    `ids` and `texts` are parallel, ordered by text and then by number; those of a text begin at `starts` (texts + 1,).
    `sizes` is how many different sequences each text has in all, `number` how many there are in `ids`.
    """

    ids: Ints
    texts: Ints
    starts: Ints
    sizes: Ints
    number: int

    @classmethod
    def of(cls, sides: Sequence[Tokenized]) -> Sequences:
        """A shorter text is one sequence, one without words none. Sequences are told apart by a hash of 64 bits."""
        hashes: dict[str, int] = {}
        parts = [_hashed(side, hashes) for side in sides]
        sizes = np.array([len(part) for part in parts], np.int64)
        hashed = np.concatenate([np.zeros(0, np.uint64), *parts])
        del parts
        order = np.argsort(hashed)
        hashed = hashed[order]
        begins = np.append(True, hashed[1:] != hashed[:-1])[: len(hashed)]
        counts = np.diff(np.append(np.flatnonzero(begins), len(hashed)))
        several = np.repeat(counts > 1, counts)
        order, numbers, counts = order[several], np.cumsum(begins[several]) - 1, counts[counts > 1]
        texts = np.repeat(np.arange(len(sides)), sizes)[order]
        ids = np.argsort(np.argsort(counts, kind="stable"), kind="stable")[numbers]
        order = np.lexsort((ids, texts))
        return cls(ids[order], texts[order], _starts(texts[order], len(sides)), sizes, len(counts))

    def only(self, chosen: Bools) -> Sequences:
        """Some of what is in `ids`."""
        texts = self.texts[chosen]
        return Sequences(self.ids[chosen], texts, _starts(texts, len(self.sizes)), self.sizes, self.number)

    def rarest(self, least: Ints) -> Sequences:
        """The rarest sequences of each text: two texts that share at least the `least` of either share one of these.

        If two sets have that many members in common, so do they without the last `least - 1` in any order (prefix
        filtering: Chaudhuri, Ganti, Kaushik 2006, "A primitive operator for similarity joins in data cleaning").
        """
        alone = self.sizes - np.diff(self.starts)
        rank = np.arange(len(self.ids)) - self.starts[self.texts] + alone[self.texts]
        return self.only(rank <= (self.sizes - least)[self.texts])


def components(sequences: Sequences, looked_for: Sequences, needed: Callable[[int, Ints], Ints]) -> Ints:
    """The number of the first text that each hangs together with, (texts,): its own if with none before it.

    `needed` says how many sequences a text and each of others must share. Texts that share none of `looked_for` are not
    compared. Each text is compared with those that no text was found for yet, so many versions of one cost little.
    """
    result = np.full(len(sequences.sizes), -1)
    waiting = _Waiting(looked_for)
    is_own = np.zeros(sequences.number, bool)
    for first in range(len(sequences.sizes)):
        if result[first] >= 0:
            continue
        result[first] = first
        waiting.gone[first] = True
        queue = [first]
        while queue:
            text = queue.pop()
            others = waiting.having(looked_for.ids[looked_for.starts[text] : looked_for.starts[text + 1]])
            if not len(others):
                continue
            least = needed(text, others)
            able = least <= np.minimum(sequences.sizes[text], sequences.sizes[others])
            others, least = others[able], least[able]
            if not len(others):
                continue
            own = sequences.ids[sequences.starts[text] : sequences.starts[text + 1]]
            is_own[own] = True
            lengths = sequences.starts[others + 1] - sequences.starts[others]
            shared = np.add.reduceat(
                is_own[sequences.ids[_ranges(sequences.starts[others], lengths)]],
                np.append(0, np.cumsum(lengths)[:-1]),
                dtype=np.int64,
            )
            is_own[own] = False
            similar = others[shared >= least]
            result[similar] = first
            waiting.gone[similar] = True
            queue.extend(similar.tolist())
    return result


class _Waiting:
    """Which texts have a sequence, of those that are not gone."""

    def __init__(self, sequences: Sequences) -> None:
        order = np.argsort(sequences.ids, kind="stable")
        self.gone = np.zeros(len(sequences.sizes), bool)
        self._number = sequences.number
        self._ids, self._texts = sequences.ids[order], sequences.texts[order]
        self._starts = _starts(self._ids, self._number)
        self._passed = 0

    def having(self, ids: Ints) -> Ints:
        """The texts that have one of the sequences, each once."""
        starts = self._starts[ids]
        texts = self._texts[_ranges(starts, self._starts[ids + 1] - starts)]
        waiting: Ints = np.unique(texts[~self.gone[texts]])
        self._passed += len(texts)
        if self._passed > 2 * len(self._texts):
            self._forget()
        return waiting

    def _forget(self) -> None:
        """Drop the texts that are gone: now and then, so that they are passed over a few times only."""
        present = ~self.gone[self._texts]
        self._ids, self._texts = self._ids[present], self._texts[present]
        self._starts = _starts(self._ids, self._number)
        self._passed = 0


def _starts(numbers: Ints, count: int) -> Ints:
    """Where each number from 0 begins in a sorted array, (count + 1,)."""
    return np.searchsorted(numbers, np.arange(count + 1))


def _ranges(starts: Ints, lengths: Ints) -> Ints:
    """The numbers of several ranges, one after another."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + lengths, lengths)


def _hashed(side: Tokenized, hashes: dict[str, int]) -> NDArray[np.uint64]:
    """A number for each different sequence of three words of a text; `hashes` keeps those of words."""
    words = [side.text[start:end].casefold() for start, end in side.tokens or ()]
    for word in words:
        if word not in hashes:
            digest = hashlib.blake2b(word.encode(errors="surrogatepass"), digest_size=8).digest()
            hashes[word] = int.from_bytes(digest, "big")
    numbers = np.array([hashes[word] for word in words], dtype=np.uint64)
    if 0 < len(numbers) < 3:
        numbers = np.append(numbers, np.zeros(3 - len(numbers), np.uint64))
    sequences = np.zeros(max(0, len(numbers) - 2), np.uint64)
    for index, factor in enumerate(_FACTORS):
        sequences += (numbers[index : index + len(sequences)] + np.uint64(index)) * factor
    return np.unique(sequences)
