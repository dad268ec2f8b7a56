"""What the monitor shows: the queue of flags, rejections and comments, and work that is worth a look."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass
from datetime import date
from threading import Lock
from typing import Any

from django.db import connection
from django.db.models import Count, F, Func, IntegerField, Max, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Annotation, Annotator, Pair, Project, Source, Status, Verdict
from annotation.models.time import WorkDay
from annotation.review_criteria import (
    MAX_DAY_SECONDS,
    LabelUse,
    LongDay,
    SlowPair,
    TimedSubmission,
    labels_unlike_others,
    slow_pairs,
    too_fast,
)
from annotation.selectors.progress import annotations_needing_review
from annotation.selectors.time import time_corrections

CACHED_PROJECTS = 4
_remembered: OrderedDict[int, tuple[tuple[int, int], dict[int, int]]] = OrderedDict()
_lock = Lock()


def review_queue(project: Project) -> QuerySet[Annotation]:
    """Flags, rejections, skips and comments that no lead has dealt with as they are now, the oldest first."""
    annotations = annotations_needing_review(project, source=Source.HUMAN).exclude(assignment__status=Status.REASSIGNED)
    return annotations.exclude(review__revision=F("revision")).order_by("changed", "pk")


def review_done(project: Project) -> QuerySet[Annotation]:
    """What leads have dealt with, and annotators have not changed since, the latest first."""
    annotations = annotations_needing_review(project, source=Source.HUMAN)
    return annotations.filter(review__revision=F("revision")).order_by("-review__made", "pk")


def review_counts(queue: QuerySet[Annotation]) -> dict[str, int]:
    """How many by verdict ('flagged', 'rejected', 'skipped'), with only a comment ('comment'), and of 'all'."""
    kinds = queue.order_by().values_list("verdict").annotate(n=Count("pk"))
    named = (Verdict.FLAGGED.value, Verdict.REJECTED.value, Verdict.SKIPPED.value)
    counts = dict.fromkeys((*named, "comment", "all"), 0)
    for verdict, n in kinds:
        counts[verdict if verdict in named else "comment"] += n
        counts["all"] += n
    return counts


def review_get(project: Project, pk: int) -> Annotation:
    """An annotator's annotation of this project. Raises NotFound."""
    row = Annotation.objects.filter(pair__project=project, source=Source.HUMAN, pk=pk).first()
    if row is None:
        raise NotFound(_("There is no such annotation in this project."), where=project.name)
    return row


@dataclass(frozen=True, slots=True)
class UnusualAnnotations:
    """Work worth a look: submissions too fast by person, slow pairs with their names, labels unlike the others', and
    days that are too long, the longest first.
    """

    fast: dict[int, list[TimedSubmission]]
    slow: list[SlowPair]
    labels: list[LabelUse]
    people: dict[int, Annotator]
    pairs: dict[int, str]
    days: list[LongDay]


def unusual_annotations(project: Project, *, limit: int) -> UnusualAnnotations:
    """Fast submissions, the `limit` slowest pairs and longest days, and labels used unlike the others.

    Five statements at most.
    """
    words = _words(project)
    rows = (
        Annotation.objects.filter(pair__project=project, source=Source.HUMAN, assignment__status=Status.DONE)
        .order_by()
        .values_list("assignment__annotator", "pair", "verdict", "active_seconds", "label_counts")
    )
    submissions: list[TimedSubmission] = []
    labels: dict[int, Counter[str]] = defaultdict(Counter)
    for annotator, pair, verdict, seconds, counts in rows:
        labels[annotator].update(counts)
        if verdict == Verdict.SUBMITTED:
            submissions.append(TimedSubmission(annotator, pair, seconds, words.get(pair, 0)))
    # Imported work often has no time at all.
    timed = {each.annotator for each in submissions if each.seconds}
    fast: dict[int, list[TimedSubmission]] = defaultdict(list)
    for each in too_fast([each for each in submissions if each.annotator in timed]):
        fast[each.annotator].append(each)
    slow = slow_pairs(submissions)[:limit]
    named = {each.pair for each in slow} | {each.pair for own in fast.values() for each in own[:limit]}
    return UnusualAnnotations(
        dict(fast),
        slow,
        labels_unlike_others(labels),
        {each.pk: each for each in Annotator.objects.filter(project=project)},
        dict(Pair.objects.filter(pk__in=named).order_by().values_list("pk", "external_id")),
        _long_days(project, limit),
    )


def _long_days(project: Project, limit: int) -> list[LongDay]:
    corrections: Counter[tuple[int, date]] = Counter()
    for person, day, seconds in time_corrections(project).values_list("annotator_id", "day", "seconds"):
        corrections[person, day] += seconds
    worked = WorkDay.objects.filter(annotator__project=project).order_by().values_list("annotator_id", "day")
    totals = worked.annotate(total=Sum("seconds"))
    long = totals.filter(Q(total__gt=MAX_DAY_SECONDS) | Q(day__in={day for _person, day in corrections}))
    seconds_by_day = Counter({(person, day): total for person, day, total in long})
    seconds_by_day.update(corrections)
    days = [LongDay(person, day, total) for (person, day), total in seconds_by_day.items() if total > MAX_DAY_SECONDS]
    return sorted(days, key=lambda each: (-each.seconds, each.day, each.annotator))[:limit]


def _words(project: Project) -> dict[int, int]:
    """By pair, the words of both texts: counted once in a process, since texts never change."""
    pairs = Pair.objects.filter(project=project).order_by()
    state: Any = pairs.aggregate(n=Count("pk"), last=Max("pk"))
    key = (state["n"], state["last"] or 0)
    with _lock:
        remembered = _remembered.get(project.pk)
        if remembered is not None and remembered[0] == key:
            _remembered.move_to_end(project.pk)
            return remembered[1]
    function = "jsonb_array_length" if connection.vendor == "postgresql" else "json_array_length"
    sides = (Func(F(f"{side}__tokens"), function=function, output_field=IntegerField()) for side in ("a", "b"))
    words = {pk: one + other for pk, one, other in pairs.values_list("pk", *sides)}
    with _lock:
        _remembered[project.pk] = (key, words)
        while len(_remembered) > CACHED_PROJECTS:
            _remembered.popitem(last=False)
    return words
