"""Counting: documents become the counts that agreement is computed from, a block at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from agreement.metrics import classification, matching, unitizing
from agreement.metrics.alpha import PACKAGE_UNITS
from agreement.metrics.arrays import MISSING, Ints, smallest
from agreement.metrics.base import metrics_for
from agreement.metrics.documents import Collection, DocumentAnnotation, Pooled, marked
from agreement.metrics.matching import TokenSpan
from agreement.report.compute.document_counts import (
    ALL,
    KIND_THRESHOLD,
    KINDS,
    LINKED,
    MATCHES,
    ONE_SIDED,
    Column,
    DocumentCounts,
    Rows,
    kinds_of,
)
from agreement.report.compute.sparse_tables import Packed

PARTS_PER_JOIN = 10
"""The number of parts that are joined on the way: small arrays among short-lived ones would waste memory."""


class Counting:
    """Counts that are joined as they come; see `DocumentCounts.units` for what is dropped on the way."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection.of([])
        self.joined: list[DocumentCounts] = []
        self.parts: list[DocumentCounts] = []
        self.tokens: Counter[tuple[Any, ...]] = Counter()

    def add(self, part: DocumentCounts) -> None:
        """`part` has documents that come after all others."""
        before = {cell for cell, tokens in self.tokens.items() if tokens > PACKAGE_UNITS}
        for cell, tokens in zip(_cells(part), part.documents["tokens"].tolist(), strict=True):
            for side, number in enumerate(tokens):
                self.tokens[*cell, side] += number
        too_long = {cell for cell, tokens in self.tokens.items() if tokens > PACKAGE_UNITS}
        if too_long - before:
            for parts in (self.joined, self.parts):
                parts[:] = [_without_units(each, too_long) for each in parts]
        self.parts.append(_without_units(part, too_long))
        if len(self.parts) >= PARTS_PER_JOIN:
            self.joined.append(self._join(self.parts))
            self.parts = []

    def all_counts(self) -> DocumentCounts:
        """The counts of all blocks that were added, joined."""
        if not (self.joined or self.parts):
            self.add(counts_of(self.collection))
        self.joined, self.parts = [self._join([*self.joined, *self.parts])], []
        return self.joined[0]

    def take_counts(self) -> DocumentCounts:
        """As `all_counts`; this object no longer keeps them."""
        counts = self.all_counts()
        self.joined = []
        return counts

    def _join(self, parts: Sequence[DocumentCounts]) -> DocumentCounts:
        starts = np.cumsum([0, *map(len, parts)]).tolist()
        names = ("documents", "annotations", "annotation_pairs", "units", "sentences")
        return DocumentCounts(
            self.collection, **{name: _concatenate([getattr(part, name) for part in parts], starts) for name in names}
        )


def _cells(counts: DocumentCounts) -> list[tuple[Any, ...]]:
    """Each document's languages, split and whether it is empty: what a report's subsets of documents depend on."""
    return list(zip(*(counts.documents[name].tolist() for name in ("languages", "split", "empty")), strict=True))


def _without_units(counts: DocumentCounts, too_long: set[tuple[Any, ...]]) -> DocumentCounts:
    if not too_long or not len(counts.units.owners):
        return counts
    sides = range(len(counts.collection.sides))
    has_units = np.array([[(*cell, side) not in too_long for side in sides] for cell in _cells(counts)], dtype=bool)
    return replace(counts, units=counts.units.where(has_units[counts.units.owners, counts.units["side"]]))


def _concatenate(parts: Sequence[Rows], starts: Sequence[int]) -> Rows:
    """One column after the other, each of which the parts lose, so that they are not held twice."""
    owners = np.concatenate([part.owners + np.int32(start) for part, start in zip(parts, starts, strict=False)])
    return Rows(
        owners,
        {name: np.concatenate([part.columns.pop(name) for part in parts]) for name in list(parts[0].columns)},
        {name: Packed.joined([part.packed.pop(name) for part in parts]) for name in list(parts[0].packed)},
    )


