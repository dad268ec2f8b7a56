"""Reads of what was done under which version of the guidelines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from annotation.models import Annotation, Assignment, Project, Source, Status
from annotation.selectors.projects import guideline_current, options_of
from annotation.selectors.references import submissions_final
from annotation.vocabulary import Verdict


@dataclass(frozen=True, slots=True)
class OutdatedAnnotations:
    """One person's submitted pairs under an older version (0: before there were guidelines).

    `closed` of them are in closed phases, and the first submission of `final` others counts: neither can be reopened.
    """

    annotator: str
    version: int
    submitted: int
    closed: int
    final: int

    @property
    def reopenable(self) -> int:
        return self.submitted - self.closed - self.final


def outdated_annotations(project: Project) -> list[OutdatedAnnotations]:
    """What is submitted under older guidelines than the current ones, by person and version; a few queries."""
    outdated = _outdated(project)
    rows = outdated.values(name=F("annotator__alias"), version=F("annotation__guideline__version"), who=F("annotator"))
    closed = Count("pk", filter=Q(phase__in=options_of(project).closed_phases))
    counted = list(rows.annotate(n=Count("pk"), closed=closed).order_by("version", "who"))
    if not counted:
        return []
    open_ = outdated_assignments(project)
    final = submissions_final(project, open_)
    final_rows = open_.filter(pk__in=final).values_list("annotation__guideline__version", "annotator")
    finals = Counter(final_rows) if final else Counter()
    return [
        OutdatedAnnotations(
            row["name"], row["version"] or 0, row["n"], row["closed"], finals[row["version"], row["who"]]
        )
        for row in counted
    ]


def outdated_assignments(project: Project) -> QuerySet[Assignment]:
    """The same assignments, without those in closed phases, in the order of their keys."""
    return _outdated(project).exclude(phase__in=options_of(project).closed_phases).order_by("pk")


def _outdated(project: Project) -> QuerySet[Assignment]:
    current = guideline_current(project)
    # Flags, rejections and skips stay: they say something to the lead, which reopening would take back.
    assignments = Assignment.objects.filter(
        pair__project=project,
        status=Status.DONE,
        annotation__source=Source.HUMAN,
        annotation__verdict=Verdict.SUBMITTED,
    )
    if current is None:
        return assignments.none()
    older = Q(annotation__guideline__version__lt=current.version) | Q(annotation__guideline=None)
    return assignments.filter(older, annotator__user__isnull=False)


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
