"""The pairs that someone can still be assigned for another qualification, and why there are not more."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import QuerySet

from annotation.models import Annotation, Annotator, Assignment, Pair, Project
from annotation.planning.plans import PlannedAssignment, PlanPair, PlanUnit, units
from annotation.qualification.rule import PassRule
from annotation.selectors.annotations import IS_GOLD
from annotation.selectors.reading_languages import pairs_read_by
from annotation.selectors.references import pairs_with_known_reference
from annotation.vocabulary import Phase


class IneligibleReason(StrEnum):
    """Why a pair is not left: ASSIGNED: its texts are or were this person's, in some phase; KNOWN: they were shown its
    reference; UNREADABLE: they don't read its languages; ALONE: the rule counts both directions, and it has no mirror
    with a reference; NO_REFERENCE: it has no gold.
    """

    ASSIGNED = "assigned"
    KNOWN = "known"
    UNREADABLE = "unread"
    ALONE = "alone"
    NO_REFERENCE = "no-reference"


@dataclass(frozen=True, slots=True)
class RetrySupply:
    """`units` are the pairs that are left, each with its mirror, in order; `ineligible` counts the others by reason."""

    units: Sequence[PlanUnit]
    ineligible: Mapping[str, int]


def without_retry(
    *, project: Project, annotators: Sequence[Annotator], planned: Sequence[PlannedAssignment], rule: PassRule | None
) -> list[Annotator]:
    """Whom a plan assigns qualification pairs and leaves too few for a retry under the rule, in their order."""
    if rule is None:
        return []
    pairs: dict[int, set[int]] = {}
    for each in planned:
        pairs.setdefault(each.annotator, set()).add(each.pair)
    qualifying = {each.annotator for each in planned if each.phase == Phase.QUALIFICATION}
    result = []
    for person in (each for each in annotators if each.pk in qualifying):
        person.project = project  # one project, loaded once
        if len(retry_supply(person, rule, pairs[person.pk]).units) < rule.least_pairs:
            result.append(person)
    return result


def too_few_to_pass(*, project: Project, planned: Sequence[PlannedAssignment], rule: PassRule | None) -> int | None:
    """The smallest number of qualification pairs that anyone would have by a plan, if too few to pass; else None."""
    qualifying = [each for each in planned if each.phase == Phase.QUALIFICATION]
    if rule is None or not qualifying:
        return None
    pairs = _qualifying(project)
    for each in qualifying:
        pairs.setdefault(each.annotator, set()).add(each.pair)
    fewest = min(_pair_count(pairs[each.annotator], rule) for each in qualifying)
    return fewest if fewest < rule.least_pairs else None


def people_with_too_few(project: Project, rule: PassRule) -> list[str]:
    """The names of those who can't pass under the rule, because they were assigned fewer pairs than it needs."""
    few = [who for who, pairs in _qualifying(project).items() if _pair_count(pairs, rule) < rule.least_pairs]
    # Who has other pairs by now is judged by those.
    retried = Assignment.objects.filter(annotator__project=project, phase=Phase.QUALIFICATION, retry__isnull=False)
    people = Annotator.objects.filter(pk__in=few, user__isnull=False).exclude(pk__in=retried.values("annotator"))
    return list(people.order_by("pk").values_list("alias", flat=True))


def _qualifying(project: Project) -> dict[int, set[int]]:
    """The pairs that everyone was first assigned for the qualification, by person."""
    assigned = Assignment.objects.filter(annotator__project=project, phase=Phase.QUALIFICATION, retry=None)
    pairs_by_annotator: dict[int, set[int]] = defaultdict(set)
    for annotator, pair in assigned.values_list("annotator_id", "pair_id"):
        pairs_by_annotator[annotator].add(pair)
    return pairs_by_annotator


def _pair_count(pairs: Collection[int], rule: PassRule) -> int:
    """As `PassRule.least_pairs` counts: under a rule for both directions a pair and its mirror are one."""
    return len(pairs) // (2 if rule.both_directions else 1)


def retry_supply(annotator: Annotator, rule: PassRule, planned: Collection[int] = ()) -> RetrySupply:
    """What is left for another qualification of someone whose project is loaded.

    The pairs have a reference that the person doesn't know, the person was never assigned their texts, and reads their
    languages. If the rule counts both directions, only pairs with a mirror. `planned` pairs count as assigned.
    """
    project = annotator.project
    rows = list(
        Pair.objects.filter(project=project)
        .order_by("position", "pk")
        .values_list("pk", "mirror_id", "a__digest", "b__digest")
    )
    gold = set(Annotation.objects.filter(IS_GOLD, pair__project=project).values_list("pair_id", flat=True))
    known = {pair for person, pair in pairs_with_known_reference(project) if person == annotator.pk}
    seen_texts = _texts_seen(annotator)
    for pk, mirror, a, b in rows:
        if pk in planned:
            seen_texts.add(pk, mirror, a, b)
    readable = pairs_read_by(annotator)

    def ineligible(pk: int, mirror: int | None, a: str, b: str) -> IneligibleReason | None:
        if pk not in gold:
            return IneligibleReason.NO_REFERENCE
        if {pk, mirror} & seen_texts.pairs or frozenset((a, b)) in seen_texts.texts:
            return IneligibleReason.ASSIGNED
        if {pk, mirror} & known:
            return IneligibleReason.KNOWN
        return None if readable is None or pk in readable else IneligibleReason.UNREADABLE

    why = {row[0]: ineligible(*row) for row in rows}
    left: list[PlanUnit] = []
    for unit in units([PlanPair(pk, mirror, pk in gold) for pk, mirror, _a, _b in rows]):
        reasons = {pk: why[pk] for pk in unit if why[pk]}
        if not reasons and rule.both_directions and len(unit) < 2:
            why[unit[0]] = IneligibleReason.ALONE
        elif not reasons:
            left.append(unit)
        else:  # one of the two is no use without the other
            why |= {pk: reasons.get(pk) or next(iter(reasons.values())) for pk in unit}
    return RetrySupply(left, dict(Counter(reason.value for reason in why.values() if reason)))


@dataclass(frozen=True, slots=True)
class _SeenTexts:
    pairs: set[int]
    texts: set[frozenset[str]]

    def add(self, pair: int, mirror: int | None, a: str, b: str) -> None:
        self.pairs.update(key for key in (pair, mirror) if key)
        self.texts.add(frozenset((a, b)))


def _texts_seen(annotator: Annotator) -> _SeenTexts:
    rows: QuerySet[Assignment, tuple[int, int | None, str, str]] = (
        Assignment.objects.filter(annotator=annotator)
        .order_by()
        .values_list("pair_id", "pair__mirror_id", "pair__a__digest", "pair__b__digest")
    )
    texts = _SeenTexts(set(), set())
    for row in rows:
        texts.add(*row)
    return texts
