"""What the dataset contains, as in the papers' tables: sizes of texts, and tokens, spans and sentences per label."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from agreement.metrics.arrays import Ints
from agreement.metrics.documents import SIDES, Collection, Document

ALL = "all"
"""The name of all splits together, also used for a collection without splits."""


@dataclass(frozen=True, slots=True)
class LanguageSize:
    """The texts of one language: how many, and their lengths in tokens."""

    texts: int
    tokens: int
    shortest: int
    longest: int
    mean: float


@dataclass(frozen=True, slots=True)
class LabelCount:
    """Counts of a label: tokens, spans (in a partition: longest passages of one label), sentences with such a token."""

    tokens: int
    spans: int
    sentences: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Figures of one collection: `languages` by side and language ('a EN'), `labels` by split, then label."""

    pairs: int
    languages: dict[str, LanguageSize]
    labels: dict[str, dict[str, LabelCount]]


def statistics(collection: Collection) -> Statistics:
    """Sizes of all documents; label counts over all annotators' work on them."""
    lengths = Lengths()
    lengths.add(collection)
    splits = sorted({document.split for document in collection.documents})
    labels = {
        split or ALL: label_counts(collection, [d for d in collection.documents if d.split == split])
        for split in splits
    }
    if len(splits) > 1:
        labels[ALL] = label_counts(collection, collection.documents)
    return Statistics(
        pairs=len(collection.documents),
        languages=lengths.sizes(),
        labels=labels,
    )


class Lengths:
    """The texts' numbers of tokens by side and language, collected block by block."""

    def __init__(self) -> None:
        self._lengths: dict[str, array[int]] = {}

    def add(self, block: Collection) -> None:
        """The texts of a block."""
        for document in block.documents:
            for index, side in enumerate(SIDES):
                name = f"{side} {document.languages[index].upper()}"
                self._lengths.setdefault(name, array("l")).append(document.tokens[index])

    def sizes(self) -> dict[str, LanguageSize]:
        """By side and language: 'a EN'."""
        return {
            name: LanguageSize(len(lengths), sum(lengths), min(lengths), max(lengths), float(np.mean(lengths)))
            for name, lengths in sorted(self._lengths.items())
        }


def label_counts(collection: Collection, documents: Iterable[Document]) -> dict[str, LabelCount]:
    """Tokens, spans and sentences of each label, summed over the annotations of `documents`."""
    count = len(collection.labels)
    tokens, spans, sentences = (np.zeros(count, dtype=np.int64) for _ in range(3))
    for document in documents:
        for annotation in document.annotations:
            for side in collection.sides:
                codes = annotation.codes[side]
                tokens += np.bincount(codes, minlength=count)
                sentences += np.bincount(np.unique(document.sentences[side] * count + codes) % count, minlength=count)
                if collection.partition:
                    spans += np.bincount(codes[run_starts(codes)], minlength=count)
            if not collection.partition:
                spans += np.bincount([span.label for span in annotation.spans], minlength=count)
    return {
        label: LabelCount(int(tokens[code]), int(spans[code]), int(sentences[code]))
        for code, label in enumerate(collection.labels)
    }


def run_starts(codes: Ints) -> Ints:
    """Where each longest passage of one label begins among a side's tokens; gaps between indices do not end one."""
    return np.flatnonzero(np.diff(codes, prepend=codes[:1] - 1))


def passage_counts(codes: Ints) -> Counter[int]:
    """The longest passages of one label in a side's tokens, counted by label."""
    return Counter(codes[run_starts(codes)].tolist())
