"""What the pages and the API show of a plan before it is applied."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from annotation.models import Annotator, Project
from annotation.planning.plan_totals import PersonShare, PlanTotals, plan_totals
from annotation.planning.plans import ExistingAssignment, PlannedAssignment
from annotation.selectors.time import expected_seconds


@dataclass(frozen=True, slots=True)
class PlanTableRow:
    """One person's share, and the active seconds to expect; None while nothing tells how long a pair takes."""

    person: Annotator
    share: PersonShare
    seconds: float | None


@dataclass(frozen=True, slots=True)
class PlanTable:
    """Everyone's row; `seconds` of all together. `measured`: from finished pairs, not from what the lead expects."""

    rows: list[PlanTableRow]
    common: dict[tuple[int, int], int]
    seconds: float | None
    measured: bool

    @property
    def to_do(self) -> int:
        return sum(row.share.total for row in self.rows)

    @property
    def largest(self) -> int:
        """The pairs of whoever has most, finished ones included; at least 1."""
        return max([1, *(row.share.total + row.share.finished for row in self.rows)])


def plan_table(
    *,
    project: Project,
    chosen: Sequence[Annotator],
    existing: Sequence[ExistingAssignment],
    planned: Sequence[PlannedAssignment],
    withdrawn: Collection[int] = (),
    seconds_per_pair: float | None = None,
) -> PlanTable:
    """The table of a plan, for those chosen and those who lose pairs.

    `seconds_per_pair` is what the lead expects of a pair; it is used while nobody has finished one.
    """
    gone = set(withdrawn)
    losing = {each.annotator for each in existing if each.id in gone} - {person.pk for person in chosen}
    people = [*chosen, *Annotator.objects.filter(pk__in=losing).order_by("pk")]
    totals: PlanTotals = plan_totals([person.pk for person in people], existing, planned, gone)
    expected = expected_seconds(project, {who: share.to_do for who, share in totals.shares.items()})
    measured = None not in expected.values()
    if not measured and seconds_per_pair is not None:
        expected = {who: share.total * seconds_per_pair for who, share in totals.shares.items()}
    durations = [seconds for seconds in expected.values() if seconds is not None]
    return PlanTable(
        rows=[PlanTableRow(person, totals.shares[person.pk], expected[person.pk]) for person in people],
        common=totals.common,
        seconds=sum(durations) if len(durations) == len(people) else None,
        measured=measured,
    )
