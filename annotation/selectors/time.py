"""Reads of active time by day with its corrections, of hourly rates, and of what follows from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Avg, Count, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotation.costs import (
    WINDOW,
    MonthRow,
    Rate,
    RecordedTime,
    TimeCost,
    by_month,
    cost_by_person,
    cost_of,
    finish_day,
    pace,
    rate_on,
    seconds_left,
)
from annotation.models import Annotation, Annotator, Assignment, Project, Source, Verdict
from annotation.models.time import HourlyRate, TimeCorrection, WorkDay
from annotation.selectors.reopenings import Submission, last_submissions
from annotation.vocabulary import FINISHED, UNFINISHED


def rates_of(project: Project) -> dict[int, list[Rate]]:
    """By annotator, their hourly rates in the order in which they begin."""
    rates: dict[int, list[Rate]] = defaultdict(list)
    rows = HourlyRate.objects.filter(annotator__project=project).order_by("annotator", "since")
    for person, since, amount in rows.values_list("annotator_id", "since", "amount"):
        rates[person].append(Rate(since, amount))
    return dict(rates)


def recorded_time(project: Project, *, annotator: int | None = None, month: date | None = None) -> list[RecordedTime]:
    """Everyone's work by day and phase, or one person's, or that of the month which begins on `month`.

    A correction is work without a phase, with its reason; it may be negative.
    """
    narrowed: dict[str, Any] = {"annotator__project": project}
    if annotator is not None:
        narrowed["annotator"] = annotator
    if month is not None:
        narrowed |= {"day__gte": month, "day__lt": next_month(month)}
    columns = ("annotator_id", "day", "phase", "seconds")
    worked = WorkDay.objects.filter(seconds__gt=0, **narrowed).order_by("day", "annotator", "phase")
    recorded = [RecordedTime(*row) for row in worked.values_list(*columns)]
    corrections = TimeCorrection.objects.filter(**narrowed).order_by("pk")
    recorded += [RecordedTime(each.annotator_id, each.day, "", each.seconds, each.reason) for each in corrections]
    return sorted(recorded, key=lambda each: (each.day, each.annotator, not each.phase))


def time_corrections(project: Project, *, annotator: int | None = None) -> QuerySet[TimeCorrection]:
    """Everyone's corrections of time, or one person's, the last one first."""
    rows = TimeCorrection.objects.filter(annotator__project=project).select_related("annotator", "made_by")
    if annotator is not None:
        rows = rows.filter(annotator=annotator)
    return rows.order_by("-made", "-pk")


def next_month(month: date) -> date:
    """The first day of the month after that of `month`."""
    return (month.replace(day=1) + timedelta(days=32)).replace(day=1)


def months_worked(project: Project, *, annotator: int | None = None) -> list[MonthRow]:
    """Work by person, month and rate, the newest month first."""
    months = by_month(recorded_time(project, annotator=annotator), rates_of(project))
    return sorted(months, key=lambda row: row.month, reverse=True)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is to be expected of a person, or of everyone together.

    `pace`: pairs finished a day, over the last two weeks; `seconds` and `amount`: expected active time and its cost for
    the remaining pairs, None if unknown; `day`: when the last one is finished at this pace. `unpriced`: whether people
    without an hourly rate have pairs remaining, so that `amount` is too small.
    """

    remaining: int
    pace: float
    seconds: float | None
    day: date | None
    amount: Any
    unpriced: bool


@dataclass(frozen=True, slots=True)
class PersonCost:
    """One person's cost so far, current hourly rate, and forecast."""

    annotator: Annotator
    cost: TimeCost
    rate: Any
    forecast: Forecast


@dataclass(frozen=True, slots=True)
class ProjectCost:
    """Everyone's cost and forecast, in the order in which they joined, and the total of both."""

    people: list[PersonCost]
    cost: TimeCost
    forecast: Forecast


