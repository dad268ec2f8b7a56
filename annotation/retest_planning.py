"""Who marks which pair a second time. PURE: the same seed and the same rows give the same plan.

People who mark a pair again without knowing how they marked it before show how far they agree with themselves: no two
people can be expected to agree better than one with oneself.
"""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finished:
    """Work that was handed in `days` ago, in its `round` (0: the first); `open` where a re-test of it is not done."""

    pair: int
    annotator: int
    round: int
    days: float
    open: bool = False


@dataclass(frozen=True, slots=True)
class RetestSettings:
    """How many pairs each person gets again, and how many days must lie between handing in and asking again."""

    seed: int = 1
    pairs: int = 5
    days: int = 14


@dataclass(frozen=True, slots=True)
class PlannedRetest:
    """One re-test to be given out. `order` counts from 0 for each annotator."""

    pair: int
    annotator: int
    round: int
    order: int


@dataclass(frozen=True, slots=True)
class RetestPlan:
    """The re-tests to give out, and for each annotator how many pairs there were to choose from."""

    planned: list[PlannedRetest]
    available: dict[int, int]

    def load(self, annotator: int) -> int:
        return sum(each.annotator == annotator for each in self.planned)

    @property
    def digest(self) -> str:
        return hashlib.sha256(repr(self.planned).encode()).hexdigest()[:16]


def make_retests(done: Iterable[Finished], annotators: Sequence[int], settings: RetestSettings) -> RetestPlan:
    """Draw each person's pairs at random from what they handed in long enough ago, as many as there are up to `pairs`.

    Of a pair only the last round counts, and none that is still open. Each person's draw is their own: somebody who
    joins does not change the others'.
    """
    last: dict[tuple[int, int], Finished] = {}
    for each in done:
        key = (each.annotator, each.pair)
        if key not in last or last[key].round < each.round:
            last[key] = each
    free: dict[int, list[Finished]] = defaultdict(list)
    for each in last.values():
        if each.days >= settings.days and not each.open:
            free[each.annotator].append(each)
    planned: list[PlannedRetest] = []
    for person in annotators:
        available = sorted(free[person], key=lambda each: each.pair)
        drawn = random.Random(f"{settings.seed}/{person}").sample(available, min(settings.pairs, len(available)))
        planned += [PlannedRetest(each.pair, person, each.round + 1, order) for order, each in enumerate(drawn)]
    return RetestPlan(planned, {person: len(free[person]) for person in annotators})
