"""Reads of annotations. `source` is always named, so that human work and gold are never mixed by accident."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import Count, Q, QuerySet

from annotation.cached_statements import PreparedQuery
from annotation.models import Annotation, Assignment, Pair, Project, Source, Verdict, no_spans

IMPORTED = 0
"""The number of the gold version that came with imports."""
IS_GOLD = Q(source=Source.GOLD, verdict=Verdict.SUBMITTED)
"""What counts as gold: rows of a closed version. A row without a verdict is still a draft, or was excluded."""


def annotation_list(
    project: Project, *, source: Source, phase: str | None = None, verdicts: Collection[str] | None = None
) -> QuerySet[Annotation]:
    """The annotations of a project with pair, texts and person, ordered by pair, then by person.

    `phase` None: all phases. `verdicts` None: all annotations, including unsubmitted ones (verdict '').
    """
    annotations = Annotation.objects.filter(pair__project=project, source=source)
    if phase is not None:
        annotations = annotations.filter(assignment__phase=phase)
    if verdicts is not None:
        annotations = annotations.filter(verdict__in=verdicts)
    return annotations.select_related("pair__a", "pair__b", "assignment__annotator").order_by(
        "pair__position", "pair_id", "assignment__annotator_id", "pk"
    )


def shared_pairs(project: Project, *, source: Source, phase: str) -> int:
    """How many pairs of a phase were submitted by two people or more."""
    annotations = Annotation.objects.filter(
        pair__project=project, source=source, assignment__phase=phase, assignment__round=0, verdict=Verdict.SUBMITTED
    )
    return annotations.order_by().values("pair").annotate(people=Count("pk")).filter(people__gt=1).count()


def annotations_of_pair(pair: Pair, *, source: Source) -> QuerySet[Annotation]:
    """All annotations of a pair from one source, people in the order in which they joined; no drafts of gold."""
    return (
        Annotation.objects.filter(pair=pair, source=source)
        .exclude(source=Source.GOLD, verdict=Verdict.NONE)
        .select_related("assignment__annotator", "guideline")
        .order_by("assignment__annotator_id", "gold_version", "pk")
    )


def gold_of(pair: Pair) -> Annotation | None:
    """The newest gold of a pair, or None."""
    return Annotation.objects.filter(IS_GOLD, pair=pair).order_by("-gold_version").first()


def annotation_of(assignment: Assignment) -> Annotation | None:
    """The annotation of an assignment, read from the database; None if nothing was saved yet."""
    return _OF_ASSIGNMENT.first(assignment=assignment.pk)


_OF_ASSIGNMENT: PreparedQuery[Annotation] = PreparedQuery(
    lambda assignment: Annotation.objects.filter(assignment=assignment).order_by(), assignment=int
)


def annotation_state(annotation: Annotation | None) -> dict[str, Any]:
    """An annotation in the workspace's JSON; for None, the state of an assignment that was not started (revision 0)."""
    if annotation is None:
        return {
            "revision": 0,
            "spans": no_spans(),
            "answers": {},
            "verdict": "",
            "reason": "",
            "comment": "",
            "read": {"a": [], "b": []},
            "active_seconds": 0,
            "dismissed": [],
            "unmarked": [],
            "saved": None,
        }
    read = annotation.read_paragraphs
    return {
        "revision": annotation.revision,
        "spans": annotation.spans,
        "answers": annotation.answers,
        "verdict": annotation.verdict,
        "reason": annotation.reason,
        "comment": annotation.comment,
        "read": {"a": read.get("a", []), "b": read.get("b", [])},
        "active_seconds": annotation.active_seconds,
        "dismissed": annotation.dismissed,
        "unmarked": annotation.unmarked,
        "saved": annotation.changed.isoformat(),
    }
