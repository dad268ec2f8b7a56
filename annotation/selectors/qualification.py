"""Reads of the qualification: how each person's first submissions compare with the references, and what leads decided.

The number of queries grows neither with the people nor with their pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotation.models import Annotation, Annotator, Assignment, Pair, Project, Revision, Role, Status
from annotation.planning import PlanPair, Unit, units
from annotation.qualification_models import QualificationStep, Step
from annotation.qualifying.base import Answer, answer_of, parts_of
from annotation.qualifying.rule import KEY, PassRule, rule_of
from annotation.qualifying.standing import Missing, PairResult, Result, State, result_of
from annotation.selectors.annotations import IS_GOLD
from annotation.selectors.reading import pairs_read_by
from annotation.selectors.references import references_known
from annotation.text.schemes import Scheme
from annotation.text.spans import parse_document
from annotation.vocabulary import Phase, Verdict

SUBMISSIONS = (Verdict.SUBMITTED, Verdict.REJECTED, Verdict.FLAGGED)
"""What counts as a first submission. A pair that was skipped can still be submitted."""
_MISSING = {Verdict.REJECTED: Missing.REJECTED, Verdict.FLAGGED: Missing.FLAGGED}
FINISHED = (State.TOO_FEW, State.PASSED, State.NOT_PASSED)


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's result under the project's rule, and what was said and decided about them, the first step first."""

    annotator: Annotator
    rule: PassRule
    result: Result
    steps: tuple[QualificationStep, ...]

    def last(self, *steps: str) -> QualificationStep | None:
        """The last of some steps that is not undone."""
        found = [each for each in self.steps if each.step in steps and each.undone is None]
        return found[-1] if found else None

    @property
    def decision(self) -> QualificationStep | None:
        """What a lead (or the rule) decided last, which can be undone."""
        return self.last(Step.ADVANCE, Step.RETRY)

    @property
    def advanced(self) -> bool:
        return self.last(Step.ADVANCE) is not None

    @property
    def status(self) -> str:
        """A `State`, 'advanced', or 'retry' while pairs of a retry are to be done."""
        if self.advanced:
            return "advanced"
        retried = self.last(Step.RETRY) is not None
        return "retry" if retried and self.result.state not in FINISHED else self.result.state.value

    @property
    def released(self) -> bool:
        """Whether the person sees their result: that of the pairs since the last retry."""
        if self.rule.release == "at-once" and self.result.state in FINISHED:
            return True
        last = self.last(Step.RELEASE, Step.ADVANCE, Step.RETRY)
        return last is not None and last.step != Step.RETRY

    @property
    def parts(self) -> list[tuple[str, float | None, float | None]]:
        """The agreement by label or question: its name, the value (None: it occurs nowhere), and the least value."""
        found, least = self.result.parts, self.rule.parts
        names = parts_of(self.annotator.project.labels, self.rule.found)
        return [(name, found.get(key), least.get(key)) for key, name in names.items() if key in found or key in least]

    @property
    def words(self) -> QualificationStep | None:
        """The lead's last words to the person."""
        found = self.last(Step.WORDS)
        return found if found and found.words else None


def project_rule(project: Project) -> PassRule | None:
    return rule_of(project.settings, project.labels)


def standings(project: Project, *, annotator: Annotator | None = None) -> list[Standing]:
    """Everyone who has or should have a qualification, in the order in which they joined; [] without a rule.

    These are the annotators with an account, and whoever has qualification pairs. `annotator`: only this one.
    """
    rule = project_rule(project)
    if rule is None:
        return []
    people = Annotator.objects.filter(project=project).select_related("user", "project").order_by("pk")
    if annotator is not None:
        people = people.filter(pk=annotator.pk)
    work = Assignment.objects.filter(annotator__in=people, phase=Phase.QUALIFICATION, round=0).exclude(
        status=Status.REASSIGNED
    )
    assignments: dict[int, list[Assignment]] = defaultdict(list)
    for row in work.order_by("order", "pk"):
        assignments[row.annotator_id].append(row)
    steps: dict[int, list[QualificationStep]] = defaultdict(list)
    for step in QualificationStep.objects.filter(annotator__in=people).select_related("made_by").order_by("pk"):
        steps[step.annotator_id].append(step)
    wanted = [
        person
        for person in people
        if person.pk in assignments or annotator or (person.user_id and person.role == Role.ANNOTATOR)
    ]
    counted = {person.pk: _since(assignments[person.pk], steps[person.pk]) for person in wanted}
    results = _results(project, rule, counted)
    return [Standing(person, rule, results[person.pk], tuple(steps[person.pk])) for person in wanted]


def standing_of(annotator: Annotator) -> Standing | None:
    """One person's standing; None in a project without a rule."""
    return next(iter(standings(annotator.project, annotator=annotator)), None)


def own_standing(annotator: Annotator) -> Standing | None:
    """What a person is shown of their own standing; None without a rule, and for those who need no qualification."""
    if KEY not in annotator.project.settings:
        return None
    found = standing_of(annotator)
    if found is None or (annotator.role != Role.ANNOTATOR and not found.result.pairs):
        return None
    return found


def _since(rows: Sequence[Assignment], steps: Sequence[QualificationStep]) -> list[Assignment]:
    """The assignments that count: those of the last retry and after it."""
    retries = [each for each in steps if each.step == Step.RETRY and each.undone is None]
    since = retries[-1].since if retries else 0
    return [row for row in rows if row.order >= since]


