"""What a large site does, by simulation: `script/bench simulation [--minutes 10]`.

Annotators, a lead and GPU workers wait in queues for what they share: the web processes, and the row of a run. What a
request or a lot costs was measured (docs/performance.md, docs/scaling.md); only how many there are is invented. The
simulation leaves out the network, and work of others on the same cores. `docs/scaling.md` shows what it prints.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from typing import Any

import simpy

from benchmarks.lab import MARKS, PAUSE, WATCHED
from benchmarks.load import table

Process = Generator[simpy.Event, Any, Any]
"""What simpy runs: it yields what it waits for."""
SPREAD = math.log(1.5) / 1.645
"""The 95th percentile of a request's cost is 1.5 times its median, as of the saves of one client."""
PEOPLE = (10, 30, 100, 200, 300, 400, 600, 800)
WORKERS = (1, 2, 5, 10, 20, 50, 100)
MILLION = 1_000_000
SEED = 20261127


@dataclass(frozen=True, slots=True)
class Site:
    """Seconds of a web process for each request, and how many requests are worked on at once."""

    name: str
    at_once: int
    save: float
    submit: float
    following: float
    opening: float
    agreement: float


# A save costs what the most saves a second of eight clients leave for it: 175 in one process, 209 in two.
SQLITE = Site("SQLite, 1 process", 1, 1 / 175, 0.0045, 0.0035, 0.012, 0.175)
POSTGRES = Site("PostgreSQL, 2 processes", 2, 2 / 209, 0.009, 0.005, 0.018, 0.221)
SITES = (SQLITE, POSTGRES, Site("PostgreSQL, 8 processes", 8, 2 / 209, 0.009, 0.005, 0.018, 0.221))


@dataclass(slots=True)
class Web:
    """The web processes of a site, with what they were asked and how long each save took."""

    site: Site
    env: simpy.Environment
    rng: random.Random
    processes: simpy.Resource = field(init=False)
    saves: list[float] = field(default_factory=list)
    busy: float = 0.0

    def __post_init__(self) -> None:
        self.processes = simpy.Resource(self.env, capacity=self.site.at_once)

    def ask(self, cost: float) -> Process:
        """Wait for a process, then for the answer; `cost` is the median."""
        with self.processes.request() as turn:
            yield turn
            seconds = cost * math.exp(self.rng.gauss(0, SPREAD))
            self.busy += seconds
            yield self.env.timeout(seconds)

    def annotator(self) -> Process:
        """As in `benchmarks.lab`: open a pair, save it a few times, submit it, ask for the next."""
        site = self.site
        steps = (site.opening, *[site.save] * MARKS, site.submit, site.following)
        while True:
            for step in steps:
                yield self.env.timeout(self.rng.uniform(*PAUSE))
                began = self.env.now
                yield from self.ask(step)
                if step == site.save:
                    self.saves.append(self.env.now - began)

    def lead(self) -> Process:
        """The agreement page, again and again."""
        while True:
            yield self.env.timeout(WATCHED)
            yield from self.ask(self.site.agreement)


@dataclass(frozen=True, slots=True)
class LoadResult:
    """Saves a second, the median and the 95th percentile of their seconds, and the share of time at work."""

    rate: float
    median: float
    slow: float
    busy: float


