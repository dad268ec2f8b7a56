"""Which pairs belong together: those that share a text or most of one, in any language.

A page and its later version are two texts but nearly one: a model trained on one has seen the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np

from annotation.text.shared_sequences import Ints, Sequences, Tokenized, components

_LONG = 50
_SHARED = 5
_SHARED_SHORT = 8
"""Tenths of a text's sequences of three words that a version of it must share: from `_LONG` sequences on, and below."""

_FEW = 20
"""Texts with fewer sequences of their own are held to the threshold for this many."""

_COMMON = 20
"""Pages that a sequence of words may be found on before it counts as boilerplate."""

_VERSION = 7
"""The tenths of all sequences that make two texts versions of one, boilerplate or not."""

_SENTENCE = 4
"""Words of a sentence, at least, that two texts are said to share."""
_ENDS = set(".!?。！？।")


def text_digest(side: Tokenized) -> str:
    """Identifies a text."""
    return hashlib.sha256(side.text.strip().encode()).hexdigest()


def link_pairs(
    pairs: Sequence[tuple[Tokenized, Tokenized]], *, parallel_documents: Sequence[str] = (), by_sentence: bool = False
) -> list[int]:
    """The number of the first pair that each is linked to by shared or similar texts, through others or not.

    `parallel_documents` are their names by pair, '' for none: pairs of one document are linked too.
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
    for number, name in enumerate(parallel_documents):
        if name:
            join(named.setdefault(name, number), number)
    for at, to in [*similar_texts(sides), *(sharing_texts(sides) if by_sentence else ())]:
        join(of_pair[at], of_pair[to])
    return [find(at) for at in range(len(pairs))]


def similar_texts(sides: Sequence[Tokenized]) -> list[tuple[int, int]]:
    """The indices of texts that are versions of one: each is named with the first, whose version it is directly or
    through others.

    Two texts are versions of one if, each different sequence of three words counted once, they share

    - `min_shared_sequences(n)` of the sequences of the longer, of which it has n, and at least `_VERSION` tenths of
      them, or
    - `min_shared_sequences(n)` of those sequences that are not common; n is how many of these the shorter has, or
      `_FEW` (or all its sequences) if that is more.

    A sequence is common (navigation, boilerplate) if more than `_COMMON` pages have it. Here texts that share
    `min_shared_sequences(n)` of the sequences of the longer count as one page, directly or through others: so the
    sequences of a page don't become common by the number of its versions. Everything is counted, nothing estimated.
    """
    sequences = Sequences.of(sides)
    if not len(sequences.ids):
        return []
    sizes = sequences.sizes
    pages = _group_by_shared_sequences(sequences, min_shared_sequences)
    same = _group_by_shared_sequences(
        sequences, lambda size: np.maximum(min_shared_sequences(size), -(-size * _VERSION // 10))
    )
    of_pages = np.unique(sequences.ids * len(sides) + pages[sequences.texts]) // len(sides)
    rare = (np.bincount(of_pages, minlength=sequences.number) <= _COMMON)[sequences.ids]
    counted = sizes - np.bincount(sequences.texts[~rare], minlength=len(sides))
    counted = np.maximum(counted, np.minimum(sizes, _FEW))
    own = sequences.only(rare)
    alike = components(own, own, lambda one, others: min_shared_sequences(np.minimum(counted[one], counted[others])))
    return sorted(
        {(first, each) for firsts in (same, alike) for each, first in enumerate(firsts.tolist()) if first != each}
    )


def min_shared_sequences(size: Ints) -> Ints:
    """How many of `size` sequences two texts must share to be versions of one; short texts are easily half the same."""
    tenths = np.where(size >= _LONG, _SHARED, _SHARED_SHORT)
    result: Ints = -(-size * tenths // 10)
    return result


def _group_by_shared_sequences(sequences: Sequences, share: Callable[[Ints], Ints]) -> Ints:
    """The first text that each hangs together with, by a share of the sequences of the longer."""
    sizes = sequences.sizes
    least, of_long = share(sizes), share(np.array(_LONG))
    # With a longer text, a short one may need less than with one of its length.
    least = np.where((sizes < _LONG) & (of_long <= sizes), np.minimum(least, of_long), least)
    return components(
        sequences, sequences.rarest(least), lambda one, others: share(np.maximum(sizes[one], sizes[others]))
    )


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
    digests: set[bytes] = set()
    words: list[str] = []
    for start, end in [*(side.tokens or ()), (0, 0)]:
        word = side.text[start:end]
        if any(map(str.isalnum, word)):
            words.append(word.casefold())
        elif not word or set(word) & _ENDS:
            if len(words) >= _SENTENCE:
                text = " ".join(words)
                digests.add(hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest())
            words = []
    return digests
