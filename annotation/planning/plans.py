"""Who gets which pair. Pure: the same seed and the same rows give the same plan, so that it can be previewed.

The unit of planning is a pair together with its mirror: they go to the same person, one right after the other. A
qualification set (pairs with gold) and the trial are shared by everyone; the main phase splits the other pairs, with an
overlap that several people annotate. SwissGov-RSD: a trial of 3, half each, an overlap of 25 (two people). X-PARADE: an
overlap of everything.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from annotation.vocabulary import Phase, Status

PlanUnit = tuple[int, ...]
PlanLimit = Literal[
    "people", "qualification", "qualification_both", "trial", "overlap", "overlap_people", "second_person"
]


class PlanError(ValueError):
    """A plan that needs more than there is: of what, how many it needs, and how many are available.

    `overlap_people`: more people for each overlapping pair than were chosen, or fewer than two. `second_person`: an
    overlap with only one person.
    """

    def __init__(self, what: PlanLimit, requested: int, available: int) -> None:
        super().__init__(f"{what}: {requested} asked for, {available} available")
        self.what, self.requested, self.available = what, requested, available


@dataclass(frozen=True, slots=True)
class PlanPair:
    """A pair as planning sees it: its id, its mirror's id, and whether it has gold."""

    id: int
    mirror: int | None = None
    gold: bool = False


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """A lead's settings, counted in units (a pair with its mirror is one).

    `both_directions`: only pairs with a mirror qualify. `overlap_people`: how many people annotate each unit of the
    overlap; 0 for everyone. `readers_only`: a unit only goes to people who read its languages, even if fewer than
    wanted do.
    """

    seed: int = 1
    qualification: int = 0
    trial: int = 0
    overlap: int = 0
    overlap_people: int = 0
    readers_only: bool = False
    both_directions: bool = False


