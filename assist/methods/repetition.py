"""Boilerplate: how often a project's texts repeat a phrase or a sentence, and what is usually marked in them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from assist.methods.corpus import Text
from assist.methods.document import Document

Floats = NDArray[np.float64]

PRIORS = (20.0, 10.0, 10.0, 5.0, 5.0)
"""Tokens' worth of the overall mean that an estimate starts from, for each kind of ``phrases``."""


@dataclass(frozen=True)
class Repetition:
    """How many times each run of three words, and each sentence, occurs in the project, on side A and on side B."""

    counts: tuple[Counter[int], Counter[int]]

    def columns(self, number: int, text: Text) -> dict[str, Floats]:
        """For each token the logarithm of the count of its commonest run of three, and of its sentence's."""
        known = self.counts[number]
        n = len(text)
        triples = np.zeros(n)
        for at, key in enumerate(_triples(text)):
            triples[at : at + 3] = np.maximum(triples[at : at + 3], known[key])
        sentences = np.array([known[key] for key in _sentences(text)], dtype=float)
        return {"repeated": np.log1p(triples), "repeated sentence": sentences[text.unit] if n else np.zeros(0)}


def repetition(docs: Sequence[Document]) -> Repetition:
    """Counts over documents."""
    counts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for doc in docs:
        for known, text in zip(counts, (doc.a, doc.b), strict=True):
            known.update(_triples(text))
            known.update(_sentences(text))
    return Repetition(counts)


def _triples(text: Text) -> Iterator[int]:
    types = text.types.tolist()
    forms = text.forms
    for a, b, c in zip(types, types[1:], types[2:], strict=False):
        yield _key(("3", forms[a], forms[b], forms[c]))


def _sentences(text: Text) -> Iterator[int]:
    for start, end in text.units:
        yield _key(("s", *(text.forms[kind] for kind in text.types[start:end].tolist())))


def _key(words: tuple[str, ...]) -> int:
    """A number of 64 bits for words, the same in every process."""
    return int.from_bytes(blake2b("\0".join(words).encode(), digest_size=8).digest(), "little", signed=True)


def phrases(doc: Document) -> list[list[int]]:
    """For every token of A and then B: its word, with the one before, with the one after, with both, its sentence."""
    kinds: list[list[int]] = [[] for _ in PRIORS]
    for number, text in (("a", doc.a), ("b", doc.b)):
        words = [text.forms[kind] for kind in text.types.tolist()]
        before, after = ["", *words][: len(words)], [*words[1:], ""][: len(words)]
        sentences = list(_sentences(text))
        for word, left, right, unit in zip(words, before, after, text.unit.tolist(), strict=True):
            kinds[0].append(_key((number, word)))
            kinds[1].append(_key((number, left, word, "<")))
            kinds[2].append(_key((number, word, right, ">")))
            kinds[3].append(_key((number, left, word, right)))
            kinds[4].append(sentences[unit] ^ (number == "b"))
    return kinds


@dataclass(frozen=True)
class Habits:
    """Sum and number of the gold values of each phrase over labelled documents, kind by kind."""

    sums: list[dict[int, tuple[float, int]]]
    mean: float

    def columns(self, kinds: list[list[int]], own: "Habits | None" = None) -> NDArray[np.float32]:
        """(tokens, kinds): the mean gold value of each token's phrases, ``own`` (the document's) taken out."""
        columns = []
        for number, (keys, prior) in enumerate(zip(kinds, PRIORS, strict=True)):
            known = self.sums[number]
            mine = own.sums[number] if own else {}
            values = []
            for key in keys:
                total, count = known.get(key, (0.0, 0))
                if key in mine:
                    total, count = total - mine[key][0], count - mine[key][1]
                values.append((total + prior * self.mean) / (count + prior))
            columns.append(values)
        return np.array(columns, dtype=np.float32).T.reshape(-1, len(PRIORS))


def habits(kinds: Sequence[list[list[int]]], golds: Sequence[Floats]) -> Habits:
    """Habits of documents, each given by its ``phrases`` and its tokens' gold values (NaN: unknown)."""
    sums: list[dict[int, tuple[float, int]]] = [{} for _ in PRIORS]
    for doc, gold in zip(kinds, golds, strict=True):
        for known, keys in zip(sums, doc, strict=True):
            for key, value in zip(keys, gold.tolist(), strict=True):
                if value == value:
                    total, count = known.get(key, (0.0, 0))
                    known[key] = (total + value, count + 1)
    known_gold = [gold[~np.isnan(gold)] for gold in golds]
    values = np.concatenate(known_gold) if known_gold else np.zeros(0)
    return Habits(sums, float(values.mean()) if len(values) else 0.0)
