"""Work that a lead reopened and its annotator has not submitted again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, Q, QuerySet

from annotation.cached_statements import PreparedQuery
from annotation.models import Annotation, Assignment, Guideline, Project, Revision, Source, Status
from annotation.vocabulary import Verdict


@dataclass(frozen=True, slots=True)
class Reopening:
    """When a lead reopened a pair. `version` of the guidelines was current then, and `since` when it was submitted.

    Both are 0 if there were no guidelines.
    """

    made: datetime
    version: int
    since: int

    @property
    def guidelines_changed(self) -> bool:
        return self.version > self.since


Submission = tuple[int, int, datetime]
"""An annotator, an assignment, and a time."""


def last_submissions(project: Project) -> list[Submission]:
    """Of every reopened annotation: its annotator, its assignment, and when it was last submitted."""
    rows = _reopened(Annotation.objects.filter(pair__project=project))
    last = Max("revisions__made", filter=~Q(revisions__verdict=Verdict.NONE))
    submissions = rows.annotate(last=last).filter(last__isnull=False)
    return list(submissions.values_list("assignment__annotator", "assignment", "last"))


def reopenings(assignments: Iterable[Assignment]) -> dict[int, Reopening]:
    """Which of one project's assignments a lead reopened, by key; what the annotator reopened is not among them."""
    started = {each.pk: each for each in assignments if each.status == Status.STARTED}
    if not started:
        return {}
    rows = _reopened(Annotation.objects.filter(assignment__in=started))
    last = Max("revisions__number", filter=~Q(revisions__verdict=Verdict.NONE))
    numbers = dict(rows.annotate(last=last).filter(last__isnull=False).values_list("pk", "last"))
    return _of_leads(started, numbers)


def reopening_of(assignment: Assignment) -> Reopening | None:
    """If a lead reopened this assignment: when."""
    if assignment.status != Status.STARTED:
        return None
    last = _LAST_SUBMITTED.first(assignment=assignment.pk)
    return _of_leads({assignment.pk: assignment}, dict([last])).get(assignment.pk) if last else None


def _of_leads(started: dict[int, Assignment], numbers: dict[int, int]) -> dict[int, Reopening]:
    """Those of one project's `started` assignments that a lead reopened.

    `numbers` has, for each reopened annotation, the revision that was submitted last.
    """
    if not numbers:
        return {}
    condition = Q()
    for pk, number in numbers.items():
        condition |= Q(annotation=pk, number__in=(number, number + 1))
    selected = Revision.objects.filter(condition).order_by("annotation", "number").select_related("annotation")
    revisions = list(selected.defer("spans", "answers", "annotation__spans"))
    project = next(iter(started.values())).annotator.project_id
    versions = list(Guideline.objects.filter(project=project).order_by("version").values_list("version", "made"))

    def version_at(when: datetime) -> int:
        return max((version for version, at in versions if at <= when), default=0)

    reopenings = {}
    for submitted, reopened in zip(revisions[::2], revisions[1::2], strict=True):
        assignment = started[submitted.annotation.assignment_id or 0]
        if reopened.made_by_id not in (None, assignment.annotator.user_id):
            reopenings[assignment.pk] = Reopening(reopened.made, version_at(reopened.made), version_at(submitted.made))
    return reopenings


def _reopened(rows: QuerySet[Annotation]) -> QuerySet[Annotation]:
    """Human annotations that are in progress; those that were submitted before have a revision that says so."""
    started = rows.filter(source=Source.HUMAN, verdict=Verdict.NONE, assignment__status=Status.STARTED)
    return started.order_by()


def _last_submitted(assignment: int) -> QuerySet[Any, tuple[int, int]]:
    rows = _reopened(Annotation.objects.filter(assignment=assignment))
    submitted = Revision.objects.filter(annotation__in=rows).exclude(verdict=Verdict.NONE)
    return submitted.order_by("-number").values_list("annotation", "number")[:1]


_LAST_SUBMITTED = PreparedQuery[tuple[int, int]](_last_submitted, assignment=int)
