"""Which pairs belong together: those that share a text or most of one, in any language.

A page and its later version are two texts but nearly one: a model trained on one has seen the other.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
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

_VERSION = 0.7
"""The share of all runs that makes two texts versions of one, from `_LONG` runs on, however many texts have them."""

_SENTENCE = 4
"""Words of a sentence, at least, that two texts are said to share."""
_ENDS = set(".!?。！？।")


class Tokenized(Protocol):
    """A text with the ranges of its tokens."""

    @property
    def text(self) -> str: ...

    @property
    def tokens(self) -> Sequence[Range] | None: ...


def text_digest(side: Tokenized) -> str:
    """Identifies a text."""
    return hashlib.sha256(side.text.strip().encode()).hexdigest()


def linked(
    pairs: Sequence[tuple[Tokenized, Tokenized]], *, documents: Sequence[str] = (), by_sentence: bool = False
) -> list[int]:
    """The number of the first pair that each is linked to by shared or similar texts, through others or not.

    `documents` are the names of the pairs' documents, '' for none: pairs of one document are linked too.
    `by_sentence`: texts that share a sentence are linked too.
    """
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
    named: dict[str, int] = {}
    for number, name in enumerate(documents):
        if name:
            join(named.setdefault(name, number), number)
    for at, to in [*similar_texts(sides), *(sharing_texts(sides) if by_sentence else ())]:
        join(of_pair[at], of_pair[to])
    return [find(at) for at in range(len(pairs))]


def similar_texts(sides: Sequence[Tokenized]) -> list[tuple[int, int]]:
    """The indices of texts of which one has most of the other's runs of three words.

    Runs that more than `_COMMON` texts have (navigation, boilerplate) do not count, except in long texts that have
    nearly the same ones: those are many versions of one.
    """
    parts = [_runs(side) for side in sides]
    runs = np.concatenate([np.zeros(0, np.uint64), *parts])
    if not len(runs):
        return []
    texts = np.repeat(np.arange(len(sides)), [len(part) for part in parts])
    order = np.lexsort((texts, runs))
    runs, texts = runs[order], texts[order]
    starts = np.flatnonzero(np.append(True, runs[1:] != runs[:-1]))
    shared: Counter[tuple[int, int]] = Counter()
    sizes = np.zeros(len(sides), np.int64)
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(runs)], strict=True):
        if end - start <= _COMMON:
            held = texts[start:end].tolist()
            sizes[held] += 1
            shared.update(combinations(held, 2))
    found = {both for both, count in shared.items() if _most(count, min(sizes[both[0]], sizes[both[1]]))}
    return sorted(found.union(_many_versions(sides, parts)))


def _many_versions(sides: Sequence[Tokenized], parts: Sequence[NDArray[np.uint64]]) -> Iterator[tuple[int, int]]:
    """Those of the long texts of which one has `_VERSION` of the other's runs.

    Each is compared with the first of those that are alike, the longest. Runs that more than `_COMMON` of these have
    are not looked for.
    """
    having: dict[int, list[int]] = defaultdict(list)
    long = [number for number, part in enumerate(parts) if len(part) >= _LONG]
    for number in sorted(long, key=lambda number: (-len(parts[number]), text_digest(sides[number]))):
        runs = parts[number].tolist()
        shared = Counter(chain.from_iterable(firsts for run in runs if len(firsts := having.get(run, ())) <= _COMMON))
        alike = [first for first, count in shared.items() if count >= _VERSION * len(runs)]
        yield from (tuple(sorted((first, number))) for first in alike)  # type: ignore[misc]
        if not alike:
            for run in runs:
                having[run].append(number)


def sharing_texts(sides: Sequence[Tokenized]) -> list[tuple[int, int]]:
    """The indices of texts that share a sentence of at least `_SENTENCE` words, whatever its case and punctuation.

    Sentences that more than `_COMMON` texts have do not count. Of texts with the same sentence, each is named with the
    first.
    """
    having: dict[bytes, list[int]] = {}
    for number, side in enumerate(sides):
        for digest in _sentences(side):
            having.setdefault(digest, []).append(number)
    shared = [texts for texts in having.values() if len(texts) <= _COMMON]
    return sorted({(texts[0], each) for texts in shared for each in texts[1:]})


def _sentences(side: Tokenized) -> set[bytes]:
    """A digest of each different sentence of a text, which may end at a full stop followed by a lower-case word."""
    found: set[bytes] = set()
    words: list[str] = []
    for start, end in [*(side.tokens or ()), (0, 0)]:
        word = side.text[start:end]
        if any(map(str.isalnum, word)):
            words.append(word.casefold())
        elif not word or set(word) & _ENDS:
            if len(words) >= _SENTENCE:
                text = " ".join(words)
                found.add(hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest())
            words = []
    return found


def _most(shared: int, size: int) -> bool:
    """Whether a number of a text's runs makes it a version of the other; short texts are easily half the same."""
    return shared >= (_SHARED if size >= _LONG else _SHARED_SHORT) * size


def _runs(side: Tokenized) -> NDArray[np.uint64]:
    """A number for each different run of three words of a text."""
    words = [side.text[start:end].casefold() for start, end in side.tokens or ()]
    runs = {" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2))}
    digests = (hashlib.blake2b(run.encode(errors="surrogatepass"), digest_size=8).digest() for run in runs)
    return np.array([int.from_bytes(each, "big") for each in digests], dtype=np.uint64)