def project_cost(project: Project) -> ProjectCost:
    """Cost so far, pace and forecast, by person and in total, in as many statements however many pairs there are."""
    today = timezone.localdate()
    rates = rates_of(project)
    costs = cost_by_person(recorded_time(project), rates)
    left = _unfinished_pairs(project)
    reopened = last_submissions(project)
    own, everyone = _mean_times(project, reopened)
    finished = _finished_days(project, today, reopened)
    people = []
    for person in Annotator.objects.filter(project=project).order_by("pk"):
        remaining, rate = sum(left[person.pk].values()), rate_on(rates.get(person.pk, ()), today)
        if not remaining and person.pk not in costs and person.pk not in rates:
            continue
        speed = pace(finished.get(person.pk, []), today)
        seconds = seconds_left(left[person.pk], own[person.pk], everyone)
        amount = None if rate is None or seconds is None else cost_of(seconds, rate)
        day = finish_day(remaining, speed, today)
        forecast = Forecast(remaining, speed, seconds, day, amount, rate is None and remaining > 0)
        people.append(PersonCost(person, costs.get(person.pk, TimeCost()), rate, forecast))
    return ProjectCost(people, sum((each.cost for each in people), TimeCost()), _project_forecast(people))


def _project_forecast(people: list[PersonCost]) -> Forecast:
    """The project is done when the last person is."""
    each = [person.forecast for person in people]
    busy = [one for one in each if one.remaining]
    seconds = [one.seconds for one in busy]
    days = [one.day for one in busy]
    amounts = [one.amount for one in busy if one.amount is not None]
    return Forecast(
        remaining=sum(one.remaining for one in each),
        pace=sum(one.pace for one in each),
        seconds=None if None in seconds else sum(value for value in seconds if value is not None),
        day=None if None in days or not days else max(day for day in days if day is not None),
        amount=sum(amounts) if amounts else None,
        unpriced=any(one.unpriced or (one.amount is None and one.remaining > 0) for one in each),
    )


def expected_seconds(project: Project, to_do: Mapping[int, Mapping[str, int]]) -> dict[int, float | None]:
    """By person, the active seconds to expect for so many pairs of each phase; None while nobody has finished one."""
    own, everyone = _mean_times(project, last_submissions(project))
    return {person: seconds_left(dict(pairs), own.get(person, {}), everyone) for person, pairs in to_do.items()}


def _unfinished_pairs(project: Project) -> dict[int, dict[str, int]]:
    """By person, unfinished pairs by phase."""
    assignments = Assignment.objects.filter(annotator__project=project, status__in=UNFINISHED).order_by()
    left: dict[int, dict[str, int]] = defaultdict(dict)
    for person, phase, n in assignments.values_list("annotator", "phase").annotate(n=Count("pk")):
        left[person][phase] = n
    return left


def _mean_times(
    project: Project, reopened: Sequence[Submission]
) -> tuple[dict[int, dict[str, float]], dict[str, float]]:
    """By person, and for everyone together: mean active seconds of a finished pair by phase, '' for all phases."""
    assignments = Assignment.objects.filter(annotator__project=project).order_by()
    # What was reopened took its time too.
    finished_once = Q(status__in=FINISHED) | Q(pk__in=[assignment for _person, assignment, _time in reopened])
    rows = (
        assignments.filter(finished_once, annotation__active_seconds__gt=0)
        .values_list("annotator", "phase")
        .annotate(n=Count("pk"), mean=Avg("annotation__active_seconds"))
    )
    sums: dict[tuple[int, str], tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    for person, phase, n, mean in rows:
        for key in ((person, phase), (person, ""), (0, phase), (0, "")):
            count, seconds = sums[key]
            sums[key] = count + n, seconds + n * float(mean)
    means: dict[int, dict[str, float]] = defaultdict(dict)
    for (person, phase), (count, seconds) in sums.items():
        means[person][phase] = seconds / count
    return means, means[0]


def _finished_days(project: Project, today: date, reopened: Sequence[Submission]) -> dict[int, list[date]]:
    """By person, the day of each pair finished in the window of the pace, and of the first one before it.

    A pair that was reopened counts on the day of its last submission until it is submitted again.
    """
    first = today - timedelta(days=WINDOW - 1)
    days_by_person: dict[int, list[date]] = defaultdict(list)
    rows: QuerySet[Any] = (
        Annotation.objects.filter(pair__project=project, source=Source.HUMAN)
        .exclude(verdict=Verdict.NONE)
        .filter(assignment__status__in=FINISHED)
        .order_by()
        .annotate(day=TruncDate("changed"))
        .values_list("assignment__annotator", "day")
        .annotate(n=Count("pk"))
    )
    for person, day, n in rows:
        # Of the time before, only that there was work matters.
        days_by_person[person].extend([day] * (n if day >= first else 1))
    # What was reopened was finished once, which took that person's time.
    for person, _assignment, submitted in reopened:
        days_by_person[person].append(timezone.localdate(submitted))
    return dict(days_by_person)