def _results(project: Project, rule: PassRule, rows: dict[int, list[Assignment]]) -> dict[int, Result]:
    scheme = project.labels
    keys = {row.pair_id for own in rows.values() for row in own}
    pairs = _pairs(keys)
    references = _references(keys)
    firsts = first_submissions([row for own in rows.values() for row in own])
    answers = {
        pair: _answer(pairs[pair], gold.spans, gold.answers) for pair, gold in references.items() if pair in pairs
    }
    found = {}
    for person, own in rows.items():
        compared = [
            _pair_result(scheme, rule, row, pairs[row.pair_id], firsts.get(row.pk), references, answers) for row in own
        ]
        found[person] = result_of(rule, compared)
    return found


def _pairs(keys: Collection[int]) -> dict[int, Pair]:
    columns = ("external_id", "mirror_id", "project_id", "a__tokens", "b__tokens")
    return {each.pk: each for each in Pair.objects.filter(pk__in=keys).select_related("a", "b").only(*columns)}


def _references(keys: Collection[int]) -> dict[int, Annotation]:
    """The reference in force of each pair: its newest gold."""
    rows = Annotation.objects.filter(IS_GOLD, pair__in=keys).order_by("pair_id", "gold_version")
    return {row.pair_id: row for row in rows.only("pair_id", "spans", "answers", "gold_version")}


@dataclass(frozen=True, slots=True)
class FirstSubmission:
    """What someone submitted first on a pair; later submissions never change it."""

    spans: object
    answers: dict[str, str]
    verdict: str


def first_submissions(rows: Sequence[Assignment]) -> dict[int, FirstSubmission]:
    """By assignment, its first submission. Work from before revisions were stored counts as it is."""
    keys = [row.pk for row in rows]
    found: dict[int, FirstSubmission] = {}
    revisions = Revision.objects.filter(annotation__assignment__in=keys, verdict__in=SUBMISSIONS)
    columns = ("annotation__assignment_id", "spans", "answers", "verdict")
    for key, spans, answers, verdict in revisions.order_by("annotation_id", "number").values_list(*columns):
        found.setdefault(key, FirstSubmission(spans, answers, verdict))
    bare = [row.pk for row in rows if row.status == Status.DONE and row.pk not in found]
    if bare:
        work = Annotation.objects.filter(assignment__in=bare, verdict__in=SUBMISSIONS)
        for key, spans, answers, verdict in work.values_list("assignment_id", "spans", "answers", "verdict"):
            found[key] = FirstSubmission(spans, answers, verdict)
    return found


def _answer(pair: Pair, spans: object, answers: dict[str, str]) -> Answer:
    return answer_of(parse_document(spans), answers, {"a": pair.a.tokens, "b": pair.b.tokens})


def _pair_result(
    scheme: Scheme,
    rule: PassRule,
    row: Assignment,
    pair: Pair,
    first: FirstSubmission | None,
    references: dict[int, Annotation],
    answers: dict[int, Answer],
) -> PairResult:
    compared, missing = None, None
    if first is None:
        missing = Missing.SKIPPED if row.status == Status.SKIPPED else Missing.OPEN
    elif pair.pk not in answers:
        missing = Missing.NO_REFERENCE
    elif first.verdict in _MISSING:
        missing = _MISSING[Verdict(first.verdict)]
    else:
        words = sum(len(getattr(pair, side).tokens) for side in scheme.sides)
        compared = rule.found.compare(scheme, _answer(pair, first.spans, first.answers), answers[pair.pk], words)
    gold = references.get(pair.pk)
    return PairResult(
        pair.pk, pair.external_id, pair.mirror_id, compared, missing, row.pk, gold.gold_version if gold else None
    )


def retry_units(annotator: Annotator, rule: PassRule) -> list[Unit]:
    """The pairs that someone can still be assigned for another qualification, each with its mirror, in their order.

    They have a reference that the person doesn't know, the person was never assigned their texts, and reads their
    languages. If the rule counts both directions, only pairs with a mirror.
    """
    project = annotator.project
    rows = list(
        Pair.objects.filter(project=project)
        .order_by("position", "pk")
        .values_list("pk", "mirror_id", "a__digest", "b__digest")
    )
    gold = set(Annotation.objects.filter(IS_GOLD, pair__project=project).values_list("pair_id", flat=True))
    known = {pair for person, pair in references_known(project) if person == annotator.pk}
    seen = _seen(annotator)
    readable = pairs_read_by(annotator)
    free = {
        pk
        for pk, mirror, a, b in rows
        if pk in gold
        and pk not in known
        and mirror not in known
        and not {pk, mirror} & seen.pairs
        and frozenset((a, b)) not in seen.texts
        and (readable is None or pk in readable)
    }
    every = units([PlanPair(pk, mirror, pk in gold) for pk, mirror, _a, _b in rows])
    return [unit for unit in every if free.issuperset(unit) and (len(unit) == 2 or not rule.both_directions)]


@dataclass(frozen=True, slots=True)
class _Seen:
    pairs: set[int]
    texts: set[frozenset[str]]


def _seen(annotator: Annotator) -> _Seen:
    rows: QuerySet[Assignment, tuple[int, int | None, str, str]] = (
        Assignment.objects.filter(Q(annotator=annotator))
        .order_by()
        .values_list("pair_id", "pair__mirror_id", "pair__a__digest", "pair__b__digest")
    )
    found = _Seen(set(), set())
    for pair, mirror, a, b in rows:
        found.pairs.update(key for key in (pair, mirror) if key)
        found.texts.add(frozenset((a, b)))
    return found
