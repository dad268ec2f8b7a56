"""Changes of a plan: what was started stays, everything else is as the new settings want it, with few changes."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.changes import PlanChange, change_plan, current_settings
from annotation.planning.plan_totals import plan_totals
from annotation.planning.plans import ExistingAssignment, Plan, PlanError, PlanPair, PlanSettings, make_plan, units
from annotation.vocabulary import Phase, Status
from tests.annotation.planning.test_plans import plans

NOT_NEW = (Status.STARTED, Status.DONE, Status.SKIPPED)


def rows_of(plan: Plan) -> list[ExistingAssignment]:
    return [
        ExistingAssignment(number, each.pair, each.annotator, each.phase, Status.OPEN, each.order)
        for number, each in enumerate(plan.planned, 1)
    ]


def worked(rows: list[ExistingAssignment], share: float, seed: int) -> list[ExistingAssignment]:
    """The same rows, some of them started."""
    rng = random.Random(seed)
    return [replace(row, status=rng.choice(NOT_NEW)) if rng.random() < share else row for row in rows]


def applied(rows: list[ExistingAssignment], change: PlanChange) -> list[ExistingAssignment]:
    """The assignments afterwards; orders after those that were started."""
    base = 1 + max((row.order for row in rows), default=0)
    stay = [
        replace(row, order=base + change.positions[row.id]) if row.id in change.positions else row
        for row in rows
        if row.id not in change.withdrawn
    ]
    number = 1 + max((row.id for row in rows), default=0)
    return stay + [
        ExistingAssignment(number + index, each.pair, each.annotator, each.phase, Status.OPEN, base + each.order)
        for index, each in enumerate(change.planned)
    ]


def people_by_unit(
    pairs: list[PlanPair], rows: list[ExistingAssignment], phase: Phase
) -> dict[tuple[int, ...], set[int]]:
    found = {unit: {row.annotator for row in rows if row.pair in unit and row.phase == phase} for unit in units(pairs)}
    return {unit: who for unit, who in found.items() if who}


@st.composite
def changes(draw: st.DrawFn) -> tuple[list[PlanPair], list[ExistingAssignment], list[int], PlanSettings]:
    """A plan that is partly done, and settings that can be had."""
    pairs, people, settings, plan = draw(plans())
    rows = worked(rows_of(plan), draw(st.sampled_from([0.0, 0.3, 0.8])), draw(st.integers(0, 9)))
    stay = draw(st.sets(st.sampled_from(people), min_size=2))
    chosen = sorted(stay | draw(st.sampled_from([set(), {8}, {8, 9}])))
    qualifying = len(people_by_unit(pairs, rows, Phase.QUALIFICATION))
    trial = draw(st.integers(0, len(units(pairs)) - qualifying))
    started = people_by_unit(pairs, [row for row in rows if row.status != Status.OPEN], Phase.MAIN)
    idle_main = len(units(pairs)) - qualifying - settings.trial - len(started)
    trial = min(trial, settings.trial + idle_main)
    started_trial = people_by_unit(pairs, [row for row in rows if row.status != Status.OPEN], Phase.TRIAL)
    overlap = draw(st.integers(0, len(units(pairs)) - qualifying - max(trial, len(started_trial))))
    together = draw(st.sampled_from([0, 2]))
    return pairs, rows, chosen, PlanSettings(draw(st.integers(0, 99)), 0, trial, overlap, together)


Made = tuple[list[PlanPair], list[ExistingAssignment], list[int], PlanSettings]


@given(changes())
def test_started_pairs_stay_and_nobody_gets_a_pair_twice(made: Made) -> None:
    pairs, rows, people, settings = made
    change = change_plan(pairs, rows, people, settings)
    gone = [row for row in rows if row.id in change.withdrawn]
    assert all(row.status == Status.OPEN and row.phase != Phase.QUALIFICATION for row in gone)
    after = applied(rows, change)
    assert max(Counter((row.pair, row.annotator, row.phase) for row in after).values(), default=1) == 1
    assert {each.annotator for each in change.planned} <= set(people)
    phases = defaultdict(set)
    for row in after:
        phases[row.pair].add(row.phase)
    assert all(len(found) == 1 for found in phases.values()), "a pair is in one phase"
    assert set(phases) == {pair.id for pair in pairs}, "every pair is assigned"


@given(changes())
def test_the_trial_and_the_overlap_are_as_wanted(made: Made) -> None:
    pairs, rows, people, settings = made
    change = change_plan(pairs, rows, people, settings)
    started = [row for row in rows if row.status != Status.OPEN]
    after = applied(rows, change)
    trial, started_trial = people_by_unit(pairs, after, Phase.TRIAL), people_by_unit(pairs, started, Phase.TRIAL)
    assert len(trial) == max(settings.trial, len(started_trial))
    assert all(who >= set(people) for who in trial.values())
    main, started_main = people_by_unit(pairs, after, Phase.MAIN), people_by_unit(pairs, started, Phase.MAIN)
    shared = {unit for unit, who in main.items() if len(who) > 1}
    assert len(shared) == max(settings.overlap, sum(len(who) > 1 for who in started_main.values()))
    together = settings.overlap_people or len(people)
    for unit, who in main.items():
        wanted = together if unit in shared else 1
        if unit in shared and settings.overlap < len(shared):
            assert len(who) >= len(started_main.get(unit, ()))
        elif settings.overlap_people:  # everyone means at least all who are chosen
            assert len(who) == max(wanted, len(started_main.get(unit, ())))
        elif unit in shared:
            assert who >= set(people)
    assert change.shared == {pair for unit in shared for pair in unit}


@given(changes(), st.integers(0, 99))
def test_changing_to_what_is_so_already_changes_nothing(made: Made, seed: int) -> None:
    pairs, rows, people, settings = made
    after = applied(rows, change_plan(pairs, rows, people, settings))
    again = change_plan(pairs, after, people, replace(settings, seed=seed))
    assert (again.withdrawn, again.planned, again.positions) == ([], [], {})


@given(changes())
def test_the_load_is_even_if_nothing_was_started(made: Made) -> None:
    pairs, rows, people, settings = made
    rows = [replace(row, status=Status.OPEN) for row in rows if row.phase != Phase.QUALIFICATION]
    settings = replace(settings, trial=0, overlap=min(settings.overlap, len(units(pairs))))
    after = applied(rows, change_plan(pairs, rows, people, settings))
    loads = [sum(row.annotator == person for row in after) for person in people]
    assert max(loads) - min(loads) <= max(map(len, units(pairs)), default=0), "the pairs of a mirrored one go together"


@given(plans(), st.integers(0, 99))
def test_a_fresh_plan_is_left_alone(made: tuple[list[PlanPair], list[int], PlanSettings, Plan], seed: int) -> None:
    pairs, people, settings, plan = made
    change = change_plan(pairs, rows_of(plan), people, replace(settings, seed=seed))
    assert (change.withdrawn, change.planned) == ([], [])
    now = current_settings(pairs, rows_of(plan))
    assert (now.trial, now.overlap) == (settings.trial, settings.overlap)
    if settings.overlap and {each.annotator for each in plan.planned} == set(people):
        assert (now.overlap_people or len(people)) == (settings.overlap_people or len(people))


@given(changes())
def test_the_queue_keeps_the_phases_in_order_and_mirrors_together(made: Made) -> None:
    pairs, rows, people, settings = made
    after = applied(rows, change_plan(pairs, rows, people, settings))
    unit_of = {pair: unit for unit in units(pairs) for pair in unit}
    renumbered = {row.annotator for row in after if row.order > max((each.order for each in rows), default=0)}
    for person in renumbered:
        queue = sorted((row for row in after if row.annotator == person and row.status == Status.OPEN), key=_order)
        assert [row.phase for row in queue] == sorted((row.phase for row in queue), key=Phase.values.index)
        ranks = defaultdict(list)
        for rank, row in enumerate(queue):
            ranks[unit_of[row.pair], row.phase].append(rank)
        assert all(found[-1] - found[0] == len(found) - 1 for found in ranks.values())
        assert len({row.order for row in queue}) == len(queue)


def _order(row: ExistingAssignment) -> int:
    return row.order


def test_a_newcomer_gets_an_equal_share_of_what_is_open_and_all_that_others_share() -> None:
    """By hand: 2 people with 6 pairs each, of which each has done 2; 1 qualification pair and 1 in the trial."""
    pairs = [PlanPair(n, gold=n == 0) for n in range(14)]
    plan = make_plan(pairs, [1, 2], PlanSettings(qualification=1, trial=1))
    rows = rows_of(plan)
    done = {row.id for who in (1, 2) for row in [row for row in rows if row.annotator == who][:4]}
    rows = [replace(row, status=Status.DONE) if row.id in done else row for row in rows]
    change = change_plan(pairs, rows, [1, 2, 3], PlanSettings(trial=1))
    found = plan_totals([1, 2, 3], rows, change.planned, change.withdrawn)
    assert sorted(share.total for share in found.shares.values()) == [3, 3, 4]
    newcomer = found.shares[3]
    assert (newcomer.to_do["qualification"], newcomer.to_do["trial"], newcomer.shared) == (1, 1, 0)
    assert (newcomer.new, newcomer.total, newcomer.alone) == (newcomer.total, 2 + newcomer.alone, len(change.withdrawn))
    assert [found.shares[who].finished for who in (1, 2, 3)] == [4, 4, 0]
    assert found.common == {(1, 2): 1, (1, 3): 1, (2, 3): 1}, "the trial alone; qualification pairs don't count"


def test_who_leaves_keeps_what_they_began_and_the_rest_is_shared_out() -> None:
    pairs = [PlanPair(n) for n in range(9)]
    rows = rows_of(make_plan(pairs, [1, 2, 3], PlanSettings()))
    theirs = [row for row in rows if row.annotator == 3]
    rows = [replace(row, status=Status.STARTED) if row == theirs[0] else row for row in rows]
    change = change_plan(pairs, rows, [1, 2], PlanSettings())
    assert change.withdrawn == sorted(row.id for row in theirs[1:])
    assert {each.pair for each in change.planned} == {row.pair for row in theirs[1:]}
    found = plan_totals([1, 2], rows, change.planned, change.withdrawn)
    assert [found.shares[who].to_do["main"] for who in (1, 2)] == [4, 4]


def test_pairs_go_only_to_those_who_may_have_them() -> None:
    pairs = [PlanPair(n) for n in range(6)]
    readers = {pair.id: {1, 2} if pair.id < 3 else {2} for pair in pairs[:5]}
    settings = PlanSettings(readers_only=True)
    change = change_plan(pairs, [], [1, 2], settings, readers, barred={(1, 0)})
    assert {each.pair for each in change.planned if each.annotator == 1} <= {1, 2}
    assert change.unassignable == {5}
    gave_up = [ExistingAssignment(1, 0, 1, Phase.MAIN, Status.REASSIGNED, 0)]
    change = change_plan(pairs[:1], gave_up, [1, 2], PlanSettings())
    assert [(each.pair, each.annotator) for each in change.planned] == [(0, 2)]


def test_pairs_in_progress_and_of_the_trial_count_as_left_to_do() -> None:
    pairs = [PlanPair(n) for n in range(43)]
    rows = rows_of(make_plan(pairs, [1, 2], PlanSettings(trial=3)))
    theirs = [row.id for row in rows if row.annotator == 1]
    rows = [replace(row, status=Status.STARTED if row.id in theirs[3:13] else row.status) for row in rows]
    rows = [replace(row, status=Status.DONE if row.id in theirs[:3] else row.status) for row in rows]
    change = change_plan(pairs, rows, [1, 2], PlanSettings(trial=3))
    found = plan_totals([1, 2], rows, change.planned, change.withdrawn)
    totals = [found.shares[who].total for who in (1, 2)]
    assert max(totals) - min(totals) <= 1 and sum(totals) == 43, "3 of 1's trial are done"


def test_newcomers_get_the_qualification_of_whoever_has_most_without_anyones_retry() -> None:
    def row(number: int, pair: int, who: int, status: Status, **more: bool) -> ExistingAssignment:
        return ExistingAssignment(number, pair, who, Phase.QUALIFICATION, status, number, **more)

    pairs = [PlanPair(n, gold=True) for n in range(6)]
    rows = [row(n, n, 1, Status.DONE if n < 2 else Status.REASSIGNED) for n in range(4)]
    rows += [row(10 + n, n, 2, Status.OPEN) for n in range(4)]
    rows += [row(20, 2, 3, Status.STARTED), row(21, 5, 3, Status.OPEN, retry=True)]
    change = change_plan(pairs, rows, [1, 2, 3, 4], PlanSettings())
    new = {who: {each.pair for each in change.planned if each.annotator == who} for who in (1, 2, 3, 4)}
    assert new[4] >= {0, 1, 2, 3}
    assert not {0, 1, 2, 3} & (new[1] | new[2] | new[3])
    assert 5 in new[1] | new[2] | new[4] and 5 not in new[3], "it is a main pair for others"
    assert change.pairs[Phase.QUALIFICATION] == [0, 1, 2, 3] and change.withdrawn == []


def test_a_person_whose_only_qualification_pairs_were_reassigned_does_not_get_them_back() -> None:
    pairs = [PlanPair(n, gold=True) for n in range(2)]
    rows = [
        ExistingAssignment(1, 0, 1, Phase.QUALIFICATION, Status.REASSIGNED, 0),
        ExistingAssignment(2, 0, 2, Phase.QUALIFICATION, Status.OPEN, 0),
        ExistingAssignment(3, 1, 2, Phase.QUALIFICATION, Status.OPEN, 1),
    ]
    change = change_plan(pairs, rows, [1, 2], PlanSettings())
    assert [(each.pair, each.annotator) for each in change.planned] == [(1, 1)]


def test_pairs_that_nobody_chosen_may_have_are_named() -> None:
    pairs = [PlanPair(n) for n in range(3)]
    rows = [
        ExistingAssignment(1, 0, 1, Phase.MAIN, Status.REASSIGNED, 0),
        ExistingAssignment(2, 0, 2, Phase.MAIN, Status.OPEN, 0),
    ]
    assert change_plan(pairs, rows, [1], PlanSettings()).unassignable == {0}
    assert change_plan(pairs, rows, [1, 2], PlanSettings()).unassignable == set()


@pytest.mark.parametrize(
    ("settings", "people", "what", "wanted", "available"),
    [
        (PlanSettings(), [], "people", 1, 0),
        (PlanSettings(trial=5), [1, 2], "trial", 5, 3),
        (PlanSettings(overlap=5), [1, 2], "overlap", 5, 4),
        (PlanSettings(overlap=1), [1], "second_person", 2, 1),
        (PlanSettings(overlap=1, overlap_people=3), [1, 2], "overlap_people", 3, 2),
    ],
)
def test_what_cannot_be_is_refused(
    settings: PlanSettings, people: list[int], what: str, wanted: int, available: int
) -> None:
    pairs = [PlanPair(n) for n in range(4)]
    rows = [ExistingAssignment(1, 0, 1, Phase.MAIN, Status.DONE, 0)]
    with pytest.raises(PlanError) as refused:
        change_plan(pairs, rows, people, settings)
    assert (refused.value.what, refused.value.requested, refused.value.available) == (what, wanted, available)


def test_the_digest_is_of_the_whole_change() -> None:
    pairs = [PlanPair(n) for n in range(8)]
    rows = rows_of(make_plan(pairs, [1, 2], PlanSettings()))
    found = [change_plan(pairs, rows, people, PlanSettings(overlap=2, seed=1)) for people in ([1, 2], [1, 2], [1, 3])]
    assert found[0].digest == found[1].digest != found[2].digest
    assert all(one != other for one, other in combinations({each.digest for each in found}, 2))