def annotating(site: Site, people: int, minutes: float, seed: int = SEED) -> LoadResult:
    """What so many annotators and a lead experience."""
    env = simpy.Environment()
    web = Web(site, env, random.Random(seed))
    for _ in range(people):
        env.process(web.annotator())
    env.process(web.lead())
    env.run(until=60 * minutes)
    saves = sorted(web.saves)
    slow = saves[math.ceil(0.95 * len(saves)) - 1]
    return LoadResult(
        len(saves) / (60 * minutes), saves[len(saves) // 2], slow, web.busy / (60 * minutes * site.at_once)
    )


@dataclass(frozen=True, slots=True)
class Lots:
    """A run in lots: the pairs of one, and seconds for its work, its claim, writing what was found, and the run's row.

    `locked` is the part of the writing for which a worker holds the row of the run, which all of them need.
    """

    pairs: int = 256
    work: float = 10.0
    claim: float = 0.005
    write: float = 0.140
    locked: float = 0.005


def running(lots: Lots, workers: int, minutes: float, seed: int = SEED) -> float:
    """Pairs a second of so many workers in one run."""
    env, rng = simpy.Environment(), random.Random(seed)
    row = simpy.Resource(env, capacity=1)
    done = 0

    def worker() -> Process:
        nonlocal done
        while True:
            yield env.timeout(lots.claim + lots.work * math.exp(rng.gauss(0, SPREAD)))
            yield env.timeout(lots.write - lots.locked)
            with row.request() as turn:
                yield turn
                yield env.timeout(lots.locked)
            done += lots.pairs

    for _ in range(workers):
        env.process(worker())
    env.run(until=60 * minutes)
    return done / (60 * minutes)


@dataclass(frozen=True, slots=True)
class Slope:
    """What grows with a project: its amount at 1,000 pairs, for each further 1,000, and where it hurts."""

    what: str
    first: float
    more: float
    limit: float
    unit: str

    @property
    def pairs(self) -> int:
        """The number of pairs at which the limit is passed."""
        return round(1000 * (1 + max(self.limit - self.first, 0) / self.more))

    def at(self, pairs: int) -> float:
        return self.first + self.more * (pairs / 1000 - 1)


SLOPES = (
    Slope("page: project", 28, 9.7, 200, "ms"),
    Slope("page: people", 18, 8.7, 200, "ms"),
    Slope("page: adjudication", 20, 6.1, 200, "ms"),
    Slope("page: assignments", 10, 3.6, 200, "ms"),
    Slope("page: pre-labels", 24, 2.9, 200, "ms"),
    Slope("is a report current", 3, 2.4, 200, "ms"),
    Slope("report, memory", 178, 39, 8000, "MB"),
    Slope("report, time", 2641, 1814, 600_000, "ms"),
    Slope("database, texts of 20 words", 4, 2.8, 100_000, "MB"),
)
"""From `script/bench growth`, between 1,000 and 10,000 pairs."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="of simulated time")
    minutes = parser.parse_args().minutes
    print("A save, median / 95th percentile in ms (share of the time for which web processes are at work)")
    print(table({site.name: _saves(site, minutes) for site in SITES}))
    print("Pairs a second of a run, and the share of what as many separate runs would do")
    print(table({name: _shares(lots, 6 * minutes) for name, lots in VARIANTS.items()}))
    print("What grows with a project")
    print(table(_grown()))


VARIANTS = {"the row is held at the end": Lots(), "held while writing": replace(Lots(), locked=Lots().write)}


def _saves(site: Site, minutes: float) -> dict[str, str]:
    results = {people: annotating(site, people, minutes) for people in PEOPLE}
    return {
        f"{people} annotators": f"{1000 * each.median:,.0f} / {1000 * each.slow:,.0f} ({each.busy:.0%})"
        for people, each in results.items()
    }


def _shares(lots: Lots, minutes: float) -> dict[str, str]:
    one = running(lots, 1, minutes)
    rates = {workers: running(lots, workers, minutes) for workers in WORKERS}
    return {f"{workers} workers": f"{rate:,.0f} ({rate / one / workers:.0%})" for workers, rate in rates.items()}


def _grown() -> dict[str, dict[str, str]]:
    grown = sorted(SLOPES, key=lambda each: each.pairs)
    return {
        "limit": {each.what: f"{each.limit:,.0f} {each.unit}" for each in grown},
        "passed at pairs": {each.what: f"{each.pairs:,}" for each in grown},
        "at a million pairs": {each.what: f"{each.at(MILLION):,.0f} {each.unit}" for each in grown},
    }


if __name__ == "__main__":
    main()
