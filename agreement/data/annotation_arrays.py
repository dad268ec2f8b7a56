"""Annotations as arrays: the only bridge from the database to the metrics."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

import numpy as np
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from agreement.metrics.arrays import Ints
from agreement.metrics.documents import SIDES, Collection, Document, DocumentAnnotation, RatingQuestion
from agreement.metrics.matching import TokenSpan
from agreement.metrics.unitizing import Unit
from annotation.errors import Invalid
from annotation.models import Annotation, Pair, Project, Source, Text
from annotation.selectors.annotations import annotation_list
from annotation.selectors.highlights import highlights_existed
from annotation.selectors.pairs import pair_list
from annotation.selectors.projects import annotator_list
from annotation.text.schemes import Question, Scheme, Side
from annotation.text.spans import Span, bounds
from annotation.text.tokens import Range
from annotation.vocabulary import Verdict

COUNTS_AS = {"connotation": "inferable"}
"""Labels that agreement counts as another if a scheme has both: X-PARADE's tables count connotation as inferable."""

BLOCK = 200
"""The number of documents that are held at a time where they are read in blocks."""


@dataclass(frozen=True, slots=True)
class TextArrays:
    """A text as arrays: the starts, ends and sentences of its tokens (tokens,), and its length."""

    starts: Ints
    ends: Ints
    sentences: Ints
    length: int

    def covered_tokens(self, spans: Sequence[Sequence[Range]]) -> list[frozenset[int]]:
        """The tokens that each span's code-point ranges touch; none for a broken span."""
        ranges = np.array([fragment for of in spans for fragment in of], dtype=np.int64).reshape(-1, 2)
        firsts = np.searchsorted(self.ends, ranges[:, 0], side="right").tolist()
        lasts = np.searchsorted(self.starts, ranges[:, 1], side="left").tolist()
        runs = iter(list(map(range, firsts, lasts)))
        return [frozenset(chain.from_iterable(next(runs) for _ in of)) for of in spans]


def text_arrays(text: Text) -> TextArrays:
    """A text's tokens and sentences as arrays. A token in no sentence belongs to the preceding one."""
    tokens = np.array(text.tokens, dtype=np.int64).reshape(-1, 2)
    begins = np.array([start for start, _ in text.sentences], dtype=np.int64)
    sentences = np.maximum(np.searchsorted(begins, tokens[:, 0], side="right") - 1, 0)
    return TextArrays(tokens[:, 0].copy(), tokens[:, 1].copy(), sentences.astype(np.int64), len(text.content))


def merged_labels_of(scheme: Scheme) -> dict[str, str]:
    """The labels of a scheme that agreement counts as others."""
    return {key: to for key, to in COUNTS_AS.items() if {key, to} <= set(scheme.keys)}


def label_codes(scheme: Scheme, *, merge: bool = True) -> tuple[tuple[str, ...], dict[str, int]]:
    """The labels that agreement distinguishes, the default first, ascending by value; and each label's code."""
    merged = merged_labels_of(scheme) if merge else {}
    keys = sorted((key for key in scheme.keys if key not in merged), key=scheme.value)
    labels = (scheme.default, *keys)
    codes = {label: code for code, label in enumerate(labels)}
    return labels, {**codes, **{key: codes[to] for key, to in merged.items()}}


def collection_of(
    project: Project,
    *,
    source: Source,
    phase: str | None,
    round: int | None = 0,
    pairs: QuerySet[Pair] | None = None,
) -> Collection:
    """The submissions on a project's pairs, or on some of them, as arrays.

    `source` has no default, so that gold never gets into human agreement by accident. Only verdict 'submitted' counts:
    rejecting, flagging or skipping a pair doesn't say that nothing differs. `phase` None: all phases; `round` 0
    excludes re-tests of the same pair by the same person, None includes them. Raises Invalid if a span has a label that
    the scheme no longer has.
    """
    annotations, reader = _submitted_annotations(project, source, phase, round), _Reader(project)
    if pairs is not None:
        annotations = annotations.filter(pair__in=pairs.order_by().values("pk"))
    return reader.about.of(
        reader.documents(annotations, pair_list(project).filter(pk__in=annotations.order_by().values("pair")))
    )


def collection_blocks(
    project: Project, *, source: Source, phase: str | None, round: int | None = 0
) -> Iterator[Collection]:
    """As `collection_of`, with BLOCK documents at a time; the last block, or the only one, may have none."""
    annotations, reader = _submitted_annotations(project, source, phase, round), _Reader(project)
    pairs = pair_list(project).filter(pk__in=annotations.order_by().values("pair"))
    keys = list(pairs.values_list("pk", flat=True))
    for start in range(0, max(len(keys), 1), BLOCK):
        batch = keys[start : start + BLOCK]
        reader.texts.clear()
        yield reader.about.of(
            reader.documents(annotations.filter(pair__in=batch), pair_list(project).filter(pk__in=batch))
        )
        # An annotation and its assignment know each other, so that nothing else frees them; the collector by itself
        # (`annotation/apps.py`) would come after 40 MB of them.
        gc.collect(1)


def _submitted_annotations(
    project: Project, source: Source, phase: str | None, round: int | None
) -> QuerySet[Annotation]:
    # Texts are read once per pair, not per annotation.
    annotations = annotation_list(project, source=source, phase=phase, verdicts=(Verdict.SUBMITTED,))
    annotations = annotations.select_related(None).select_related("assignment").defer("provenance", "comment")
    annotations = annotations.annotate(highlights_existed=highlights_existed(project))
    return annotations if round is None else annotations.filter(assignment__round=round)


