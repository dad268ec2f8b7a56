"""Reads of messages: the threads that a person may see, and how many wait for whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import (
    Case,
    Count,
    Exists,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextChoices,
    Value,
    When,
)
from django.utils.translation import gettext as _

from annotation.cached_statements import PreparedQuery
from annotation.errors import NotFound
from annotation.models import Annotator, Assignment, Project, Status, User
from annotation.models.messages import Message, Party, Thread, ThreadReading
from annotation.selectors.advancement import held_phases


class ThreadStatus(TextChoices):
    """Which threads a list shows; WAITING: those of the open ones that wait for a lead."""

    OPEN = "open"
    WAITING = "waiting"
    RESOLVED = "resolved"
    ALL = "all"


STATUSES = (ThreadStatus.OPEN.value, ThreadStatus.RESOLVED.value, ThreadStatus.ALL.value)
"""The statuses that one can ask for."""
_IS_WAITING = Q(resolved=None, waiting_for=Party.LEAD)


def threads_of(project: Project, *, of: Annotator | None) -> QuerySet[Thread]:
    """A project's threads with their messages: everyone's (`of` None, for leads), or those about one person's pairs.

    Without those about pairs that wait until this person is advanced: messages quote the texts.
    """
    threads = _threads(project, of)
    return threads if of is None else threads.exclude(_about_held_pairs(of))


def _threads(project: Project, of: Annotator | None) -> QuerySet[Thread]:
    threads = Thread.objects.filter(assignment__annotator__project=project)
    if of is not None:
        threads = threads.filter(assignment__annotator=of)
    return threads.select_related("assignment__annotator", "assignment__pair", "resolved_by").prefetch_related(
        "messages__author", "readings__reader"
    )


@dataclass(frozen=True, slots=True)
class LeadReadState:
    """Whether a thread waits for a lead and `by` has not read it, and the other leads who have read what waits."""

    new: bool
    others: list[str]


def lead_read_state(thread: Thread, by: User) -> LeadReadState:
    """What leads have read of a thread of `threads_of` or `thread_get`, as one of them sees it; no further query.

    Once someone has answered or resolved it, it is new to nobody.
    """
    if thread.resolved or thread.waiting_for != Party.LEAD:
        return LeadReadState(False, [])
    last = max((each.pk for each in thread.messages.all() if each.by == Party.ANNOTATOR), default=0)
    readers = {each.reader.get_username(): each.reader_id for each in thread.readings.all() if each.last >= last}
    return LeadReadState(by.pk not in readers.values(), sorted(name for name, key in readers.items() if key != by.pk))


def threads_new_to(project: Project, by: User) -> int:
    """How many threads wait for a lead that this one has not read."""
    last = Message.objects.filter(thread=OuterRef("pk"), by=Party.ANNOTATOR).order_by("-pk").values("pk")[:1]
    read = ThreadReading.objects.filter(thread=OuterRef("pk"), reader=by, last__gte=OuterRef("newest"))
    threads = Thread.objects.filter(_IS_WAITING, assignment__annotator__project=project).annotate(newest=Subquery(last))
    return threads.exclude(Exists(read)).count()


def _about_held_pairs(annotator: Annotator) -> Q:
    """Threads about pairs that wait until their annotator, whose project is loaded, is advanced."""
    phases = held_phases(annotator)
    return Q(assignment__annotator=annotator, assignment__status=Status.OPEN, assignment__phase__in=phases)


def threads_listed(threads: QuerySet[Thread], status: str) -> QuerySet[Thread]:
    """The open, resolved or all of them: what waits for a lead first, then what waits for an annotator, then the rest.

    'waiting' are those that wait for a lead alone. The open ones that waited longest come first; of the resolved ones,
    those with the latest message.
    """
    rank = Case(
        When(_IS_WAITING, then=Value(0)),
        When(resolved=None, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    if status == ThreadStatus.RESOLVED:
        return threads.exclude(resolved=None).order_by("-changed", "-pk")
    if status == ThreadStatus.WAITING:
        return threads.filter(_IS_WAITING).order_by("changed", "pk")
    ordered = threads.annotate(rank=rank).order_by("rank", "changed", "pk")
    return ordered.filter(resolved=None) if status == ThreadStatus.OPEN else ordered


def thread_counts(project: Project) -> dict[str, int]:
    """How many threads are 'open', of them 'waiting' for a lead, and 'resolved'."""
    counts: dict[str, int] = Thread.objects.filter(assignment__annotator__project=project).aggregate(
        open=Count("pk", filter=Q(resolved=None)),
        waiting=Count("pk", filter=_IS_WAITING),
        resolved=Count("pk", filter=Q(resolved__isnull=False)),
    )
    return counts


def thread_get(project: Project, pk: int, *, of: Annotator | None) -> Thread:
    """A thread about anyone's pair (`of` None, for leads), or about one's own, even while the pair waits.

    Raises NotFound, whether there is no such thread or this person may not know about it.
    """
    row = _threads(project, of).filter(pk=pk).first()
    if row is None:
        raise NotFound(_("There are no such messages in this project."), where=project.name)
    return row


def assignment_written_about(project: Project, pk: int, *, of: Annotator | None) -> Assignment | None:
    """An assignment that messages may be about: anyone's (`of` None, for leads), or one's own; with its texts."""
    assignments = Assignment.objects.filter(pk=pk, annotator__project=project)
    if of is not None:
        assignments = assignments.filter(annotator=of)
    return assignments.select_related("annotator__user", "pair__a", "pair__b").first()


def threads_unread(memberships: Collection[Annotator]) -> dict[int, list[Thread]]:
    """By membership, the threads with a message of a lead that the annotator has not read, the oldest first.

    Without those about pairs that wait until the annotator is advanced. The memberships' projects are loaded.
    """
    by_annotator: dict[int, list[Thread]] = {}
    rows = Thread.objects.filter(assignment__annotator__in=memberships, unread_since__isnull=False)
    rows = rows.exclude(reduce(or_, map(_about_held_pairs, memberships), Q()))
    for row in rows.select_related("assignment__pair").order_by("unread_since", "pk"):
        by_annotator.setdefault(row.assignment.annotator_id, []).append(row)
    return by_annotator


def threads_by_assignment(annotator: Annotator) -> dict[int, Counter[str]]:
    """By assignment of a person, how many threads are 'open' and 'unread'; not of pairs that wait (`threads_of`)."""
    threads = Thread.objects.filter(assignment__annotator=annotator).exclude(_about_held_pairs(annotator))
    rows = threads.order_by().values_list("assignment")
    counts = rows.annotate(
        open=Count("pk", filter=Q(resolved=None)), unread=Count("pk", filter=Q(unread_since__isnull=False))
    )
    return {pk: Counter(open=n, unread=unread) for pk, n, unread in counts}


_OF_ASSIGNMENT: PreparedQuery[tuple[int, int, int]] = PreparedQuery(
    lambda assignment: (
        Thread.objects.filter(assignment=assignment)
        .order_by()
        .values("assignment")
        .annotate(
            open=Count("pk", filter=Q(resolved=None)),
            waiting=Count("pk", filter=_IS_WAITING),
            unread=Count("pk", filter=Q(unread_since__isnull=False)),
        )
        .values_list("open", "waiting", "unread")
    ),
    assignment=int,
)


def thread_numbers(assignment: Assignment, by: User) -> dict[str, int]:
    """How many threads of an assignment are 'open', and 'new': not read by its annotator, or not answered by a lead."""
    opened, waiting, unread = _OF_ASSIGNMENT.first(assignment=assignment.pk) or (0, 0, 0)
    is_own = assignment.annotator.user_id == by.pk
    return {"open": opened, "new": unread if is_own else waiting}
