"""Reads of what was done under which version of the guidelines."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from annotation.models import Annotation, Assignment, Project, Source, Status
from annotation.selectors.projects import guideline_current, options_of
from annotation.vocabulary import Verdict


@dataclass(frozen=True, slots=True)
class VersionWork:
    """One person's submitted pairs under an older version (0: before there were guidelines).

    `closed` of them are in closed phases, and can't be reopened.
    """

    annotator: str
    version: int
    submitted: int
    closed: int


def outdated_work(project: Project) -> list[VersionWork]:
    """What is submitted under older guidelines than the current ones, by person and version; one query."""
    rows = _outdated(project).values(
        name=F("annotator__alias"), version=F("annotation__guideline__version"), who=F("annotator")
    )
    closed = Count("pk", filter=Q(phase__in=options_of(project).closed_phases))
    counted = rows.annotate(n=Count("pk"), closed=closed).order_by("version", "who")
    return [VersionWork(row["name"], row["version"] or 0, row["n"], row["closed"]) for row in counted]


def outdated_assignments(project: Project) -> QuerySet[Assignment]:
    """The same assignments, without those in closed phases, in the order of their keys."""
    return _outdated(project).exclude(phase__in=options_of(project).closed_phases).order_by("pk")


def _outdated(project: Project) -> QuerySet[Assignment]:
    current = guideline_current(project)
    # Flags, rejections and skips stay: they say something to the lead, which reopening would take back.
    found = Assignment.objects.filter(
        pair__project=project,
        status=Status.DONE,
        annotation__source=Source.HUMAN,
        annotation__verdict=Verdict.SUBMITTED,
    )
    if current is None:
        return found.none()
    older = Q(annotation__guideline__version__lt=current.version) | Q(annotation__guideline=None)
    return found.filter(older, annotator__user__isnull=False)


def submitted_by_version(project: Project) -> dict[int, int]:
    """How many pairs are submitted under each version of the guidelines."""
    rows = Annotation.objects.filter(
        pair__project=project,
        source=Source.HUMAN,
        verdict=Verdict.SUBMITTED,
        assignment__status=Status.DONE,
        guideline__isnull=False,
    )
    return dict(rows.order_by().values_list("guideline__version").annotate(n=Count("pk")))
