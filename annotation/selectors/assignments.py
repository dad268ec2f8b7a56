"""Reads of assignments: finished ones, the next one, and what may be submitted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, Q, QuerySet, When
from django.utils.translation import gettext as _

from annotation.cached_statements import PreparedQuery
from annotation.errors import NotFound
from annotation.models import Annotator, Assignment, Pair, Phase, Project, Status, Verdict
from annotation.project_options import ProjectOptions
from annotation.selectors.advancement import held_phases
from annotation.selectors.projects import options_of
from annotation.text.schemes import SIDES
from annotation.vocabulary import FINISHED, UNFINISHED

_BULKY = tuple(f"pair__{column}" for column in ("metadata", "translations", "translators")) + tuple(
    f"pair__{side}__{column}" for side in SIDES for column in ("content", "tokens", "sentences", "paragraphs")
)


def assignment_find(pk: int) -> Assignment | None:
    """One assignment with its annotator and project, and the digests of its texts; None if there is none."""
    return _BY_KEY.first(pk=pk)


_BY_KEY: PreparedQuery[Assignment] = PreparedQuery(
    lambda pk: (
        Assignment.objects.filter(pk=pk, annotator__project__staged=False)
        .select_related("annotator__project", "pair__a", "pair__b")
        .defer(*_BULKY)
        .order_by()
    ),
    pk=int,
)


def no_assignment(pk: int) -> NotFound:
    """The same error whether there is no such assignment or this person may not know about it."""
    return NotFound(_("You have no such assignment."), where=str(pk))


def assignments_of(annotator: Annotator) -> QuerySet[Assignment]:
    """One person's assignments, in the order to do them, without texts."""
    return (
        Assignment.objects.filter(annotator=annotator)
        .select_related("annotation", "pair")
        .defer("annotation__spans", "annotation__dismissed", "annotation__provenance")
        .order_by("order", "pk")
    )


def assignments_before(assignment: Assignment) -> int:
    """How many of the same person's assignments come before this one in `assignments_of`."""
    earlier = Q(order__lt=assignment.order) | Q(order=assignment.order, pk__lt=assignment.pk)
    return Assignment.objects.filter(earlier, annotator=assignment.annotator_id).count()


def assignments_of_pair(pair: Pair) -> QuerySet[Assignment]:
    """The assignments of a pair: annotator, phase and status."""
    assignments = Assignment.objects.filter(pair=pair).select_related("annotator", "annotation")
    return assignments.order_by("phase", "annotator_id", "round")


def assignment_next(annotator: Annotator, *, after: Assignment | None) -> Assignment | None:
    """The next assignment: the first unfinished one after `after` in order, else the first unfinished one, else None.

    Phases that the lead has closed are skipped, and pairs that wait until the qualification is passed; in an archived
    project there is none.
    """
    if annotator.project.archived:
        return None
    closed = options_of(annotator.project).closed_phases
    values: dict[str, int | str] = {f"closed{n}": closed[n] if n < len(closed) else "" for n in range(len(Phase))}
    values |= {f"held{n}": phase for n, phase in enumerate(held_phases(annotator) or ("", ""))}
    values["annotator"] = annotator.pk
    if after is not None:
        later = _NEXT_AFTER.first(**values, pk=after.pk, order=after.order)
        if later is not None:
            return later
    return _NEXT.first(**values, pk=after.pk if after else 0)


def assignment_previous(annotator: Annotator, *, before: Assignment) -> int | None:
    """The key of the assignment before `before` in order, finished or not; None if it is the first.

    Pairs that were reassigned, and those that wait until the qualification is passed, are excluded.
    """
    held = held_phases(annotator) or ("", "")
    row = _PREVIOUS.first(annotator=annotator.pk, pk=before.pk, order=before.order, held0=held[0], held1=held[1])
    return row[0] if row else None


def _earlier(annotator: int, pk: int, order: int, held0: str, held1: str) -> QuerySet[Assignment, Any]:
    earlier = Assignment.objects.filter(Q(order__lt=order) | Q(order=order, pk__lt=pk), annotator=annotator)
    earlier = earlier.exclude(status=Status.REASSIGNED).exclude(status=Status.OPEN, phase__in=[held0, held1])
    return earlier.order_by("-order", "-pk").values_list("pk")[:1]


_PREVIOUS: PreparedQuery[tuple[int]] = PreparedQuery(_earlier, annotator=int, pk=int, order=int, held0=str, held1=str)


def assignments_upcoming(annotator: Annotator, *, after: int | None, limit: int) -> list[int]:
    """The keys of the next `limit` unfinished assignments: those after `after` in order, then earlier ones.

    Closed phases and pairs that wait until the qualification is passed are excluded, as in `assignment_next`.
    """
    if annotator.project.archived:
        return []
    held = held_phases(annotator) or ("", "")
    closed = {f"closed{n}": phase for n, phase in enumerate(options_of(annotator.project).closed_phases)}
    rows = _unfinished_and_not_held(annotator=annotator.pk, pk=after or 0, held0=held[0], held1=held[1], **closed)
    order = Assignment.objects.filter(annotator=annotator, pk=after or 0).values_list("order", flat=True).first()
    if after is not None and order is not None:
        later = Case(When(Q(order__gt=order) | Q(order=order, pk__gt=after), then=0), default=1)
        rows = rows.order_by(later, "order", "pk")
    return list(rows.values_list("pk", flat=True)[:limit])


