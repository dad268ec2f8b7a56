"""Cost, pace and forecast, against figures worked out by hand."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.costs import (
    MAX_FORECAST_DAYS,
    Rate,
    RecordedTime,
    TimeCost,
    by_month,
    cents,
    cost_by_person,
    cost_of,
    finish_day,
    hours_of,
    pace,
    rate_on,
    seconds_left,
)

TODAY = date(2026, 11, 23)
RATES = {1: [Rate(date(2026, 10, 1), Decimal("30.00")), Rate(date(2026, 11, 16), Decimal("33.50"))]}


def day(before: int) -> date:
    return TODAY - timedelta(days=before)


def test_a_rate_is_that_of_the_day() -> None:
    assert rate_on(RATES[1], date(2026, 9, 30)) is None
    assert rate_on(RATES[1], date(2026, 10, 1)) == rate_on(RATES[1], date(2026, 11, 15)) == Decimal("30.00")
    assert rate_on(reversed(RATES[1]), date(2026, 11, 16)) == Decimal("33.50")
    assert rate_on([], TODAY) is None


def test_cost_is_exact_and_rounded_once_half_up() -> None:
    # 20 minutes at 30.00 are 10.00; 50 s at 33.50 are 0.46527…: three times that is 1.40, not 1.41.
    assert cost_of(1200, Decimal("30.00")) == Decimal("10")
    assert cents(cost_of(50, Decimal("33.50"))) == Decimal("0.47")
    assert cents(3 * cost_of(50, Decimal("33.50"))) == Decimal("1.40")
    assert [str(hours_of(seconds)) for seconds in (0, 18, 600, 3599)] == ["0.00", "0.01", "0.17", "1.00"]
    assert cents(Decimal("0.125")) == Decimal("0.13") and cents(Decimal("0.135")) == Decimal("0.14")


def test_work_by_person_month_and_rate() -> None:
    worked = [
        RecordedTime(1, date(2026, 11, 15), "main", 3600),
        RecordedTime(1, date(2026, 11, 16), "main", 1800),
        RecordedTime(1, date(2026, 11, 17), "trial", 1800),
        RecordedTime(1, date(2026, 9, 30), "trial", 60),
        RecordedTime(2, date(2026, 11, 15), "main", 7200),
    ]
    found = [(row.month, row.annotator, row.rate, row.seconds, row.cost) for row in by_month(worked, RATES)]
    assert found == [
        ("2026-09", 1, None, 60, None),
        ("2026-11", 1, Decimal("30.00"), 3600, Decimal("30")),
        ("2026-11", 1, Decimal("33.50"), 3600, Decimal("33.5")),
        ("2026-11", 2, None, 7200, None),
    ]
    costs = cost_by_person(worked, RATES)
    assert costs == {1: TimeCost(7260, Decimal("63.5"), 60), 2: TimeCost(7200, Decimal(0), 7200)}
    assert sum(costs.values(), TimeCost()) == TimeCost(14460, Decimal("63.5"), 7260)


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 80), st.integers(1, 40_000))))
def test_months_and_people_add_up_to_the_same(rows: list[tuple[int, int, int]]) -> None:
    worked = [RecordedTime(who, day(before), "main", seconds) for who, before, seconds in rows]
    months, people = by_month(worked, RATES), cost_by_person(worked, RATES)
    assert sum(row.seconds for row in months) == sum(each.seconds for each in people.values())
    total = sum((row.cost for row in months if row.cost is not None), Decimal(0))
    assert abs(total - sum((each.amount for each in people.values()), Decimal(0))) < Decimal("1e-9")
    assert sum(row.seconds for row in months if row.rate is None) == sum(each.unpriced for each in people.values())


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([], 0.0),
        ([day(20), day(15)], 0.0),
        ([day(0)], 1.0),
        ([day(1)], 0.5),
        ([day(2)] * 6, 2.0),
        # 28 in the window of 14 days; the person began before it.
        ([day(30), *[day(13)] * 14, *[day(3)] * 14], 2.0),
        ([day(13)] * 14, 1.0),
        ([day(14)] * 14 + [day(0)] * 7, 0.5),
        ([day(-1)], 0.0),
    ],
)
def test_the_pace_is_over_the_last_two_weeks_or_since_the_first_pair(days: list[date], expected: float) -> None:
    assert pace(days, TODAY) == expected


@pytest.mark.parametrize(
    ("remaining", "speed", "days"),
    [(0, 0.0, 0), (0, 3.0, 0), (1, 1.0, 1), (10, 2.0, 5), (11, 2.0, 6), (3, 0.3, 10), (1, 0.0, None), (5, 0.001, None)],
)
def test_the_day_on_which_it_is_done(remaining: int, speed: float, days: int | None) -> None:
    assert finish_day(remaining, speed, TODAY) == (None if days is None else TODAY + timedelta(days=days))
    assert finish_day(MAX_FORECAST_DAYS + 1, 1.0, TODAY) is None


def test_expected_time_takes_the_nearest_mean_that_is_known() -> None:
    own, everyone = {"main": 100.0, "": 90.0}, {"main": 300.0, "trial": 200.0, "": 250.0}
    assert seconds_left({"main": 3}, own, everyone) == 300
    assert seconds_left({"main": 1, "trial": 2}, own, everyone) == 100 + 400
    assert seconds_left({"qualification": 2}, own, everyone) == 180
    assert seconds_left({"qualification": 2}, {}, everyone) == 500
    assert seconds_left({"main": 1}, {}, {}) is None and seconds_left({"main": 0}, {}, {}) == 0 == seconds_left(
        {}, {}, {}
    )
