"""Training examples from labelled pairs: documents as they are, with their sentences in another order, joined, and
texts paired with themselves, as in SwissGov-RSD (docs/finetuned.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assist.methods.encoder.subwords import Ints, Subwords

Floats = NDArray[np.float64]
Sentence = tuple[Ints, Floats]
"""Subword ids and, in parallel, the value in [0, 1] that a model is to give each; NaN where it is unknown."""


@dataclass(frozen=True, slots=True)
class Example:
    """A pair as sentences of A and of B."""

    a: tuple[Sentence, ...]
    b: tuple[Sentence, ...]

    @property
    def size(self) -> int:
        """Subwords of both texts."""
        return sum(len(ids) for ids, _ in (*self.a, *self.b))


@dataclass(frozen=True, slots=True)
class ExampleCounts:
    """How many examples an epoch has of each kind.

    Each document occurs once as it is and ``permutations`` times with the sentences of one side in another order, if it
    has several. Documents of at most `SHORT` sentences are also joined, two to ``joined`` in one; and as many texts as
    ``negatives`` is a share of the documents are paired with themselves, without any difference.
    """

    permutations: int
    joined: int
    negatives: float


SHORT = 2
"""Sentences of a side, at most, of a document that may be joined with others."""


def sentences(text: Subwords, gold: Sequence[float] | None) -> tuple[Sentence, ...]:
    """A text's sentences; a subword of several words has the largest of their values."""
    values = np.full(len(text.ids), np.nan)
    if gold is not None and len(text.owned):
        by_subword = np.asarray(gold, dtype=float)[text.owner]
        labelled = ~np.isnan(by_subword)
        highest = np.full(len(text.ids), -1.0)
        np.maximum.at(highest, text.owned[labelled], by_subword[labelled])
        values = np.where(highest < 0, np.nan, highest)
    return tuple((text.ids[low:high], values[low:high]) for low, high in text.units)


def epoch(documents: Sequence[Example], counts: ExampleCounts, random: np.random.Generator) -> list[Example]:
    """One epoch's examples; other permutations and other joined documents each time."""
    examples = list(documents)
    for document in documents:
        examples.extend(
            _permute_sentences(document, random) for _ in range(counts.permutations) if _has_several_sentences(document)
        )
    examples.extend(_join_documents(documents, counts, random))
    chosen = random.permutation(len(documents))[: round(counts.negatives * len(documents))]
    for number in chosen.tolist():
        document = documents[number]
        # The text of either side, by turns.
        text = (document.a if number % 2 else document.b) or document.a or document.b
        same = tuple((ids, np.zeros(len(ids))) for ids, _ in text)
        examples.append(Example(same, same))
    return [each for each in examples if each.size]


def _has_several_sentences(document: Example) -> bool:
    return max(len(document.a), len(document.b)) > 1


def _permute_sentences(document: Example, random: np.random.Generator) -> Example:
    """The document with the sentences of one side in another order."""
    sides = [index for index, side in enumerate((document.a, document.b)) if len(side) > 1]
    side = sides[int(random.integers(len(sides)))]
    order = random.permutation(len((document.a, document.b)[side])).tolist()
    if side:
        return Example(document.a, tuple(document.b[index] for index in order))
    return Example(tuple(document.a[index] for index in order), document.b)


def _join_documents(documents: Sequence[Example], counts: ExampleCounts, random: np.random.Generator) -> list[Example]:
    """Each short document once in a document of several, plus one of them permuted."""
    short = [each for each in documents if max(len(each.a), len(each.b)) <= SHORT]
    if counts.joined < 2 or len(short) < 2:
        return []
    order = random.permutation(len(short)).tolist()
    examples, position = [], 0
    while position < len(order) - 1:
        take = int(random.integers(2, counts.joined + 1))
        parts = [short[number] for number in order[position : position + take]]
        whole = Example(
            tuple(sentence for part in parts for sentence in part.a),
            tuple(sentence for part in parts for sentence in part.b),
        )
        examples.append(whole)
        if counts.permutations and _has_several_sentences(whole):
            examples.append(_permute_sentences(whole, random))
        position += take
    return examples
