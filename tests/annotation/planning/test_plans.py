"""Plans: every pair is assigned, sharing is exact, the load is even, and a seed determines the plan."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.plans import (
    ExistingAssignment,
    Plan,
    PlanError,
    PlanPair,
    PlanSettings,
    add_annotator,
    highlights_shown,
    make_plan,
    replace_annotator,
    units,
)


@st.composite
def projects(draw: st.DrawFn) -> list[PlanPair]:
    """Pairs, some with a mirror somewhere in the list, some with gold."""
    plain = draw(st.integers(0, 12))
    mirrored = draw(st.integers(0, 6))
    pairs = [PlanPair(n, None, draw(st.booleans())) for n in range(plain)]
    for n in range(mirrored):
        gold = draw(st.booleans())
        pairs += [PlanPair(100 + n, 200 + n, gold), PlanPair(200 + n, 100 + n, gold)]
    return list(draw(st.permutations(pairs)))


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[PlanPair], list[int], PlanSettings, Plan]:
    pairs = draw(projects())
    people = list(range(1, draw(st.integers(2, 5)) + 1))
    every = units(pairs)
    gold = {pair.id for pair in pairs if pair.gold}
    qualification = draw(st.integers(0, sum(gold.issuperset(unit) for unit in every)))
    trial = draw(st.integers(0, len(every) - qualification))
    overlap = draw(st.integers(0, len(every) - qualification - trial))
    together = draw(st.sampled_from([0, *range(2, len(people) + 1)]))
    settings = PlanSettings(draw(st.integers(0, 99)), qualification, trial, overlap, together)
    return pairs, people, settings, make_plan(pairs, people, settings)


@given(plans())
def test_every_pair_is_assigned_in_one_phase_and_to_no_one_twice(
    made: tuple[list[PlanPair], list[int], PlanSettings, Plan],
) -> None:
    pairs, people, _, plan = made
    assert {each.pair for each in plan.planned} == {pair.id for pair in pairs}
    assert len({(each.pair, each.annotator) for each in plan.planned}) == len(plan.planned)
    phases = defaultdict(set)
    for each in plan.planned:
        phases[each.pair].add(each.phase)
    assert all(len(found) == 1 for found in phases.values())
    assert {each.annotator for each in plan.planned} <= set(people)


@given(plans())
def test_shared_pairs_are_shared_by_exactly_the_requested_number(
    made: tuple[list[PlanPair], list[int], PlanSettings, Plan],
) -> None:
    pairs, people, settings, plan = made
    holders = Counter(each.pair for each in plan.planned)
    size = {pair: len(unit) for unit in units(pairs) for pair in unit}
    for phase in ("qualification", "trial"):
        assert all(holders[pair] == len(people) for pair in plan.pairs[phase])
        assert sum(1 / size[pair] for pair in plan.pairs[phase]) == pytest.approx(getattr(settings, phase))
    together = settings.overlap_people or len(people)
    shared = [pair for pair in plan.pairs["main"] if pair in plan.shared]
    assert sum(1 / size[pair] for pair in shared) == pytest.approx(settings.overlap)
    assert all(holders[pair] == together for pair in shared)
    assert all(holders[pair] == 1 for pair in plan.pairs["main"] if pair not in plan.shared)


@given(plans())
def test_no_one_has_more_than_one_unit_more_than_another(
    made: tuple[list[PlanPair], list[int], PlanSettings, Plan],
) -> None:
    pairs, people, _, plan = made
    loads = [plan.load(person, "main") for person in people]
    assert max(loads) - min(loads) <= max(map(len, units(pairs)), default=0), "the pairs of a mirrored one go together"


@given(plans())
def test_mirrors_follow_each_other_and_phases_are_in_order(
    made: tuple[list[PlanPair], list[int], PlanSettings, Plan],
) -> None:
    pairs, people, _, plan = made
    mirror = {pair.id: pair.mirror for pair in pairs}
    for person in people:
        mine = sorted((each for each in plan.planned if each.annotator == person), key=lambda each: each.order)
        assert [each.order for each in mine] == list(range(len(mine)))
        ranks = [("qualification", "trial", "main").index(each.phase) for each in mine]
        assert ranks == sorted(ranks)
        order_of = {each.pair: each.order for each in mine}
        for pair, order in order_of.items():
            other = mirror[pair]
            assert other is None or abs(order_of[other] - order) == 1


@given(plans())
def test_the_qualification_has_gold(made: tuple[list[PlanPair], list[int], PlanSettings, Plan]) -> None:
    pairs, _, _, plan = made
    gold = {pair.id for pair in pairs if pair.gold}
    assert gold.issuperset(plan.pairs["qualification"])


@given(plans())
def test_a_seed_fixes_the_plan(made: tuple[list[PlanPair], list[int], PlanSettings, Plan]) -> None:
    pairs, people, settings, plan = made
    again = make_plan(pairs, people, settings)
    assert (again, again.digest) == (plan, plan.digest)


def test_another_seed_is_another_plan() -> None:
    pairs = [PlanPair(n) for n in range(40)]
    one, other = (make_plan(pairs, [1, 2], PlanSettings(seed, trial=3, overlap=5)) for seed in (1, 2))
    assert one.digest != other.digest


def test_swissgov_plan() -> None:
    """Three in the trial, half of the rest each, 25 by both: of 174 pairs, 171 are main, 146 are annotated by one
    person.
    """
    plan = make_plan([PlanPair(n) for n in range(174)], [1, 2], PlanSettings(7, trial=3, overlap=25))
    assert [plan.load(person, "main") for person in (1, 2)] == [98, 98]
    assert [plan.load(person, "trial") for person in (1, 2)] == [3, 3]


@pytest.mark.parametrize(
    ("people", "settings", "what", "wanted", "available"),
    [
        ([], PlanSettings(), "people", 1, 0),
        ([1, 2], PlanSettings(qualification=2), "qualification", 2, 1),
        ([1, 2], PlanSettings(qualification=1, trial=4), "trial", 4, 3),
        ([1, 2], PlanSettings(trial=2, overlap=3), "overlap", 3, 2),
        ([1, 2], PlanSettings(overlap=1, overlap_people=3), "overlap_people", 3, 2),
        ([1, 2], PlanSettings(overlap=1, overlap_people=1), "overlap_people", 1, 2),
        ([1], PlanSettings(overlap=1, overlap_people=3), "second_person", 2, 1),
        ([1], PlanSettings(overlap=1), "second_person", 2, 1),
    ],
)
def test_a_plan_that_needs_more_than_there_is_says_of_what(
    people: list[int], settings: PlanSettings, what: str, wanted: int, available: int
) -> None:
    pairs = [PlanPair(n, None, n == 0) for n in range(4)]
    with pytest.raises(PlanError) as refusal:
        make_plan(pairs, people, settings)
    assert (refusal.value.what, refusal.value.requested, refusal.value.available) == (what, wanted, available)


def given_out(plan: Plan, done: set[int], started: set[int]) -> list[ExistingAssignment]:
    """The plan as existing assignments; ids count from 1."""
    return [
        ExistingAssignment(
            n,
            each.pair,
            each.annotator,
            each.phase,
            "done" if n in done else "started" if n in started else "open",
            each.order,
        )
        for n, each in enumerate(plan.planned, start=1)
    ]


@given(plans(), st.integers(0, 99), st.data())
def test_a_newcomer_gets_what_all_share_and_an_equal_share_of_open_pairs(
    made: tuple[list[PlanPair], list[int], PlanSettings, Plan], seed: int, data: st.DataObject
) -> None:
    pairs, people, settings, plan = made
    started = data.draw(st.sets(st.integers(1, max(len(plan.planned), 1))))
    rows = given_out(plan, set(), started)
    change = add_annotator(rows, 99, pairs, seed)
    assert change == add_annotator(rows, 99, pairs, seed)
    by_id = {row.id: row for row in rows}
    moved = [by_id[pk] for pk in change.moved]
    assert all(row.status == "open" and row.phase == "main" and row.pair not in plan.shared for row in moved)
    if settings.overlap_people in (0, len(people)):
        shared = {*plan.pairs["qualification"], *plan.pairs["trial"], *plan.shared}
        assert {each.pair for each in change.new} == shared
    mirror = {pair.id: pair.mirror for pair in pairs}
    went = {row.pair for row in moved}
    assert all(mirror[pair] in went for pair in went if mirror[pair] is not None)
    size = {pair: len(unit) for unit in units(pairs) for pair in unit}
    left = Counter[int]()
    for row in rows:
        if row.phase == "main" and row.status == "open" and row.pair not in plan.shared and row.pair not in went:
            left[row.annotator] += 1
    # In units, the newcomer has no more than the person with the most remaining.
    mine = sum(1 / size[row.pair] for row in moved)
    assert not moved or mine <= max(left.values(), default=0) + 1


def test_a_replacement_gets_open_and_started_pairs_and_nothing_else() -> None:
    rows = [
        ExistingAssignment(1, 10, 1, "trial", "done", 0),
        ExistingAssignment(2, 10, 2, "trial", "done", 0),
        ExistingAssignment(3, 20, 1, "main", "done", 1),
        ExistingAssignment(4, 21, 1, "main", "started", 2),
        ExistingAssignment(5, 22, 1, "main", "open", 3),
        ExistingAssignment(6, 23, 2, "main", "open", 1),
    ]
    change = replace_annotator(rows, leaver=1, newcomer=3)
    assert (change.moved, change.started) == ([5], [4])
    assert [(each.pair, each.phase, each.order) for each in change.new] == [(21, "main", 0)]


def test_what_a_replacement_starts_anew_comes_after_what_they_have() -> None:
    rows = [
        ExistingAssignment(1, 10, 1, "main", "started", 0),
        ExistingAssignment(2, 11, 1, "main", "started", 1),
        ExistingAssignment(3, 20, 2, "main", "done", 4),
        ExistingAssignment(4, 21, 2, "main", "open", 5),
    ]
    change = replace_annotator(rows, leaver=1, newcomer=2)
    assert [(each.pair, each.order) for each in change.new] == [(10, 6), (11, 7)]


def test_a_pair_is_not_assigned_to_someone_who_has_it_already() -> None:
    rows = [
        ExistingAssignment(1, 10, 1, "main", "open", 0),
        ExistingAssignment(2, 10, 2, "main", "done", 0),
        ExistingAssignment(3, 11, 1, "main", "open", 1),
    ]
    change = replace_annotator(rows, leaver=1, newcomer=2)
    assert (change.moved, change.started, change.new) == ([3], [], [])


@pytest.mark.parametrize("state", ["open", "started"])
def test_what_the_other_cannot_take_over_stays_unchanged(state: str) -> None:
    rows = [
        ExistingAssignment(1, 10, 1, "main", state, 0),
        ExistingAssignment(2, 10, 2, "main", "open", 0),
        ExistingAssignment(3, 11, 1, "main", state, 1),
    ]
    change = replace_annotator(rows, leaver=1, newcomer=2, barred={11})
    assert (change.moved, change.started, change.new) == ([], [], [])


@given(st.text(), st.text())
def test_highlights_once_shown_are_shown_at_every_larger_share(pair: str, annotator: str) -> None:
    shown = [highlights_shown(pair, annotator, share) for share in range(0, 101, 10)]
    assert shown == sorted(shown) and shown[-1] and not shown[0]


def test_half_of_the_assignments_show_highlights() -> None:
    shown = sum(highlights_shown(f"pair-{n}", "anna", 50) for n in range(2000))
    assert 900 < shown < 1100


@given(plans(), st.data())
def test_only_readers_get_pairs_and_everything_that_somebody_reads_is_assigned(
    made: tuple[list[PlanPair], list[int], PlanSettings, Plan], data: st.DataObject
) -> None:
    pairs, people, settings, plan = made
    readers = {pair.id: frozenset(people) for pair in pairs}
    only = replace(settings, readers_only=True)
    assert make_plan(pairs, people, only, readers).planned == plan.planned, "all read everything: the same plan"
    assert make_plan(pairs, people, settings, {}) == plan, "nothing is left out unless the lead wants it"
    # A pair and its mirror are in the same languages.
    for unit in units(pairs):
        able = frozenset(data.draw(st.sets(st.sampled_from(people))))
        readers.update(dict.fromkeys(unit, able))
    try:
        found = make_plan(pairs, people, only, readers)
    except PlanError:
        return  # fewer pairs are left than the trial needs
    assert all(each.annotator in readers[each.pair] for each in found.planned)
    assert {each.pair for each in found.planned} == {pair.id for pair in pairs if readers[pair.id]}
    assert found.unassignable == {pair.id for pair in pairs if not readers[pair.id]}
    assert len({(each.pair, each.annotator) for each in found.planned}) == len(found.planned)


def test_people_who_left_are_none_of_the_others_whose_pairs_a_newcomer_shares() -> None:
    pairs = [PlanPair(n) for n in range(8)]
    # 1 left with pair 0 done; 2 and 3 share it and pair 1, and have three open pairs each.
    existing = [ExistingAssignment(n, 0, n, "main", "done", 0) for n in (1, 2, 3)]
    existing += [ExistingAssignment(10 + n, 1, n, "main", "done", 1) for n in (2, 3)]
    existing += [ExistingAssignment(20 + n, n, 2 + n % 2, "main", "open", n) for n in range(2, 8)]
    everyone = add_annotator(existing, 9, pairs, 1)
    assert [each.pair for each in everyone.new] == [0] and len(everyone.moved) == 1
    active = add_annotator(existing, 9, pairs, 1, left={1})
    assert [each.pair for each in active.new] == [0, 1] and len(active.moved) == 2
    assert add_annotator(existing, 9, pairs, 1, left={1, 2, 3}) == everyone, "work that came with an import"


def test_the_pairs_of_people_who_left_go_first() -> None:
    pairs = [PlanPair(n) for n in range(12)]
    existing = [ExistingAssignment(n, n, 1 + n % 3, "main", "open", n) for n in range(12)]
    found = add_annotator(existing, 9, pairs, 1, left={1})
    assert found.moved and {each.annotator for each in existing if each.id in found.moved} == {1}
    assert len(found.moved) == 12 // 3


def test_a_share_is_taken_once() -> None:
    pairs = [PlanPair(n) for n in range(13)]
    existing = [ExistingAssignment(n, n, 1 + n % 3, "main", "open", n) for n in range(13)]
    first = add_annotator(existing, 9, pairs, 1)
    assert len(first.moved) == 13 // 4
    theirs = [replace(row, annotator=9) if row.id in first.moved else row for row in existing]
    assert not add_annotator(theirs, 9, pairs, 1).moved
    done = [replace(row, status="done") if row.annotator == 9 else row for row in theirs]
    assert len(add_annotator(done, 9, pairs, 1).moved) == 10 // 4, "what is done is no longer part of it"


def test_a_newcomer_gets_only_what_they_read() -> None:
    pairs = [PlanPair(n) for n in range(6)]
    existing = [ExistingAssignment(n, n, 1, "main", "open", n) for n in range(6)]
    existing.append(ExistingAssignment(9, 7, 1, "trial", "done", 9))
    all_of_it = add_annotator(existing, 2, pairs, 1)
    assert len(all_of_it.moved) == 3 and [each.pair for each in all_of_it.new] == [7]
    some = add_annotator(existing, 2, pairs, 1, frozenset({0, 1}))
    assert len(some.moved) == 1 and set(some.moved) < {0, 1} and not some.new


def test_what_only_one_person_reads_is_not_called_shared() -> None:
    pairs = [PlanPair(n) for n in range(6)]
    readers = {n: [1] if n < 3 else [1, 2] for n in range(6)}
    found = make_plan(pairs, [1, 2], PlanSettings(overlap=6, readers_only=True), readers)
    assert found.shared == {3, 4, 5}