def counts_of(collection: Collection, *, brief: bool = False) -> DocumentCounts:
    """The counts of the documents that two people or more submitted; `brief`: only what a row of a table needs."""
    used = collection.shared()
    # Whose work it is does not matter to tokens: the annotations of each document are numbered, which takes less room.
    numbered = _numbered(used)
    annotations = np.array([len(document.annotations) for document in used.documents], dtype=np.int64)
    pairs = annotations * (annotations - 1) // 2
    kinds = {kind: numbered if kind == ALL else numbered.spans_where(KINDS[kind]) for kind in kinds_of(used)}
    pooled = {kind: of.pooled() for kind, of in kinds.items()}
    sides = _sides_of_tokens(used)
    count, labels = len(annotations), len(used.labels)
    owners = np.arange(count, dtype=np.int32)
    people = [tuple(annotation.annotator for annotation in document.annotations) for document in used.documents]
    annotator_pairs = np.array([pair for each in people for pair in combinations(each, 2)], dtype=np.int64).reshape(
        -1, 2
    )
    documents: dict[str, Column] = {
        "languages": np.array([each.language_pair for each in used.documents], dtype=object),
        "split": np.array([each.split for each in used.documents], dtype=object),
        "empty": np.array([each.someone_empty for each in used.documents], dtype=bool),
        "annotations": smallest(annotations),
        "tokens": smallest(_array([[each.tokens[s] for s in used.sides] for each in used.documents], len(used.sides))),
    }
    tables = _matched(used, tuple(kinds))
    of_annotations: dict[str, Column] = {}
    majorities: dict[str, Packed] = {}
    units, sentences = Rows(owners[:0], {}), Rows(owners[:0], {})
    if not brief:
        documents["own"], tables["shared"] = _continua(used)
        labelled, of_sentences, answered = _sentences(numbered, pooled[ALL], sides)
        documents["sentences"] = smallest(of_sentences)
        sentences = Rows(answered, {"given": smallest(labelled)})
        documents |= {f"metric {each.name}": each.counts(numbered) for each in metrics_for(used)}
        of_annotations, majorities = _annotations(used), {"majority": _majority(used, pooled[ALL])}
    units = Rows(
        pooled[ALL].documents,
        {"side": sides, **{kind: smallest(_label_votes(each.codes, labels)) for kind, each in pooled.items()}},
    )
    of_annotator_pairs: dict[str, Column] = {"people": smallest(annotator_pairs)}
    of_labels: dict[str, Packed] = {}
    for kind, each in pooled.items():
        confusions = _confusions(each, sides, annotations, labels, len(used.sides))
        of_annotator_pairs[f"marked {kind}"] = smallest(_marked_tokens(confusions))
        of_labels[kind] = Packed.of(confusions if kind == ALL else confusions.sum(axis=1))
    batch = DocumentCounts(
        used.of([]),
        Rows(owners, documents, tables),
        Rows(np.repeat(owners, annotations), of_annotations, majorities),
        Rows(np.repeat(owners, pairs), of_annotator_pairs, of_labels),
        units,
        sentences,
    )
    counting = Counting(used)
    counting.add(batch)
    return counting.all_counts()


def _array(rows: Sequence[Any], *shape: int) -> Ints:
    return np.array(rows, dtype=np.int64).reshape(len(rows), *shape)


def _numbered(used: Collection) -> Collection:
    most = max((len(document.annotations) for document in used.documents), default=2)
    numbered = used.of(
        [
            replace(
                each,
                annotations=tuple(
                    replace(annotation, annotator=index) for index, annotation in enumerate(each.annotations)
                ),
            )
            for each in used.documents
        ]
    )
    return replace(numbered, annotators=("",) * most)


def _sides_of_tokens(used: Collection) -> Ints:
    """The side of each token of `pooled`, as an index into the sides that may be marked."""
    sizes = _array([[each.tokens[side] for side in used.sides] for each in used.documents], len(used.sides))
    return np.repeat(np.tile(np.arange(len(used.sides), dtype=np.uint8), len(sizes)), sizes.ravel())