class _Reader:
    """Makes documents from rows. `about` is the collection without documents, `texts` are those read so far."""

    def __init__(self, project: Project) -> None:
        scheme = project.labels
        labels, self.codes = label_codes(scheme)
        # Not by name: the labels of matched spans depend on who is first, and names may change.
        persons = list(annotator_list(project))
        self.people = {person.pk: index for index, person in enumerate(persons)}
        self.texts: dict[int, TextArrays] = {}
        self.about = Collection(
            labels=labels,
            values=np.array([scheme.value(label) for label in labels], dtype=np.float64),
            sides=tuple(index for index, side in enumerate(SIDES) if side in scheme.sides),
            graded=scheme.graded,
            partition=not scheme.links and not scheme.overlap,
            annotators=tuple(person.alias for person in persons),
            documents=(),
            questions=tuple(_rating_question(question) for question in scheme.rated),
        )

    def documents(self, annotations: Iterable[Annotation], pairs: Iterable[Pair]) -> list[Document]:
        by_pair: dict[int, list[Annotation]] = defaultdict(list)
        for annotation in annotations:
            by_pair[annotation.pair_id].append(annotation)
        return [_document(pair, by_pair.pop(pair.pk), self.people, self.codes, self.texts) for pair in pairs]


def _rating_question(question: Question) -> RatingQuestion:
    """A question's answers, in ascending order of their numbers if every one has a number."""
    values = [choice.value for choice in question.choices if choice.value is not None]
    if len(values) < len(question.choices):
        return RatingQuestion(question.key, question.title, tuple(choice.key for choice in question.choices), None)
    ordered = sorted(question.choices, key=lambda choice: choice.value or 0.0)
    return RatingQuestion(question.key, question.title, tuple(choice.key for choice in ordered), tuple(sorted(values)))


def _document(
    pair: Pair,
    annotations: Sequence[Annotation],
    people: Mapping[int, int],
    codes: Mapping[str, int],
    texts: dict[int, TextArrays],
) -> Document:
    for text in (pair.a, pair.b):
        if text.pk not in texts:
            texts[text.pk] = text_arrays(text)
    a, b = texts[pair.a_id], texts[pair.b_id]
    compared = [_document_annotation(each, people, codes, (a, b)) for each in annotations]
    return Document(
        pair=pair.pk,
        name=pair.external_id,
        split=pair.split,
        languages=(pair.a.language, pair.b.language),
        tokens=(len(a.starts), len(b.starts)),
        lengths=(a.length, b.length),
        sentences=(a.sentences, b.sentences),
        annotations=tuple(sorted(compared, key=lambda each: each.annotator)),
    )


def _document_annotation(
    annotation: Annotation, people: Mapping[int, int], codes: Mapping[str, int], sides: tuple[TextArrays, TextArrays]
) -> DocumentAnnotation:
    span_codes: list[int] = []
    ranges: tuple[list[list[Range]], list[list[Range]]] = ([], [])
    accepted = 0
    for span in annotation.spans["spans"]:
        code = codes.get(span["label"])
        if code is None:
            raise Invalid(
                _("The scheme no longer has the label “%(label)s”.") % {"label": span["label"]},
                code="label",
                where=annotation.pair.external_id,
                hint=_("Add the label to the scheme again, or relabel the spans that use it."),
            )
        span_codes.append(code)
        for side, of in zip(SIDES, ranges, strict=True):
            of.append([(part["start"], part["end"]) for part in span["fragments"] if part["side"] == side])
        accepted += span.get("origin", "manual") != "manual"
    touched = [text.covered_tokens(of) for text, of in zip(sides, ranges, strict=True)]
    spans = tuple(TokenSpan(code, a, b) for code, a, b in zip(span_codes, *touched, strict=True))
    assignment = annotation.assignment
    assert assignment is not None, "only work in an assignment is compared"
    when: datetime = annotation.changed
    existed: bool = vars(annotation)["highlights_existed"]
    return DocumentAnnotation(
        annotator=people[assignment.annotator_id],
        annotation=annotation.pk,
        spans=spans,
        units=(_units(span_codes, ranges[0]), _units(span_codes, ranges[1])),
        codes=(
            _highest_codes([(span.label, span.a) for span in spans], len(sides[0].starts)),
            _highest_codes([(span.label, span.b) for span in spans], len(sides[1].starts)),
        ),
        seconds=annotation.active_seconds,
        highlights=assignment.highlights_shown if existed else None,
        accepted=accepted,
        when=when.timestamp(),
        round=assignment.round,
        answers=annotation.answers,
    )


def _units(codes: Sequence[int], ranges: Sequence[Sequence[Range]]) -> tuple[Unit, ...]:
    return tuple((start, end, code) for code, of in zip(codes, ranges, strict=True) for start, end in of)


def codes_of(spans: Sequence[Span], side: Side, tokens: Sequence[Range], codes: Mapping[str, int]) -> Ints:
    """The highest label code that `spans` give each token of one side, 0 for unmarked tokens."""
    result = np.zeros(len(tokens), dtype=np.int64)
    for span in sorted(spans, key=lambda span: codes[span.label]):
        for fragment in span.fragments:
            if fragment.side == side:
                first, last = bounds(fragment.start, fragment.end, tokens)
                result[first:last] = codes[span.label]
    return result


def _highest_codes(marks: Iterable[tuple[int, frozenset[int]]], tokens: int) -> Ints:
    codes = np.zeros(tokens, dtype=np.int64)
    for code, marked in sorted(marks, key=lambda mark: mark[0]):
        codes[list(marked)] = code
    return codes