@dataclass(frozen=True, slots=True)
class PlannedAssignment:
    """One assignment to create. `order` counts from 0 for each annotator across all phases of the plan."""

    pair: int
    annotator: int
    phase: str
    order: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Assignments by annotator and order, the pairs of each phase, and the main pairs that several people annotate.

    `unassignable`: pairs that stay unassigned because nobody may annotate them.
    """

    planned: list[PlannedAssignment]
    pairs: dict[str, list[int]]
    shared: frozenset[int] = field(default_factory=frozenset)
    unassignable: frozenset[int] = field(default_factory=frozenset)

    def load(self, annotator: int, phase: str) -> int:
        """How many pairs of a phase an annotator gets."""
        return sum(each.annotator == annotator and each.phase == phase for each in self.planned)

    @property
    def digest(self) -> str:
        return digest_of(self.planned)


def digest_of(plan: object) -> str:
    """What identifies a plan that was shown, to apply that one and no other."""
    return hashlib.sha256(repr(plan).encode()).hexdigest()[:16]


def units(pairs: Sequence[PlanPair]) -> list[PlanUnit]:
    """Pairs in their order, each followed by its mirror if that is among them."""
    ids = {pair.id for pair in pairs}
    mirror: dict[int, int] = {}
    for pair in pairs:
        if pair.mirror in ids and pair.mirror != pair.id:
            mirror.setdefault(pair.id, pair.mirror)
            mirror.setdefault(pair.mirror, pair.id)
    result: list[PlanUnit] = []
    placed: set[int] = set()
    for pair in pairs:
        if pair.id in placed:
            continue
        other = mirror.get(pair.id)
        unit = (pair.id,) if other is None or other in placed else (pair.id, other)
        placed.update(unit)
        result.append(unit)
    return result


def make_plan(
    pairs: Sequence[PlanPair],
    annotators: Sequence[int],
    settings: PlanSettings,
    readers: Mapping[int, Collection[int]] | None = None,
    barred: Collection[tuple[int, int]] = (),
) -> Plan:
    """Plan `pairs` (unassigned ones, in the project's order) for `annotators`. Raises PlanError.

    `readers`: by pair, who reads its languages, which `readers_only` is about; a plan that everyone can read is the
    same with it as without. `barred`: (annotator, pair) that must not be assigned.
    """
    people = list(annotators)
    eligible = eligible_annotators(pairs, people, readers if settings.readers_only else None, barred)
    unassignable = frozenset(pair.id for pair in pairs if not eligible[pair.id])
    pairs = [pair for pair in pairs if pair.id not in unassignable]
    if not people:
        raise PlanError("people", 1, 0)
    rng = random.Random(settings.seed)
    every = units(pairs)
    gold = {pair.id for pair in pairs if pair.gold}
    with_gold = [unit for unit in every if gold.issuperset(unit)]
    if settings.both_directions:
        with_gold = [unit for unit in with_gold if len(unit) > 1]
    what: PlanLimit = "qualification_both" if settings.both_directions else "qualification"
    qualification = _draw(rng, with_gold, settings.qualification, what)
    rest = _without(every, qualification)
    trial = _draw(rng, rest, settings.trial, "trial")
    rest = _without(rest, trial)
    overlap = _draw(rng, rest, settings.overlap, "overlap")
    together = check_overlap(settings, len(people))
    alone = _without(rest, overlap)
    rng.shuffle(alone)
    main = _split(rng, people, [(unit, together) for unit in overlap] + [(unit, 1) for unit in alone], eligible)
    planned: list[PlannedAssignment] = []
    for person in people:
        rng.shuffle(main[person])  # so that position doesn't reveal shared pairs
        blocks = [(Phase.QUALIFICATION, qualification), (Phase.TRIAL, trial), (Phase.MAIN, main[person])]
        order = 0
        for phase in Phase:
            for unit in dict(blocks)[phase]:
                for pair in (pair for pair in unit if person in eligible[pair]):
                    planned.append(PlannedAssignment(pair, person, phase, order))
                    order += 1
    # Of the overlap, those that only one of them reads are nobody's to compare.
    holders = Counter(each.pair for each in planned if each.phase == Phase.MAIN)
    return Plan(
        planned,
        {
            Phase.QUALIFICATION: [pair for unit in qualification for pair in unit],
            Phase.TRIAL: [pair for unit in trial for pair in unit],
            Phase.MAIN: [pair for unit in rest for pair in unit],
        },
        frozenset(pair for unit in overlap for pair in unit if holders[pair] > 1),
        unassignable,
    )


def check_overlap(settings: PlanSettings, people: int) -> int:
    """How many people annotate each unit of the overlap. Raises PlanError if that many weren't chosen."""
    together = settings.overlap_people or people
    if settings.overlap and people < 2:
        raise PlanError("second_person", 2, people)
    if settings.overlap and not 2 <= together <= people:
        raise PlanError("overlap_people", together, people)
    return together


def eligible_annotators(
    pairs: Sequence[PlanPair],
    people: Sequence[int],
    readers: Mapping[int, Collection[int]] | None,
    barred: Collection[tuple[int, int]],
) -> Mapping[int, Collection[int]]:
    """By pair, who may annotate it: those who read its languages (None: everyone does), if it isn't barred to them."""
    everyone = frozenset(people)
    eligible = {
        pair.id: everyone if readers is None else everyone.intersection(readers.get(pair.id, ())) for pair in pairs
    }
    for person, pair in barred:
        if pair in eligible:
            eligible[pair] -= {person}
    return eligible


def _draw(rng: random.Random, units_: list[PlanUnit], n: int, what: PlanLimit) -> list[PlanUnit]:
    """`n` random units, in their own order."""
    if n > len(units_):
        raise PlanError(what, n, len(units_))
    chosen = set(rng.sample(range(len(units_)), n))
    return [unit for index, unit in enumerate(units_) if index in chosen]


def _without(units_: list[PlanUnit], taken: list[PlanUnit]) -> list[PlanUnit]:
    gone = set(taken)
    return [unit for unit in units_ if unit not in gone]


def _split(
    rng: random.Random, people: list[int], demand: list[tuple[PlanUnit, int]], eligible: Mapping[int, Collection[int]]
) -> dict[int, list[PlanUnit]]:
    """Assign each unit to as many people as it needs, always those with the fewest pairs; ties are broken at random.

    Units that fewer people can take come first, so that the loads can still even out.
    """
    assigned: dict[int, list[PlanUnit]] = {person: [] for person in people}
    load = dict.fromkeys(people, 0)
    takers = {unit: [person for person in people if person in eligible[unit[0]]] for unit, _n in demand}
    for unit, n in sorted(demand, key=lambda each: len(takers[each[0]])):
        by_load = sorted(people, key=lambda person: (load[person], rng.random()))
        for person in [person for person in by_load if person in takers[unit]][:n]:
            assigned[person].append(unit)
            load[person] += len(unit)
    return assigned


@dataclass(frozen=True, slots=True)
class ExistingAssignment:
    """An assignment that exists already; `retry`: one person alone qualifies again with it."""

    id: int
    pair: int
    annotator: int
    phase: str
    status: str
    order: int
    retry: bool = False


@dataclass(frozen=True, slots=True)
class NewcomerShare:
    """The share of a person who joins mid-way.

    `moved`: ids of assignments not started that pass to them, in order; `new`: pairs to assign to them in addition to
    those who have them already.
    """

    moved: list[int]
    new: list[PlannedAssignment]


@dataclass(frozen=True, slots=True)
class Reassignment:
    """Which of a person's unfinished assignments another person takes over.

    `moved`: ids of assignments not started that pass to the other person, in order; `started`: ids of assignments that
    end, each with a new one of the same pair and phase in `new`.
    """

    moved: list[int]
    started: list[int]
    new: list[PlannedAssignment]


def add_annotator(
    existing: Sequence[ExistingAssignment],
    newcomer: int,
    pairs: Sequence[PlanPair],
    seed: int,
    readable: frozenset[int] | None = None,
    left: Collection[int] = (),
) -> NewcomerShare:
    """What a person who joins gets: everything that all others share, and an equal share of the open main pairs.

    `readable`: the pairs whose languages they read, the only ones they get; None for all. `left`: people who no longer
    work here; they don't count as others unless there is nobody else. Everything shared: qualification, trial, an
    overlap of all. Main pairs that the newcomer has and did not start count towards the share. The others are taken
    from people who have left, then from those with the most remaining.
    """
    assigned = {each.annotator for each in existing} - {newcomer}
    others = assigned - {*left} or assigned
    shared = [key for key in _shared_by_all(existing, newcomer, others) if readable is None or key[0] in readable]
    singles = _open_singles(existing, pairs)
    own = len(singles.pop(newcomer, []))
    if readable is not None:
        singles = {
            who: [each for each in theirs if readable.issuperset(row.pair for row in each)]
            for who, theirs in singles.items()
        }
    remaining = {person: units_ for person, units_ in singles.items() if units_}
    rng = random.Random(seed)
    moved: list[list[ExistingAssignment]] = []
    share = (sum(len(units_) for units_ in remaining.values()) + own) // (len(others) + 1) - own
    while len(moved) < share:
        most = max(
            (person for person in remaining if remaining[person]),
            key=lambda person: (person in left, len(remaining[person]), -person),
        )
        moved.append(remaining[most].pop(rng.randrange(len(remaining[most]))))
    return NewcomerShare([each.id for unit in moved for each in unit], _shared_plan(shared, newcomer, existing))


def replace_annotator(
    existing: Sequence[ExistingAssignment], leaver: int, newcomer: int, barred: Collection[int] = frozenset()
) -> Reassignment:
    """Reassign what the leaver did not finish: assignments not started move, started ones are assigned again.

    What they finished stays with them, and so do pairs that the newcomer already has in that phase or must not be
    assigned (`barred`): nobody else would annotate those instead.
    """
    has = {(each.pair, each.phase) for each in existing if each.annotator == newcomer}
    theirs = sorted((each for each in existing if each.annotator == leaver), key=lambda each: (each.order, each.id))
    free = [each for each in theirs if (each.pair, each.phase) not in has and each.pair not in barred]
    started = [each for each in free if each.status == Status.STARTED]
    return Reassignment(
        moved=[each.id for each in free if each.status == Status.OPEN],
        started=[each.id for each in started],
        new=_shared_plan([(each.pair, each.phase) for each in started], newcomer, existing),
    )


def _shared_by_all(
    existing: Iterable[ExistingAssignment], newcomer: int, others: Collection[int]
) -> list[tuple[int, str]]:
    """All of qualification and trial, and the main pairs that all others share, without what the newcomer has."""
    holders: dict[tuple[int, str], set[int]] = defaultdict(set)
    first: dict[tuple[int, str], tuple[int, int]] = {}
    for each in existing:
        if each.retry:
            continue
        key = (each.pair, each.phase)
        holders[key].add(each.annotator)
        first[key] = min(first.get(key, (each.order, each.id)), (each.order, each.id))
    shared = [
        key
        for key, people in holders.items()
        if newcomer not in people and (key[1] != Phase.MAIN or (len(others) > 1 and people.issuperset(others)))
    ]
    return sorted(shared, key=lambda key: (Phase.values.index(key[1]), first[key]))


def _open_singles(
    existing: Iterable[ExistingAssignment], pairs: Sequence[PlanPair]
) -> dict[int, list[list[ExistingAssignment]]]:
    """By person, the units of the main phase that only they have and did not start, in order."""
    holders: dict[int, list[ExistingAssignment]] = defaultdict(list)
    for each in existing:
        if each.phase == Phase.MAIN:
            holders[each.pair].append(each)
    result: dict[int, list[list[ExistingAssignment]]] = defaultdict(list)
    for unit in units(pairs):
        rows = [each for pair in unit for each in holders.get(pair, ())]
        owners = {each.annotator for each in rows}
        if len(owners) == 1 and all(each.status == Status.OPEN for each in rows):
            result[owners.pop()].append(rows)
    return result


def _shared_plan(
    keys: Iterable[tuple[int, str]], newcomer: int, existing: Iterable[ExistingAssignment]
) -> list[PlannedAssignment]:
    """New assignments for the newcomer, after those they have."""
    order = max((each.order + 1 for each in existing if each.annotator == newcomer), default=0)
    return [PlannedAssignment(pair, newcomer, phase, order + index) for index, (pair, phase) in enumerate(keys)]


def highlights_shown(pair: str, annotator: str, share: int) -> bool:
    """Whether this pair shows highlights to this person: true for `share` percent, always the same for the same names.

    The names are hashed, so that the choice depends neither on database ids nor on the order of planning; people who
    see them at 30% still do at 50%.
    """
    digest = hashlib.sha256(f"{pair}\0{annotator}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64 // 100