def _confusions(pooled: Pooled, sides: Ints, annotations: Ints, labels: int, of_sides: int) -> Ints:
    """Tokens by the labels of two annotations of a document: (pairs of annotations, sides, labels, labels)."""
    count = len(annotations)
    firsts = np.concatenate([[0], np.cumsum(annotations * (annotations - 1) // 2)])
    result = np.zeros((firsts[-1], of_sides, labels, labels), dtype=np.int64)
    cells = of_sides * labels * labels
    for one, other in combinations(range(len(pooled.codes)), 2):
        both = pooled.codes[other] != MISSING  # annotations are numbered: then the first has one too
        owners = pooled.documents[both]
        at = ((owners * of_sides + sides[both]) * labels + pooled.codes[one, both]) * labels + pooled.codes[other, both]
        tables = np.bincount(at, minlength=count * cells).reshape(count, of_sides, labels, labels)
        having = np.flatnonzero(annotations > other)
        # As `combinations` orders them: after all pairs of the annotations before `one`.
        offset = one * annotations[having] - one * (one + 1) // 2 + other - one - 1
        result[firsts[having] + offset] = tables[having]
    return result


def _marked_tokens(confusions: Ints) -> Ints:
    """Tokens that both marked, and those of one added to those of the other: (pairs of annotations, sides, 2)."""
    both = confusions[..., 1:, 1:].sum(axis=(-2, -1))
    either = confusions[..., 1:, :].sum(axis=(-2, -1)) + confusions[..., 1:].sum(axis=(-2, -1))
    return np.stack([both, either], axis=-1)


def _label_votes(codes: Ints, labels: int) -> Ints:
    """How many annotations give each token each label: (tokens, labels)."""
    return np.stack([(codes == label).sum(axis=0) for label in range(labels)], axis=1)


def _matched(used: Collection, kinds: Sequence[str]) -> dict[str, Packed]:
    """Labels of matched spans, over all pairs of annotations of a document."""
    labels = len(used.labels)
    by_kind = {
        kind: np.zeros((len(used.documents), len(MATCHES) if kind == ALL else 1, labels, labels), dtype=np.int64)
        for kind in kinds
    }
    for index, document in enumerate(used.documents):
        for one, other in combinations(document.annotations, 2):
            for matched in matching.span_pairs(one.spans, other.spans):
                for number, percent in enumerate(MATCHES):
                    if matched.exact if percent is None else matched.reaches(percent):
                        by_kind[ALL][index, number, *matched.labels] += 1
                kind = _kind(one.spans[matched.one])
                if kind in by_kind and kind == _kind(other.spans[matched.other]) and matched.reaches(KIND_THRESHOLD):
                    by_kind[kind][index, 0, *matched.labels] += 1
    return {f"matched {kind}": Packed.of(tables) for kind, tables in by_kind.items()}


def _kind(span: TokenSpan) -> str:
    return LINKED if span.linked else ONE_SIDED


def _continua(used: Collection) -> tuple[Column, Packed]:
    """`own` and `shared` of unitizing, document by document."""
    count, labels = len(used.documents), len(used.labels)
    shared, own = np.zeros((count, len(used.sides), labels, labels)), np.zeros((count, labels))
    for position, document in enumerate(used.documents):
        for index, side in enumerate(used.sides):
            units = [annotation.units[side] for annotation in document.annotations]
            shared[position, index], alone = unitizing.lengths(units, document.lengths[side], labels)
            own[position] += alone
    return smallest(own.astype(np.int64)), Packed.of(shared.astype(np.int64))


def _sentences(numbered: Collection, pooled: Pooled, sides: Ints) -> tuple[Ints, Ints, Ints]:
    """By label: how many annotations have a token with it in each sentence (sentences, labels), pairs of answers to
    that question (documents, labels, 2, 2), and the document of each sentence.

    Source: X-PARADE (arXiv 2309.08873), sentence-level agreement. A sentence without tokens is not a unit.
    """
    count, labels = len(numbered.documents), len(numbered.labels)
    lines = [of.sentences[side] for of in numbered.documents for side in numbered.sides]
    numbers = np.concatenate([np.zeros(0, np.int64), *lines])
    most = int(numbers.max(initial=0)) + 1
    keys, index = np.unique(
        (pooled.documents * max(len(numbered.sides), 1) + sides) * most + numbers, return_inverse=True
    )
    owners = keys // most // max(len(numbered.sides), 1)
    marked = np.zeros((len(pooled.codes), len(keys), labels), dtype=bool)
    answers = np.zeros((len(pooled.codes), len(keys)), dtype=bool)
    for annotator, codes in enumerate(pooled.codes):
        answered = codes != MISSING
        marked[annotator, index[answered], codes[answered]] = True
        answers[annotator, index[answered]] = True
    pairs = np.zeros((count, labels, 2, 2), dtype=np.int64)
    for one, other in combinations(range(len(marked)), 2):
        both = answers[other]
        cells = (
            (owners[both, np.newaxis] * labels + np.arange(labels)) * 4 + 2 * marked[one, both] + marked[other, both]
        )
        pairs += np.bincount(cells.ravel(), minlength=pairs.size).reshape(pairs.shape)
    return marked.sum(axis=0), pairs, owners


def _annotations(used: Collection) -> dict[str, Column]:
    annotations, labels = (
        [annotation for document in used.documents for annotation in document.annotations],
        len(used.labels),
    )
    return {
        "person": smallest(_array([annotation.annotator for annotation in annotations])),
        **{
            name: smallest(_array([of(used, annotation) for annotation in annotations]))
            for name, of in _COUNTED_PER_ANNOTATION.items()
        },
        "labels": smallest(
            _array(
                [
                    np.bincount([span.label for span in annotation.spans], minlength=labels)
                    for annotation in annotations
                ],
                labels,
            )
        ),
    }


def _majority(used: Collection, pooled: Pooled) -> Packed:
    """Tokens of each work by the majority of the others and the own label."""
    matrices = classification.against_majority(pooled.codes, pooled.documents, len(used.labels), len(used.documents))
    numbers = [
        (at, number) for at, document in enumerate(used.documents) for number in range(len(document.annotations))
    ]
    at, number = _array(numbers, 2).T
    return Packed.of(matrices[at, number].astype(np.int64))


_COUNTED_PER_ANNOTATION: dict[str, Callable[[Collection, DocumentAnnotation], int]] = {
    "spans": lambda _, annotation: len(annotation.spans),
    "tokens": lambda _, annotation: sum(len(span.a) + len(span.b) for span in annotation.spans),
    "distinct": lambda used, annotation: sum(int(marked(annotation, side).sum()) for side in used.sides),
    "broken": lambda _, annotation: sum(not span.a and not span.b for span in annotation.spans),
    "seconds": lambda _, annotation: annotation.seconds,
}
