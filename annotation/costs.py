"""What work costs, how fast it goes, and when it will be done.

Money is exact (`Decimal`) and rounded once, where it is shown: to cents, half up.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
HOUR = 3600
WINDOW = 14
"""Days over which the pace is measured."""
MAX_FORECAST_DAYS = 3650
"""Days ahead beyond which no day is forecast."""


@dataclass(frozen=True, slots=True)
class RecordedTime:
    """Active seconds of a person in a phase on a day; or a lead's correction of them, with a `reason` and no phase."""

    annotator: int
    day: date
    phase: str
    seconds: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Rate:
    """What an hour costs from a day on."""

    since: date
    amount: Decimal


def rate_on(rates: Iterable[Rate], day: date) -> Decimal | None:
    """The hourly rate on a day: that of the latest `since` up to it; None if there is none."""
    earlier = [rate for rate in rates if rate.since <= day]
    return max(earlier, key=lambda rate: rate.since).amount if earlier else None


def cost_of(seconds: int | float, rate: Decimal) -> Decimal:
    """The exact cost of active seconds at an hourly rate."""
    return Decimal(seconds) * rate / HOUR


def cents(amount: Decimal) -> Decimal:
    """Rounded to cents, half up."""
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def hours_of(seconds: int) -> Decimal:
    """Seconds in hours, with two decimals."""
    return cents(Decimal(seconds) / HOUR)


@dataclass(slots=True)
class MonthRow:
    """A person's work in a month at one hourly rate; `rate` None: without one. `cost` is exact."""

    annotator: int
    month: str
    rate: Decimal | None
    seconds: int = 0

    @property
    def cost(self) -> Decimal | None:
        return None if self.rate is None else cost_of(self.seconds, self.rate)

    @property
    def as_cost(self) -> TimeCost:
        return TimeCost(self.seconds, self.cost or Decimal(0), 0 if self.rate is not None else self.seconds)


def by_month(worked: Iterable[RecordedTime], rates: dict[int, list[Rate]]) -> list[MonthRow]:
    """Work by person, month ('2026-11') and rate: a month in which the rate changed has two rows for a person."""
    rows: dict[tuple[str, int, Decimal | None], MonthRow] = {}
    for each in worked:
        month, rate = f"{each.day:%Y-%m}", rate_on(rates.get(each.annotator, ()), each.day)
        row = rows.setdefault((month, each.annotator, rate), MonthRow(each.annotator, month, rate))
        row.seconds += each.seconds
    return [rows[key] for key in sorted(rows, key=lambda key: (key[0], key[1], key[2] or Decimal(-1)))]


@dataclass(frozen=True, slots=True)
class TimeCost:
    """Seconds with what they cost, and those of people and days without a rate, which cost nothing here."""

    seconds: int = 0
    amount: Decimal = Decimal(0)
    unpriced: int = 0

    def __add__(self, other: TimeCost) -> TimeCost:
        return TimeCost(self.seconds + other.seconds, self.amount + other.amount, self.unpriced + other.unpriced)


def cost_by_person(worked: Iterable[RecordedTime], rates: dict[int, list[Rate]]) -> dict[int, TimeCost]:
    """What everyone's work has cost so far, each second at the rate of its day."""
    costs: dict[int, TimeCost] = defaultdict(TimeCost)
    for row in by_month(worked, rates):
        costs[row.annotator] += row.as_cost
    return dict(costs)


def pace(days: Sequence[date], today: date) -> float:
    """Pairs finished a day: of those in the last WINDOW days up to today, over the days since the first of them.

    `days` has the day of each finished pair. Days without work count, since weekends and holidays come again; those
    before a person began do not. 0 if nothing was finished in the window.
    """
    first = today - timedelta(days=WINDOW - 1)
    recent = [day for day in days if first <= day <= today]
    if not recent:
        return 0.0
    began = min(days)
    since = max(first, began)
    return len(recent) / ((today - since).days + 1)


def finish_day(remaining: int, pace_per_day: float, today: date) -> date | None:
    """The day on which the last of the remaining pairs is finished at this pace; None without a pace, or too far off.

    Today's work is taken to be done already: at one pair a day, the next one is finished tomorrow.
    """
    if not remaining:
        return today
    if pace_per_day <= 0:
        return None
    days = math.ceil(remaining / pace_per_day - 1e-9)
    return today + timedelta(days=days) if days <= MAX_FORECAST_DAYS else None


def seconds_left(remaining: dict[str, int], own: dict[str, float], everyone: dict[str, float]) -> float | None:
    """Expected active seconds for the remaining pairs of each phase: at one's own mean time for a pair of the phase,
    else everyone's in that phase, else one's own mean over all phases, else everyone's. None if nobody finished a pair.
    """
    total = 0.0
    for phase, pairs in remaining.items():
        if not pairs:
            continue
        averages = (own.get(phase), everyone.get(phase), own.get(""), everyone.get(""))
        each = next((value for value in averages if value is not None), None)
        if each is None:
            return None
        total += pairs * each
    return total