def _unfinished_and_not_held(annotator: int, pk: int, held0: str, held1: str, **closed: str) -> QuerySet[Assignment]:
    waiting = Assignment.objects.filter(annotator=annotator, status__in=UNFINISHED)
    waiting = waiting.exclude(phase__in=list(closed.values())).exclude(pk=pk)
    return waiting.exclude(status=Status.OPEN, phase__in=[held0, held1]).order_by("order", "pk")


_CLOSED: dict[str, type[str]] = {**{f"closed{n}": str for n in range(len(Phase))}, "held0": str, "held1": str}
_NEXT: PreparedQuery[Assignment] = PreparedQuery(
    lambda **of: _unfinished_and_not_held(**of)[:1], annotator=int, pk=int, **_CLOSED
)
_NEXT_AFTER: PreparedQuery[Assignment] = PreparedQuery(
    lambda order, pk, **of: _unfinished_and_not_held(pk=pk, **of).filter(
        Q(order__gt=order) | Q(order=order, pk__gt=pk)
    )[:1],
    annotator=int,
    pk=int,
    order=int,
    **_CLOSED,
)


@dataclass(frozen=True, slots=True)
class Round:
    """One person's annotation of a pair in a round; `waiting` if not submitted (`changed` is then meaningless)."""

    pair: int
    annotator: int
    round: int
    waiting: bool
    changed: datetime | None


def rounds_of(project: Project, phase: str) -> list[Round]:
    """Everyone's work in a phase, re-tests included, without its spans."""
    rows = Assignment.objects.filter(pair__project=project, phase=phase).order_by("pk")
    columns = ("pair_id", "annotator_id", "round", "status", "annotation__verdict", "annotation__changed")
    return [
        Round(pair, annotator, number, status != Status.DONE or verdict != Verdict.SUBMITTED, changed)
        for pair, annotator, number, status, verdict, changed in rows.values_list(*columns)
    ]


def mirror_position(assignment: Assignment, pair: Pair) -> str:
    """Where the pair with the sides swapped is among this person's assignments: 'next', 'before', or '' for neither."""
    if pair.mirror_id is None:
        return ""
    same = Assignment.objects.filter(annotator=assignment.annotator_id, phase=assignment.phase, pair=pair.mirror_id)
    mirror = same.order_by("order", "pk").first()
    if mirror is None:
        return ""
    if (mirror.order, mirror.pk) > (assignment.order, assignment.pk):
        return "next" if mirror.status in UNFINISHED else ""
    return "before" if mirror.status in FINISHED else ""


@dataclass(frozen=True, slots=True)
class Position:
    """An assignment's position among its annotator's own in the phase: the n-th of `of`; so many are `finished`."""

    n: int
    of: int
    finished: int


def _count_query(annotator: int, phase: str, pk: int, order: int) -> QuerySet[Assignment, Any]:
    """Counts of an assignment and its annotator's others in the same phase, without those that were reassigned."""
    same = Assignment.objects.filter(annotator=annotator, phase=phase)
    same = same.exclude(Q(status=Status.REASSIGNED) & ~Q(pk=pk))
    counts = (
        same.order_by()
        .values("annotator")
        .annotate(
            of=Count("pk"),
            finished=Count("pk", filter=Q(status__in=FINISHED)),
            before=Count("pk", filter=Q(order__lt=order) | Q(order=order, pk__lt=pk)),
            skipped=Count("pk", filter=Q(status=Status.SKIPPED) & ~Q(pk=pk)),
        )
    )
    return counts.values_list("of", "finished", "before", "skipped")


_COUNTS: PreparedQuery[tuple[int, int, int, int]] = PreparedQuery(
    _count_query, annotator=int, phase=str, pk=int, order=int
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be submitted for an assignment now; `skips_left` None: no limit."""

    verdicts: tuple[str, ...]
    skip_percent: int | None = None
    skips_used: int = 0
    skips_left: int | None = None
    phase_open: bool = True


def assignment_limits(assignment: Assignment, options: ProjectOptions) -> Limits:
    """The project's limits as they apply to this assignment, whose own skip is not counted."""
    return assignment_position_and_limits(assignment, options)[1]


def assignment_position_and_limits(assignment: Assignment, options: ProjectOptions) -> tuple[Position, Limits]:
    """Both from one statement: they count the same assignments."""
    row = _COUNTS.first(
        annotator=assignment.annotator_id, phase=assignment.phase, pk=assignment.pk, order=assignment.order
    )
    total, finished, before, skipped = row or (0, 0, 0, 0)
    allowed = options.skips_allowed(total)
    limits = Limits(
        verdicts=options.verdicts,
        skip_percent=options.skip_percent,
        skips_used=skipped,
        skips_left=None if allowed is None else max(allowed - skipped, 0),
        phase_open=assignment.phase not in options.closed_phases,
    )
    return Position(before + 1, total, finished), limits
