"""Annotated documents as plain arrays: what every figure is computed from.

Labels are codes: 0 is the unmarked default, then the scheme's labels in ascending order of value. If spans of one
annotator overlap on a token, `codes` has the highest code; `spans` keeps them all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from agreement.metrics.arrays import MISSING, Bools, Floats, Ints, quotient
from agreement.metrics.matching import TokenSpan
from agreement.metrics.overlap import counts, iou
from agreement.metrics.unitizing import Unit

SIDES = ("a", "b")


@dataclass(frozen=True, slots=True)
class DocumentAnnotation:
    """One annotator's annotation of one document. Pairs are (side A, side B).

    `annotator` is an index into `Collection.annotators`; `units` holds marked passages in code points; `codes` a label
    code for each token. `highlights` says whether they were shown, None if there were none; `accepted` counts the spans
    that came from a suggestion; `when` orders a person's work in time; `round` counts re-tests of the same pair by the
    same person; `answers` maps a question to the chosen answer.
    """

    annotator: int
    annotation: int
    spans: tuple[TokenSpan, ...]
    units: tuple[tuple[Unit, ...], tuple[Unit, ...]]
    codes: tuple[Ints, Ints]
    seconds: int = 0
    highlights: bool | None = None
    accepted: int = 0
    when: float = 0.0
    round: int = 0
    answers: dict[str, str] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether nothing was marked: no span at all (a broken span, without a token, counts as a span)."""
        return not self.spans


@dataclass(frozen=True, slots=True)
class Document:
    """One pair and its submissions. Pairs are (side A, side B).

    `lengths` are code points; `sentences` has the number of each token's sentence.
    """

    pair: int
    name: str
    split: str
    languages: tuple[str, str]
    tokens: tuple[int, int]
    lengths: tuple[int, int]
    sentences: tuple[Ints, Ints]
    annotations: tuple[DocumentAnnotation, ...]

    @property
    def someone_empty(self) -> bool:
        return any(annotation.empty for annotation in self.annotations)

    @property
    def language_pair(self) -> str:
        """'EN-DE'."""
        return sys.intern("-".join(language.upper() for language in self.languages))


@dataclass(frozen=True, slots=True)
class RatingQuestion:
    """A question of a rating scheme: its answers in order, and their numbers if every answer has one."""

    key: str
    text: str
    choices: tuple[str, ...]
    values: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents with one scheme. `values` (labels,) are the labels' numbers; `sides` those that may be marked (0, 1).

    `graded`: labels are ordered. `partition`: every token has exactly one label (nothing overlaps or links), so marking
    nothing labels every token as the default.
    """

    labels: tuple[str, ...]
    values: Floats
    sides: tuple[int, ...]
    graded: bool
    partition: bool
    annotators: tuple[str, ...]
    documents: tuple[Document, ...]
    questions: tuple[RatingQuestion, ...] = ()
    _pooled: dict[tuple[int, ...], Pooled] = field(default_factory=dict, compare=False, repr=False)

    def of(self, documents: Sequence[Document]) -> Collection:
        """The same scheme and people with other documents."""
        return replace(self, documents=tuple(documents), _pooled={})

    def keep(self, condition: Callable[[Document], bool]) -> Collection:
        return self.of([document for document in self.documents if condition(document)])

    def shared(self) -> Collection:
        """Only documents that at least two people submitted: agreement is computed from these alone."""
        return self.keep(lambda document: len(document.annotations) > 1)

    def without_empty(self) -> Collection:
        """Documents in which everyone marked something, as in SwissGov-RSD's numbers."""
        return self.keep(lambda document: not document.someone_empty)

    def among(self, annotators: Sequence[int]) -> Collection:
        """Only some annotators' work."""
        chosen = set(annotators)
        return self.of(
            [
                replace(
                    document,
                    annotations=tuple(
                        annotation for annotation in document.annotations if annotation.annotator in chosen
                    ),
                )
                for document in self.documents
            ]
        )

    def first_round(self) -> Collection:
        """The collection without re-tests of the same pair by the same person."""
        first = [
            replace(
                document, annotations=tuple(annotation for annotation in document.annotations if annotation.round == 0)
            )
            for document in self.documents
        ]
        return self.of([document for document in first if document.annotations])

    def spans_where(self, condition: Callable[[TokenSpan], bool]) -> Collection:
        """The same documents with only some spans, and tokens labelled by these. `units` are unchanged."""
        return self.of(
            [
                replace(
                    document,
                    annotations=tuple(_with_spans(annotation, condition) for annotation in document.annotations),
                )
                for document in self.documents
            ]
        )

    def annotator_pairs(self) -> list[tuple[int, int]]:
        """The pairs of annotators with at least one document in common."""
        pairs = {
            pair
            for document in self.documents
            for pair in combinations(sorted(annotation.annotator for annotation in document.annotations), 2)
        }
        return sorted(pairs)

    def pooled(self, *sides: int) -> Pooled:
        """All tokens of some sides (by default, of all that may be marked), concatenated; computed once."""
        chosen = sides or self.sides
        if chosen not in self._pooled:
            self._pooled[chosen] = _pool(self, chosen)
        return self._pooled[chosen]


