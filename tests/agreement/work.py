"""Annotated pairs for the tests of agreement: marks in the notation of token indices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from annotation.models import Annotation, Annotator, Assignment, Pair, Project, Source, Status, User
from annotation.text.schemes import PRESETS, SIDES
from annotation.text.spans import Fragment, Span, ranges_of, spans_document
from tests.factories import AnnotatorFactory, PairFactory, ProjectFactory

Marks = Sequence[tuple[str, Sequence[int], Sequence[int]]]
"""Spans as (label, tokens of side A, tokens of side B)."""


def project(scheme: str | dict[str, Any] = "graded", *aliases: str) -> tuple[Project, list[Annotator]]:
    """A project under a preset or a scheme of its own, with annotators A1 and A2, or those named."""
    made = ProjectFactory(scheme=PRESETS[scheme].to_json() if isinstance(scheme, str) else scheme)
    return made, [AnnotatorFactory(project=made, alias=alias, user=None) for alias in aliases or ("A1", "A2")]


def pair(of: Project, **fields: object) -> Pair:
    return PairFactory(project=of, **fields)


def submit(
    on: Pair,
    by: Annotator,
    marks: Marks = (),
    *,
    phase: str = "main",
    verdict: str = "submitted",
    round: int = 0,
    **fields: object,
) -> Annotation:
    """One person's work on a pair."""
    assignment = Assignment.objects.create(
        pair=on, annotator=by, phase=phase, round=round, order=on.position, status=Status.DONE
    )
    return Annotation.objects.create(
        source=Source.HUMAN,
        pair=on,
        assignment=assignment,
        spans=spans_document(spans_of(on, marks)),
        verdict=verdict,
        revision=1,
        **fields,
    )


def decide_manually(on: Pair, by: User | None, marks: Marks = (), **fields: object) -> Annotation:
    """A pair's gold as a person decided it, in a version that is not closed."""
    return Annotation.objects.create(
        source=Source.GOLD,
        pair=on,
        gold_version=1000,
        spans=spans_document(spans_of(on, marks)),
        provenance={f"s{n}": {"annotations": [7], "rule": "hand", "by": str(by)} for n in range(1, len(marks) + 1)},
        revision=1,
        decided=timezone.now(),
        decided_by=by,
        **fields,
    )


def spans_of(on: Pair, marks: Marks) -> list[Span]:
    texts: Mapping[str, Sequence[tuple[int, int]]] = {"a": on.a.tokens, "b": on.b.tokens}
    return [
        Span(
            f"s{number}",
            label,
            tuple(
                Fragment(side, start, end)
                for side, tokens in zip(SIDES, (a, b), strict=True)
                for start, end in ranges_of(tokens, texts[side])
            ),
        )
        for number, (label, a, b) in enumerate(marks, 1)
    ]
