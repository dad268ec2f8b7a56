"""Who annotates which pair a second time. Pure: the same seed and the same rows give the same plan.

Annotators who annotate a pair again, without seeing their first annotation, show how far they agree with themselves:
two people can't be expected to agree more than one person does.
"""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PastSubmission:
    """Work submitted `days` ago, in its `round` (0: the first); `open` if a re-test of it is unfinished."""

    pair: int
    annotator: int
    round: int
    days: float
    open: bool = False


@dataclass(frozen=True, slots=True)
class RetestSettings:
    """How many pairs each person gets again, and how many days must pass between submission and re-test."""

    seed: int = 1
    pairs: int = 5
    days: int = 14


@dataclass(frozen=True, slots=True)
class PlannedRetest:
    """One re-test to assign. `order` counts from 0 for each annotator."""

    pair: int
    annotator: int
    round: int
    order: int


@dataclass(frozen=True, slots=True)
class RetestPlan:
    """The re-tests to assign, and for each annotator how many pairs were available."""

    planned: list[PlannedRetest]
    available: dict[int, int]

    def load(self, annotator: int) -> int:
        return sum(each.annotator == annotator for each in self.planned)

    @property
    def digest(self) -> str:
        return hashlib.sha256(repr(self.planned).encode()).hexdigest()[:16]


def make_retests(
    submissions: Iterable[PastSubmission], annotators: Sequence[int], settings: RetestSettings
) -> RetestPlan:
    """Draw pairs at random for each person from those they submitted long enough ago: `pairs`, or all if there are
    fewer.

    Only the last round of a pair counts, and pairs with an unfinished re-test are skipped. Each person's draw is
    independent: if someone joins, the others' draws do not change.
    """
    last: dict[tuple[int, int], PastSubmission] = {}
    for each in submissions:
        key = (each.annotator, each.pair)
        if key not in last or last[key].round < each.round:
            last[key] = each
    free: dict[int, list[PastSubmission]] = defaultdict(list)
    for each in last.values():
        if each.days >= settings.days and not each.open:
            free[each.annotator].append(each)
    planned: list[PlannedRetest] = []
    for person in annotators:
        available = sorted(free[person], key=lambda each: each.pair)
        drawn = random.Random(f"{settings.seed}/{person}").sample(available, min(settings.pairs, len(available)))
        planned += [PlannedRetest(each.pair, person, each.round + 1, order) for order, each in enumerate(drawn)]
    return RetestPlan(planned, {person: len(free[person]) for person in annotators})
