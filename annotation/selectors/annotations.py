"""Reads of annotations. `source` is always named: what people made and what is gold are never mixed unasked."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import Count, Q, QuerySet

from annotation.models import Annotation, Assignment, Pair, Project, Source, Verdict, no_spans

IS_GOLD = Q(source=Source.GOLD, verdict=Verdict.SUBMITTED)
"""What counts as gold: rows of a closed version. One without a verdict is still a draft, or was left out."""


def annotation_list(
    project: Project, *, source: Source, phase: str | None = None, verdicts: Collection[str] | None = None
) -> QuerySet[Annotation]:
    """The annotations of a project with pair, texts and person, in the order of the pairs, then of the people.

    `phase` None: all phases. `verdicts` None: all, work that was not handed in (verdict '') among them.
    """
    found = Annotation.objects.filter(pair__project=project, source=source)
    if phase is not None:
        found = found.filter(assignment__phase=phase)
    if verdicts is not None:
        found = found.filter(verdict__in=verdicts)
    return found.select_related("pair__a", "pair__b", "assignment__annotator").order_by(
        "pair__position", "pair_id", "assignment__annotator_id", "pk"
    )


def shared_pairs(project: Project, *, source: Source, phase: str) -> int:
    """How many pairs two people or more handed in in a phase."""
    found = Annotation.objects.filter(
        pair__project=project, source=source, assignment__phase=phase, assignment__round=0, verdict=Verdict.SUBMITTED
    )
    return found.order_by().values("pair").annotate(people=Count("pk")).filter(people__gt=1).count()


def annotations_of_pair(pair: Pair, *, source: Source) -> QuerySet[Annotation]:
    """Everything of one source that was made of a pair, people in the order in which they came; no drafts of gold."""
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
    """What was made in an assignment, read afresh; None where nothing was saved yet."""
    return Annotation.objects.filter(assignment=assignment).first()


def annotation_state(annotation: Annotation | None) -> dict[str, Any]:
    """An annotation as the workspace knows it; of None, the state of work nobody began (revision 0)."""
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
        # One key of the workspace's JSON for what was put aside: suggestions, of gold disputed regions.
        "dismissed": annotation.unmarked if annotation.source == Source.GOLD else annotation.dismissed,
        "saved": annotation.changed.isoformat(),
    }
