"""Progress: what is assigned and done, the time it took, and the annotations that a lead should review."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from annotation.models import Annotation, Annotator, Assignment, Phase, Project, Source, Status, Verdict
from annotation.vocabulary import FINISHED


@dataclass(slots=True)
class ProgressCounts:
    """Progress in one phase or over several; `seconds` is active time, without idle time."""

    assigned: int = 0
    done: int = 0
    skipped: int = 0
    started: int = 0
    flagged: int = 0
    rejected: int = 0
    seconds: int = 0
    seconds_done: int = 0
    spans: int = 0

    @property
    def finished(self) -> int:
        return self.done + self.skipped

    @property
    def remaining(self) -> int:
        return self.assigned - self.finished

    @property
    def not_started(self) -> int:
        return self.remaining - self.started

    @property
    def percent(self) -> int:
        """How much is finished, rounded: 0 only if nothing is, 100 only if everything is."""
        if not 0 < self.finished < self.assigned:
            return 100 if self.finished else 0
        return min(max((200 * self.finished + self.assigned) // (2 * self.assigned), 1), 99)

    @property
    def seconds_per_pair(self) -> float | None:
        """Active seconds per finished pair."""
        return self.seconds_done / self.finished if self.finished else None

    @property
    def spans_per_pair(self) -> float | None:
        """Spans per pair that was submitted, rejected or flagged."""
        return self.spans / self.done if self.done else None

    def __add__(self, other: ProgressCounts) -> ProgressCounts:
        return ProgressCounts(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(slots=True)
class PersonProgress:
    """One person's progress by phase and in total, the labels they gave, and when they first and last saved."""

    annotator: Annotator
    phases: dict[str, ProgressCounts] = field(default_factory=dict)
    labels: Counter[str] = field(default_factory=Counter)
    first: object = None
    last: object = None

    @property
    def total(self) -> ProgressCounts:
        return sum(self.phases.values(), ProgressCounts())


def progress_by_phase(assignments: QuerySet[Assignment]) -> dict[tuple[int, str], ProgressCounts]:
    """Progress of the assignments by annotator and phase.

    For a reassigned assignment, only the time spent on it counts.
    """
    finished = Q(status__in=FINISHED)
    rows = (
        assignments.order_by()
        .values("annotator", "phase")
        .annotate(
            assigned=Count("pk", filter=~Q(status=Status.REASSIGNED)),
            done=Count("pk", filter=Q(status=Status.DONE)),
            skipped=Count("pk", filter=Q(status=Status.SKIPPED)),
            started=Count("pk", filter=Q(status=Status.STARTED)),
            flagged=Count("pk", filter=Q(annotation__verdict=Verdict.FLAGGED)),
            rejected=Count("pk", filter=Q(annotation__verdict=Verdict.REJECTED)),
            seconds=Coalesce(Sum("annotation__active_seconds"), 0),
            seconds_done=Coalesce(Sum("annotation__active_seconds", filter=finished), 0),
            spans=Coalesce(Sum("annotation__span_count", filter=Q(status=Status.DONE)), 0),
        )
    )
    progress: dict[tuple[int, str], ProgressCounts] = {}
    for row in rows:
        counted: dict[str, Any] = {**row}
        key = counted.pop("annotator"), counted.pop("phase")
        progress[key] = ProgressCounts(**counted)
    return progress


def project_progress(project: Project) -> list[PersonProgress]:
    """The progress of everyone with assignments in a project, in the order in which they joined."""
    progress = progress_by_phase(Assignment.objects.filter(annotator__project=project))
    people = {person.pk: PersonProgress(person) for person in Annotator.objects.filter(project=project).order_by("pk")}
    for phase in Phase.values:
        for pk, person in people.items():
            if (pk, phase) in progress:
                person.phases[phase] = progress[pk, phase]
    annotations = Annotation.objects.filter(pair__project=project, source=Source.HUMAN)
    # Reassigned work is annotated again by someone else; only the time of the first attempt counts.
    counted = annotations.exclude(assignment__status=Status.REASSIGNED)
    for pk, labels in counted.values_list("assignment__annotator", "label_counts"):
        people[pk].labels.update(labels)
    times = annotations.order_by().values("assignment__annotator").annotate(first=Min("made"), last=Max("changed"))
    for row in times:
        people[row["assignment__annotator"]].first = row["first"]
        people[row["assignment__annotator"]].last = row["last"]
    return [person for person in people.values() if person.phases]


def progress_of_annotators(annotators: list[Annotator]) -> dict[int, dict[str, ProgressCounts]]:
    """Progress in each phase, in the order of the phases, by annotator."""
    progress = progress_by_phase(Assignment.objects.filter(annotator__in=annotators))
    result: dict[int, dict[str, ProgressCounts]] = defaultdict(dict)
    for phase in Phase.values:
        for person in annotators:
            if (person.pk, phase) in progress:
                result[person.pk][phase] = progress[person.pk, phase]
    return dict(result)


def held_pairs(phases: Mapping[str, ProgressCounts], held: Collection[str]) -> int:
    """How many of a person's pairs wait to be advanced: those not started in the phases that `held_phases` names."""
    return sum(counts.not_started for phase, counts in phases.items() if phase in held)


@dataclass(frozen=True, slots=True)
class ProjectCounts:
    """Pairs and assignments of a project, for a list of projects."""

    pairs: int
    assigned: int
    finished: int

    @property
    def remaining(self) -> int:
        return self.assigned - self.finished


def project_counts(projects: list[Project]) -> dict[int, ProjectCounts]:
    """By project: how many pairs and assignments it has, and how many assignments are finished."""
    pairs = dict(
        Project.objects.filter(pk__in=[project.pk for project in projects])
        .annotate(n=Count("pairs"))
        .values_list("pk", "n")
    )
    rows = (
        Assignment.objects.filter(annotator__project__in=projects)
        .exclude(status=Status.REASSIGNED)
        .order_by()
        .values_list("annotator__project")
        .annotate(assigned=Count("pk"), finished=Count("pk", filter=Q(status__in=FINISHED)))
    )
    counts = {project: (assigned, finished) for project, assigned, finished in rows}
    return {
        project.pk: ProjectCounts(pairs.get(project.pk, 0), *counts.get(project.pk, (0, 0))) for project in projects
    }


def annotations_needing_review(project: Project, *, source: Source) -> QuerySet[Annotation]:
    """Annotations of a source that were flagged, rejected, skipped or commented on, newest first."""
    return (
        Annotation.objects.filter(pair__project=project, source=source)
        .filter(Q(verdict__in=(Verdict.FLAGGED, Verdict.REJECTED, Verdict.SKIPPED)) | ~Q(comment=""))
        .annotate(alias=F("assignment__annotator__alias"))
        .select_related("pair", "assignment")
        .defer("spans", "dismissed", "provenance", "pair__metadata", "pair__translations")
        .order_by("-changed", "pk")
    )
