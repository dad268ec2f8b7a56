"""The simulation of a large site: its queues wait as theory says, and nothing that is free waits."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
import simpy

from benchmarks.simulation import SPREAD, SQLITE, Lots, Process, Slope, Web, annotating, running


@pytest.mark.long
def test_a_single_queue_waits_as_long_as_pollaczek_and_khinchine_say() -> None:
    """Poisson arrivals at one server: the mean wait is rate * E[S^2] / (2 * (1 - rate * E[S]))."""
    env = simpy.Environment()
    rng = random.Random(7)
    web = Web(SQLITE, env, rng)
    cost, rate = 0.005, 120.0
    waits: list[float] = []

    def one() -> Process:
        began, before = env.now, web.busy
        yield from web.ask(cost)
        waits.append(env.now - began)
        assert web.busy > before

    def arrivals() -> Process:
        while True:
            yield env.timeout(rng.expovariate(rate))
            env.process(one())

    env.process(arrivals())
    env.run(until=3_000)
    # Moments of a lognormal distribution.
    mean, square = cost * math.exp(SPREAD**2 / 2), cost**2 * math.exp(2 * SPREAD**2)
    expected = mean + rate * square / (2 * (1 - rate * mean))
    assert len(waits) > 300_000 and sum(waits) / len(waits) == pytest.approx(expected, rel=0.02)
    assert web.busy / 3_000 == pytest.approx(rate * mean, rel=0.01)


def test_few_people_wait_for_nobody_and_many_for_each_other() -> None:
    few, many = (annotating(SQLITE, people, minutes=3) for people in (5, 700))
    assert few.median == pytest.approx(SQLITE.save, rel=0.1) and few.slow < 3 * SQLITE.save
    assert many.busy > 0.95 and many.median > 20 * few.median
    assert annotating(SQLITE, 5, minutes=3) == few, "the same seed gives the same figures"


def test_workers_that_need_a_row_for_all_of_their_time_are_as_fast_as_one() -> None:
    lots = Lots(pairs=10, work=1e-6, claim=0.0, write=1.0, locked=1.0)
    assert (
        running(lots, 4, minutes=5)
        == pytest.approx(running(lots, 1, minutes=5), rel=0.02)
        == pytest.approx(10, rel=0.02)
    )
    free = replace(lots, locked=1e-6)
    assert running(free, 4, minutes=5) == pytest.approx(40, rel=0.02)


def test_a_limit_is_passed_where_the_slope_says() -> None:
    slope = Slope("a page", first=20, more=5, limit=200, unit="ms")
    assert slope.pairs == 37_000 and slope.at(slope.pairs) == pytest.approx(200)
    assert Slope("a page", first=300, more=5, limit=200, unit="ms").pairs == 1_000
