"""What a plan comes to, before it is applied: everyone's share, and who has how many pairs in common."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from annotation.planning.plans import ExistingAssignment, PlannedAssignment
from annotation.vocabulary import UNFINISHED, Phase, Status

AGREEMENT_PHASES = (Phase.TRIAL, Phase.MAIN)
"""Qualification pairs are compared with their references, not with other people's work."""


@dataclass(frozen=True, slots=True)
class PersonShare:
    """One person's work once a plan is applied, in pairs; re-tests aside.

    `to_do`: not finished, by phase; `shared`: those of them in the main phase that someone else annotates too. `new`
    and `withdrawn`: what the plan gives and takes.
    """

    finished: int
    to_do: dict[str, int]
    shared: int
    new: int
    withdrawn: int

    @property
    def alone(self) -> int:
        """Main pairs to do that nobody else annotates."""
        return self.to_do[Phase.MAIN] - self.shared

    @property
    def total(self) -> int:
        return sum(self.to_do.values())


@dataclass(frozen=True, slots=True)
class PlanTotals:
    """By person, their share; by two people in the order of `people`, how many trial and main pairs both annotate."""

    shares: dict[int, PersonShare]
    common: dict[tuple[int, int], int]


def plan_totals(
    people: Sequence[int],
    existing: Sequence[ExistingAssignment],
    planned: Sequence[PlannedAssignment],
    withdrawn: Collection[int] = (),
) -> PlanTotals:
    """The totals of a plan for `people`; pairs that others annotate count as shared too."""
    gone = set(withdrawn)
    stay = [each for each in existing if each.status != Status.REASSIGNED and each.id not in gone]
    rows: list[ExistingAssignment | PlannedAssignment] = [*stay, *planned]
    holders: dict[tuple[int, str], set[int]] = defaultdict(set)
    for row in rows:
        holders[row.pair, row.phase].add(row.annotator)
    finished = Counter(each.annotator for each in stay if each.status not in UNFINISHED)
    to_do: list[ExistingAssignment | PlannedAssignment] = [each for each in stay if each.status in UNFINISHED]
    to_do += planned
    by_phase: Counter[tuple[int, str]] = Counter()
    shared: Counter[int] = Counter()
    for row in to_do:
        by_phase[row.annotator, row.phase] += 1
        shared[row.annotator] += row.phase == Phase.MAIN and len(holders[row.pair, row.phase]) > 1
    new = Counter(each.annotator for each in planned)
    lost = Counter(each.annotator for each in existing if each.id in gone)
    shares = {
        who: PersonShare(
            finished=finished[who],
            to_do={phase: by_phase[who, phase] for phase in Phase.values},
            shared=shared[who],
            new=new[who],
            withdrawn=lost[who],
        )
        for who in people
    }
    own = {who: {key for key, each in holders.items() if who in each and key[1] in AGREEMENT_PHASES} for who in people}
    return PlanTotals(shares, {(one, other): len(own[one] & own[other]) for one, other in combinations(people, 2)})
