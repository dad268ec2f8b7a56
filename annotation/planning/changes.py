"""How the assignments of a running project are changed.

What someone has started stays with them, and so do qualification pairs and re-tests. Everything else of the trial and
the main phase is assigned as the new settings want it, with as few changes as that allows: people keep what they have
where they may, and what has to be passed on is drawn at random.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from annotation.planning.plans import (
    ExistingAssignment,
    PlanError,
    PlannedAssignment,
    PlanPair,
    PlanSettings,
    PlanUnit,
    check_overlap,
    digest_of,
    eligible_annotators,
    units,
)
from annotation.vocabulary import Phase, Status

Key = tuple[int, str]
"""A pair and a phase."""


@dataclass(frozen=True, slots=True)
class PlanChange:
    """The result of changing the plan.

    `withdrawn`: ids of assignments, not started, that end. `planned`: the new ones; their `order` is their position
    among what the person has not started, and `positions` has that of the assignments that stay, by id, wherever new
    ones come between them. `pairs`: those of each phase afterwards. `shared`: main pairs that several people have
    started or are to annotate. `unassignable`: pairs that none of the selected people may annotate. `started_trial` and
    `started_overlap`: units that are in the trial, or shared, because they were started.
    """

    withdrawn: list[int]
    planned: list[PlannedAssignment]
    positions: dict[int, int]
    pairs: dict[str, list[int]]
    shared: frozenset[int]
    unassignable: frozenset[int]
    started_trial: int
    started_overlap: int

    @property
    def digest(self) -> str:
        return digest_of((self.withdrawn, self.planned, sorted(self.positions.items())))


@dataclass(slots=True)
class _AssignmentIndex:
    """The existing assignments: who has started a pair in a phase, who has one open, who gave one up."""

    started: dict[Key, set[int]] = field(default_factory=lambda: defaultdict(set))
    open: dict[Key, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    given_up: dict[Key, set[int]] = field(default_factory=lambda: defaultdict(set))

    def add(self, each: ExistingAssignment) -> None:
        key = each.pair, each.phase
        if each.status == Status.REASSIGNED:
            self.given_up[key].add(each.annotator)
        elif each.status == Status.OPEN:
            self.open[key][each.annotator] = each.id
        else:
            self.started[key].add(each.annotator)

    def phase_of(self, unit: PlanUnit) -> str | None:
        """The first phase in which the unit is assigned, or None."""
        return next(
            (phase for phase in Phase.values if any(self.started[p, phase] or self.open[p, phase] for p in unit)), None
        )

    def started_by(self, unit: PlanUnit, phase: str) -> set[int]:
        return set().union(*(self.started[pair, phase] for pair in unit))

    def open_for(self, unit: PlanUnit, phase: str) -> set[int]:
        return set().union(*(self.open[pair, phase] for pair in unit))

    def gave_up(self, unit: PlanUnit, phase: str) -> set[int]:
        return set().union(*(self.given_up[pair, phase] for pair in unit))


def change_plan(
    pairs: Sequence[PlanPair],
    existing: Sequence[ExistingAssignment],
    annotators: Sequence[int],
    settings: PlanSettings,
    readers: Mapping[int, Collection[int]] | None = None,
    barred: Collection[tuple[int, int]] = (),
) -> PlanChange:
    """Change the assignments of a project to what `settings` want for `annotators`. Raises PlanError.

    `pairs`: all of the project, in its order. `existing`: without re-tests. `barred`: (annotator, pair) that must not
    be assigned. The settings for the qualification don't matter: its pairs stay, and people without any get those of
    whoever has most. Others than `annotators` keep only what they have started.
    """
    people = list(annotators)
    if not people:
        raise PlanError("people", 1, 0)
    rng = random.Random(settings.seed)
    index = _AssignmentIndex()
    for row in existing:
        if not row.retry:
            index.add(row)
    retried = {(row.annotator, row.pair) for row in existing if row.retry}
    eligible = eligible_annotators(pairs, people, readers if settings.readers_only else None, {*barred, *retried})
    every = units(pairs)
    phase_before = {unit: index.phase_of(unit) for unit in every}
    trial, main = _phases(rng, every, phase_before, index, settings)
    assignable_by_unit = {
        (unit, Phase.TRIAL.value): _assignable(unit, Phase.TRIAL, people, eligible, index) for unit in trial
    }
    target: dict[Key, set[int]] = _qualification(every, phase_before, people, eligible, index)
    load = _load(people, existing, assignable_by_unit, target)
    may_take = {unit: _assignable(unit, Phase.MAIN, people, eligible, index) for unit in main}
    chosen = _main(rng, main, load, may_take, index, settings)
    assignable_by_unit |= {(unit, Phase.MAIN.value): who for unit, who in chosen.items()}
    for (unit, phase), assignable in assignable_by_unit.items():
        # Who has started one direction of a pair keeps the other.
        keeping = assignable | (index.started_by(unit, phase) & index.open_for(unit, phase))
        for pair in unit:
            target[pair, phase] = {who for who in keeping if who not in index.started[pair, phase]}
    withdrawn = sorted(
        row
        for unit, phase in phase_before.items()
        if phase in (Phase.TRIAL, Phase.MAIN)
        for pair in unit
        for who, row in index.open[pair, phase].items()
        if who not in target.get((pair, phase), ())
    )
    new: dict[int, set[Key]] = defaultdict(set)
    for key, assignable in target.items():
        for who in assignable - set(index.open[key]):
            new[who].add(key)
    planned, positions = _queues(rng, every, people, existing, set(withdrawn), new)
    return PlanChange(
        withdrawn=withdrawn,
        planned=planned,
        positions=positions,
        pairs={
            Phase.QUALIFICATION: [p for u in every if phase_before[u] == Phase.QUALIFICATION for p in u],
            Phase.TRIAL: [pair for unit in trial for pair in unit],
            Phase.MAIN: [pair for unit in main for pair in unit],
        },
        shared=frozenset(
            pair
            for unit in main
            for pair in unit
            if len(index.started[pair, Phase.MAIN] | target.get((pair, Phase.MAIN), set())) > 1
        ),
        started_trial=sum(bool(index.started_by(unit, Phase.TRIAL)) for unit in trial),
        started_overlap=sum(len(index.started_by(unit, Phase.MAIN)) > 1 for unit in main),
        unassignable=frozenset(
            pair
            for unit in [*trial, *main]
            for pair in unit
            if not any(index.started[pair, phase] or target.get((pair, phase)) for phase in Phase.values)
        ),
    )


def _phases(
    rng: random.Random,
    every: Sequence[PlanUnit],
    phase_before: Mapping[PlanUnit, str | None],
    index: _AssignmentIndex,
    settings: PlanSettings,
) -> tuple[list[PlanUnit], list[PlanUnit]]:
    """The units of the trial and of the main phase: a unit that someone has started stays in its phase."""
    free = [unit for unit in every if phase_before[unit] != Phase.QUALIFICATION]
    started = {unit for unit in free if any(index.started_by(unit, phase) for phase in (Phase.TRIAL, Phase.MAIN))}
    before = [unit for unit in free if phase_before[unit] == Phase.TRIAL]
    chosen = {unit for unit in before if unit in started}
    idle = [unit for unit in before if unit not in started]
    others = [unit for unit in free if phase_before[unit] != Phase.TRIAL and unit not in started]
    missing = max(settings.trial - len(chosen), 0)
    if missing > len(idle) + len(others):
        raise PlanError("trial", settings.trial, len(chosen) + len(idle) + len(others))
    stay = rng.sample(idle, min(missing, len(idle)))
    chosen |= {*stay, *rng.sample(others, missing - len(stay))}
    return [unit for unit in free if unit in chosen], [unit for unit in free if unit not in chosen]


def _assignable(
    unit: PlanUnit,
    phase: Phase,
    people: Iterable[int],
    eligible: Mapping[int, Collection[int]],
    index: _AssignmentIndex,
) -> set[int]:
    """Who may be assigned a unit that they have not started."""
    never = index.started_by(unit, phase) | index.gave_up(unit, phase)
    return {who for who in people if who not in never and all(who in eligible[pair] for pair in unit)}


def _load(
    people: Iterable[int],
    existing: Iterable[ExistingAssignment],
    trial: Mapping[tuple[PlanUnit, str], set[int]],
    qualification: Mapping[Key, set[int]],
) -> dict[int, int]:
    """What everyone has to do besides the main pairs that are not started: pairs in progress, trial, qualification."""
    load = Counter(row.annotator for row in existing if row.status == Status.STARTED)
    load.update(who for (unit, _phase), assignable in trial.items() for _pair in unit for who in assignable)
    load.update(who for assignable in qualification.values() for who in assignable)
    load.update(row.annotator for row in existing if row.retry and row.status == Status.OPEN)
    return {who: load[who] for who in people}


def _main(
    rng: random.Random,
    main: Sequence[PlanUnit],
    load: dict[int, int],
    assignable: Mapping[PlanUnit, set[int]],
    index: _AssignmentIndex,
    settings: PlanSettings,
) -> dict[PlanUnit, set[int]]:
    """By unit of the main phase, who is to annotate it besides those who have started it; adds it to their `load`."""
    together = check_overlap(settings, len(load))
    overlap = _overlap(rng, main, set(load), index, settings.overlap)
    need = {unit: _need(unit, index, together if unit in overlap else 1, assignable[unit], settings) for unit in main}
    chosen: dict[PlanUnit, set[int]] = {unit: set() for unit in main}

    def assign(unit: PlanUnit, from_: Iterable[int]) -> None:
        by_load = sorted(sorted(from_), key=lambda who: (load[who], rng.random()))
        for who in by_load[: need[unit] - len(chosen[unit])]:
            load[who] += len(unit)
            chosen[unit].add(who)

    holders = {unit: assignable[unit] & index.open_for(unit, Phase.MAIN) for unit in main}
    scarce_first = sorted(main, key=lambda unit: len(assignable[unit]))
    for unit in scarce_first:
        assign(unit, holders[unit])
    for unit in scarce_first:
        assign(unit, assignable[unit] - chosen[unit])
    _balance(rng, load, assignable, chosen, holders)
    return chosen


def _need(unit: PlanUnit, index: _AssignmentIndex, together: int, assignable: set[int], settings: PlanSettings) -> int:
    """How many people get a unit besides those who have started it; "everyone" means all who are chosen."""
    if together > 1 and not settings.overlap_people:
        return len(assignable)
    return max(together - len(index.started_by(unit, Phase.MAIN)), 0)


def _overlap(
    rng: random.Random, main: Sequence[PlanUnit], people: set[int], index: _AssignmentIndex, number: int
) -> set[PlanUnit]:
    """The units that several people annotate: first those that several have started, then those assigned to most."""
    if number > len(main):
        raise PlanError("overlap", number, len(main))

    def preference(unit: PlanUnit) -> tuple[bool, int, int, int]:
        started = index.started_by(unit, Phase.MAIN)
        everyone = started | (index.open_for(unit, Phase.MAIN) & people)
        if len(everyone) < 2:
            return True, -1, 0, 0
        # Of those with as many people, one that has to be withdrawn otherwise, or that nobody need be added to.
        return len(started) < 2, -len(everyone), len(started), len(people - everyone)

    drawn = rng.sample(main, len(main))
    return set(sorted(drawn, key=preference)[:number])


def _balance(
    rng: random.Random,
    load: dict[int, int],
    assignable: Mapping[PlanUnit, set[int]],
    chosen: dict[PlanUnit, set[int]],
    holders: Mapping[PlanUnit, set[int]],
) -> None:
    """Pass units from those with the most to those with the fewest until they differ by the pairs of a unit at most."""
    largest = max(map(len, chosen), default=1)
    moved = True
    while moved:
        moved = False
        by_load = sorted(load, key=lambda who: (load[who], who))
        for most in reversed(by_load):
            for fewest in by_load:
                if load[most] - load[fewest] <= largest:
                    break
                free = [unit for unit in chosen if most in chosen[unit] and fewest in assignable[unit] - chosen[unit]]
                rng.shuffle(free)
                # What they have not had so far, or what the other had, goes first.
                free.sort(key=lambda unit: (most in holders[unit], fewest not in holders[unit]))
                for unit in free:
                    if load[most] - load[fewest] > largest:
                        chosen[unit] = chosen[unit] - {most} | {fewest}
                        load[most] -= len(unit)
                        load[fewest] += len(unit)
                        moved = True


def _qualification(
    every: Sequence[PlanUnit],
    phase_before: Mapping[PlanUnit, str | None],
    people: Sequence[int],
    eligible: Mapping[int, Collection[int]],
    index: _AssignmentIndex,
) -> dict[Key, set[int]]:
    """Who has qualification pairs to begin: everyone their own, and people without any those of whoever has most."""
    phase = Phase.QUALIFICATION.value
    qualifying = [pair for unit in every if phase_before[unit] == phase for pair in unit]
    holders = {pair: index.started[pair, phase] | set(index.open[pair, phase]) for pair in qualifying}
    counts = Counter(who for have in holders.values() for who in have)
    if not counts:
        return {}
    model = max(counts, key=lambda who: (counts[who], -who))
    newcomers = [who for who in people if who not in counts]
    return {
        (pair, phase): set(index.open[pair, phase])
        | {
            who
            for who in newcomers
            if model in have and who in eligible[pair] and who not in index.given_up[pair, phase]
        }
        for pair, have in holders.items()
    }


def _queues(
    rng: random.Random,
    every: Sequence[PlanUnit],
    people: Sequence[int],
    existing: Sequence[ExistingAssignment],
    withdrawn: set[int],
    new: Mapping[int, set[Key]],
) -> tuple[list[PlannedAssignment], dict[int, int]]:
    """What everyone who gets something new has not started, phase by phase, the new among the old: their positions."""
    unit_of = {pair: index for index, unit in enumerate(every) for pair in unit}
    staying: dict[tuple[int, str], list[ExistingAssignment]] = defaultdict(list)
    for each in sorted(existing, key=lambda row: (row.order, row.id)):
        if each.status == Status.OPEN and each.id not in withdrawn:
            staying[each.annotator, each.phase].append(each)
    planned: list[PlannedAssignment] = []
    positions: dict[int, int] = {}
    for who in people:
        position = 0
        if not new.get(who):
            continue
        for phase in Phase.values:
            old: dict[int, list[int | Key]] = {}
            for each in staying[who, phase]:
                old.setdefault(unit_of[each.pair], []).append(each.id)
            added: dict[int, list[int | Key]] = {}
            for key in sorted(new[who], key=lambda key: (unit_of[key[0]], every[unit_of[key[0]]].index(key[0]))):
                if key[1] == phase:
                    added.setdefault(unit_of[key[0]], []).append(key)
            for entry in _merged(rng, old, added):
                if isinstance(entry, int):
                    positions[entry] = position
                else:
                    planned.append(PlannedAssignment(entry[0], who, phase, position))
                position += 1
    return planned, positions


def _merged(
    rng: random.Random, old: dict[int, list[int | Key]], added: dict[int, list[int | Key]]
) -> Iterable[int | Key]:
    """Old units in their order with new ones anywhere between, so that position doesn't reveal which are shared."""
    fresh = [unit for unit in added if unit not in old]
    rng.shuffle(fresh)
    is_new_in_order = [True] * len(fresh) + [False] * len(old)
    rng.shuffle(is_new_in_order)
    ours, theirs = iter(fresh), iter(old)
    for is_new in is_new_in_order:
        unit = next(ours) if is_new else next(theirs)
        yield from old.get(unit, [])
        yield from added.get(unit, [])


def current_settings(pairs: Sequence[PlanPair], existing: Sequence[ExistingAssignment]) -> PlanSettings:
    """The settings that come nearest to the assignments as they are."""
    index = _AssignmentIndex()
    for row in existing:
        if not row.retry:
            index.add(row)
    every = units(pairs)
    trial = sum(index.phase_of(unit) == Phase.TRIAL for unit in every)
    main = [
        len(index.started_by(unit, Phase.MAIN) | index.open_for(unit, Phase.MAIN))
        for unit in every
        if index.phase_of(unit) == Phase.MAIN
    ]
    shared = Counter(n for n in main if n > 1)
    everyone = len({row.annotator for row in existing})
    together = max(shared, key=lambda n: (shared[n], n), default=0)
    return PlanSettings(trial=trial, overlap=shared.total(), overlap_people=0 if together == everyone else together)