@dataclass(frozen=True, slots=True)
class Pooled:
    """All tokens: `codes` (annotators, tokens), `documents` (tokens,), `position` in the text, in [0, 1)."""

    codes: Ints
    documents: Ints
    position: Floats


def _pool(collection: Collection, sides: Sequence[int]) -> Pooled:
    sizes = [sum(document.tokens[side] for side in sides) for document in collection.documents]
    codes = np.full((len(collection.annotators), sum(sizes)), MISSING, dtype=np.int64)
    positions = []
    start = 0
    for document in collection.documents:
        for side in sides:
            count = document.tokens[side]
            for annotation in document.annotations:
                codes[annotation.annotator, start : start + count] = annotation.codes[side]
            positions.append(np.arange(count) / max(count, 1))
            start += count
    owners = np.repeat(np.arange(len(sizes)), sizes)
    return Pooled(codes, owners, np.concatenate(positions) if positions else np.zeros(0))


def _with_spans(annotation: DocumentAnnotation, condition: Callable[[TokenSpan], bool]) -> DocumentAnnotation:
    spans = tuple(span for span in annotation.spans if condition(span))
    codes = (np.zeros_like(annotation.codes[0]), np.zeros_like(annotation.codes[1]))
    for span in sorted(spans, key=lambda span: span.label):
        for painted, tokens in zip(codes, (span.a, span.b), strict=True):
            painted[list(tokens)] = span.label
    return replace(annotation, spans=spans, codes=codes)


def marked(annotation: DocumentAnnotation, side: int) -> Bools:
    """Which tokens of a side any span covers: shape (tokens,)."""
    return np.asarray(annotation.codes[side] > 0)


def share_marked(collection: Collection, annotation: DocumentAnnotation) -> float:
    """The share of tokens, on the sides that may be marked, that one annotator marked; NaN without tokens."""
    tokens = sum(len(annotation.codes[side]) for side in collection.sides)
    count = sum(int(marked(annotation, side).sum()) for side in collection.sides)
    return count / tokens if tokens else float("nan")


def mean_label(collection: Collection, annotation: DocumentAnnotation) -> float:
    """The mean value of the labels of marked tokens; NaN if nothing is marked."""
    values = [collection.values[annotation.codes[side][marked(annotation, side)]] for side in collection.sides]
    joined = np.concatenate(values) if values else np.zeros(0)
    return float(joined.mean()) if len(joined) else float("nan")


def share_of_marked(collection: Collection, annotation: DocumentAnnotation, label: int) -> float:
    """The share of marked tokens that one annotator gave a label; NaN if nothing is marked."""
    counts = np.bincount(np.concatenate([annotation.codes[side] for side in collection.sides]), minlength=label + 1)
    return float(quotient(counts[label], counts[1:].sum()))


def iou_of_annotations(collection: Collection, one: DocumentAnnotation, other: DocumentAnnotation) -> float:
    """The mean over sides of the IoU of two annotators' marked tokens; NaN if neither marked anything."""
    values = [float(iou(counts(marked(one, side), marked(other, side)))) for side in collection.sides]
    defined = [value for value in values if not np.isnan(value)]
    return sum(defined) / len(defined) if defined else float("nan")
