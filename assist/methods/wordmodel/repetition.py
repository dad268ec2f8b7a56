"""Boilerplate: how often a project's texts repeat a phrase or a sentence, and what is usually marked in them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from assist.methods.shared import strings
from assist.methods.wordmodel.corpus import WordModelText
from assist.methods.wordmodel.document import Counterparts, PairArrays, counterparts_of_both

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]

PRIORS = (20.0, 10.0, 10.0, 5.0, 5.0, 20.0, 20.0, 10.0, 20.0, 50.0, 20.0)
"""Tokens' worth of the overall mean that an estimate starts from, for each kind of ``phrases``."""

_FOUND = (0.15, 0.5)
"""Similarities of the best counterpart that separate lost, doubtful and found words."""


@dataclass(frozen=True)
class Repetition:
    """How many times each run of three words, and each sentence, occurs in the project, on side A and on side B."""

    counts: tuple[Counter[int], Counter[int]]

    def columns(self, number: int, text: WordModelText) -> dict[str, Floats]:
        """For each token, the logarithm of the counts of its most common run of three and of its sentence."""
        counts = self.counts[number]
        n = len(text)
        triples = np.zeros(n)
        for index, key in enumerate(_triples(text)):
            triples[index : index + 3] = np.maximum(triples[index : index + 3], counts[key])
        sentences = np.array([counts[key] for key in _sentences(text)], dtype=float)
        return {"repeated": np.log1p(triples), "repeated sentence": sentences[text.unit] if n else np.zeros(0)}


def repetition(docs: Sequence[PairArrays]) -> Repetition:
    """Counts over documents."""
    counts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for doc in docs:
        for side_counts, text in zip(counts, (doc.a, doc.b), strict=True):
            side_counts.update(_triples(text))
            side_counts.update(_sentences(text))
    return Repetition(counts)


def _triples(text: WordModelText) -> Iterator[int]:
    types = text.types.tolist()
    forms = text.forms
    for a, b, c in zip(types, types[1:], types[2:], strict=False):
        yield _key(("3", forms[a], forms[b], forms[c]))


def _sentences(text: WordModelText) -> Iterator[int]:
    for start, end in text.units:
        yield _key(("s", *(text.forms[kind] for kind in text.types[start:end].tolist())))


def _key(words: tuple[str, ...]) -> int:
    """A number of 64 bits for words, the same in every process."""
    return int.from_bytes(blake2b("\0".join(words).encode(), digest_size=8).digest(), "little", signed=True)


def phrases(doc: PairArrays) -> Ids:
    """(kinds, tokens): the keys of the phrases that every token of A and then B is an instance of.

    Its word; with the word before; with the word after; with both; its sentence. Its stem; its stem and how well its
    counterpart is found; its stem and the counterpart's; its ending, its length in a sentence of some length, and its
    beginning, each with how well the counterpart is found.
    """
    counterparts = counterparts_of_both(doc, 1.5)
    sides = [_phrases("a", doc.a, doc.b, counterparts[0]), _phrases("b", doc.b, doc.a, counterparts[1])]
    return np.concatenate([np.array(list(each), dtype=np.int64).reshape(-1, len(PRIORS)) for each in sides]).T


def _phrases(
    side: str, text: WordModelText, other: WordModelText, counterparts: Counterparts
) -> Iterator[tuple[int, ...]]:
    words = [text.forms[kind] for kind in text.types.tolist()]
    before, after = ["", *words][: len(words)], [*words[1:], ""][: len(words)]
    stems = [strings.stem(form, text.language) for form in text.forms]
    others = [strings.stem(form, other.language) for form in other.forms]
    sentences = [key ^ (side == "b") for key in _sentences(text)]
    sizes = [str((end - start) // 4) for start, end in text.units]
    degrees = [str(degree) for degree in np.digitize(counterparts.similarity, _FOUND).tolist()]
    rows = zip(
        words,
        before,
        after,
        text.types.tolist(),
        text.unit.tolist(),
        degrees,
        counterparts.counterpart.tolist(),
        strict=True,
    )
    for word, left, right, kind, unit, degree, index in rows:
        stem = stems[kind]
        there = others[other.types[index]] if index >= 0 and degree != "0" else ""
        yield (
            _key((side, word)),
            _key((side, left, word, "<")),
            _key((side, word, right, ">")),
            _key((side, left, word, right)),
            sentences[unit],
            _key((side, "stem", stem)),
            _key((side, "stem", stem, degree)),
            _key((side, "pair", stem, there)),
            _key((side, "ending", word[-3:], degree)),
            _key((side, "size", str(min(len(word), 12)), degree, sizes[unit])),
            _key((side, "beginning", word[:4], degree)),
        )


@dataclass(frozen=True)
class KeyStatistics:
    """Of every key of one kind, ascending: the sum and the number of its gold values."""

    keys: Ids
    sums: Floats
    counts: Floats

    def at(self, keys: Ids) -> tuple[Floats, Floats]:
        """Sum and number for each key; 0 for an unknown one."""
        if not len(self.keys):
            return np.zeros(len(keys)), np.zeros(len(keys))
        row = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        has_key = self.keys[row] == keys
        return np.where(has_key, self.sums[row], 0.0), np.where(has_key, self.counts[row], 0.0)


@dataclass(frozen=True)
class MarkingStatistics:
    """The gold values of each phrase over labelled documents, kind by kind."""

    kinds: tuple[KeyStatistics, ...]
    mean: float

    def columns(self, keys: Ids) -> NDArray[np.float32]:
        """(tokens, kinds): the mean gold value of each token's phrases."""
        columns = []
        for kind, row, prior in zip(self.kinds, keys, PRIORS, strict=True):
            total, count = kind.at(row)
            columns.append((total + prior * self.mean) / (count + prior))
        return np.stack(columns, axis=1).astype(np.float32)


def out_of_fold_columns(keys: Sequence[Ids], golds: Sequence[Floats], parts: Ids) -> list[NDArray[np.float32]]:
    """The columns of each document by the statistics of the other ``parts``, so that none sees its own labels.

    Excluding only the document itself would reveal how it is marked: the remaining sum is lower the more it has.
    """
    mean = marking_statistics(keys, golds).mean
    columns = [np.zeros((0, 0), dtype=np.float32)] * len(keys)
    for part in np.unique(parts):
        others = np.flatnonzero(parts != part).tolist()
        statistics = replace(
            marking_statistics([keys[index] for index in others], [golds[index] for index in others]), mean=mean
        )
        for index in np.flatnonzero(parts == part).tolist():
            columns[index] = statistics.columns(keys[index])
    return columns


def marking_statistics(keys: Sequence[Ids], golds: Sequence[Floats]) -> MarkingStatistics:
    """Statistics of documents, each given by its ``phrases`` and its tokens' gold values (NaN: unknown)."""
    gold = np.concatenate([np.zeros(0), *golds])
    table = np.concatenate([np.zeros((len(PRIORS), 0), dtype=np.int64), *keys], axis=1)
    labelled = ~np.isnan(gold)
    gold, table = gold[labelled], table[:, labelled]
    kinds = []
    for row in table:
        distinct, index = np.unique(row, return_inverse=True)
        sums = np.bincount(index, gold, len(distinct)).astype(np.float64)
        kinds.append(KeyStatistics(distinct, sums, np.bincount(index, minlength=len(distinct)).astype(np.float64)))
    return MarkingStatistics(tuple(kinds), float(gold.mean()) if len(gold) else 0.0)
