"""Reads of the qualification: how each person's first submissions compare with the references, and what leads decided.

The number of queries grows neither with the people nor with their pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from annotation.models import Annotation, Annotator, Assignment, Pair, Project, Revision, Role, Status
from annotation.models.qualification import QualificationStep, StepKind
from annotation.qualification.base import ComparedAnnotation, compared_annotation, parts_of
from annotation.qualification.results import ADVANCED, RETRY, Missing, PairResult, QualificationResult, State, result_of
from annotation.qualification.rule import KEY, PassRule, rule_of
from annotation.scheme_words import scheme_in_words
from annotation.selectors.advancement import HELD_PHASES
from annotation.selectors.annotations import IS_GOLD
from annotation.text.schemes import Scheme
from annotation.text.spans import parse_spans
from annotation.vocabulary import Phase, Verdict

SUBMISSIONS = (Verdict.SUBMITTED, Verdict.REJECTED, Verdict.FLAGGED)
"""What counts as a first submission. A pair that was skipped can still be submitted."""
_MISSING = {Verdict.REJECTED: Missing.REJECTED, Verdict.FLAGGED: Missing.FLAGGED}
FINISHED = (State.TOO_FEW, State.PASSED, State.NOT_PASSED)


@dataclass(frozen=True, slots=True)
class Qualification:
    """A person's result under the project's rule, and what was said and decided about them, the first step first."""

    annotator: Annotator
    rule: PassRule
    result: QualificationResult
    steps: tuple[QualificationStep, ...]

    def last(self, *steps: str) -> QualificationStep | None:
        """The last of some steps that is not undone."""
        matches = [each for each in self.steps if each.step in steps and each.undone is None]
        return matches[-1] if matches else None

    @property
    def decision(self) -> QualificationStep | None:
        """What a lead (or the rule) decided last, which can be undone."""
        return self.last(StepKind.ADVANCE, StepKind.RETRY)

    @property
    def advanced(self) -> bool:
        return self.last(StepKind.ADVANCE) is not None

    @property
    def passes(self) -> bool:
        """Whether the rule alone can advance them: every pair is compared. A rejected, flagged or skipped one is for a
        lead to look at.
        """
        return self.result.state == State.PASSED and not self.result.left_out

    @property
    def status(self) -> str:
        """A `State`, 'advanced', or 'retry' while pairs of a retry are to be done."""
        if self.advanced:
            return ADVANCED
        # Without a value before it, a retry only assigned someone their first pairs.
        retry = self.last(StepKind.RETRY)
        return (
            RETRY
            if retry and retry.value is not None and self.result.state not in FINISHED
            else self.result.state.value
        )

    @property
    def is_retrying(self) -> bool:
        return self.status == RETRY

    @property
    def released(self) -> bool:
        """Whether the person sees their result: that of the pairs since the last retry, once all are submitted.

        Whoever is advanced sees it in any case.
        """
        if self.advanced or self.result.state not in FINISHED:
            return self.advanced
        last = self.last(StepKind.RELEASE, StepKind.RETRY)
        return self.rule.release == "at-once" or (last is not None and last.step == StepKind.RELEASE)

    @property
    def parts(self) -> list[tuple[str, float | None, float | None, bool]]:
        """The agreement by label or question: its name, the value (None: it occurs nowhere), the least value, and
        whether it is missed.
        """
        shares, least = self.result.parts, self.rule.parts
        names = parts_of(scheme_in_words(self.annotator.project.labels), self.rule.chosen_measure)
        missed = {test.part for test in self.result.failed}
        return [
            (name, shares.get(key), least.get(key), key in missed)
            for key, name in names.items()
            if key in shares or key in least
        ]

    @property
    def missed(self) -> bool:
        """Whether the mean over all pairs is below its least value."""
        return any(test.part == "" for test in self.result.failed)

    @property
    def words(self) -> QualificationStep | None:
        """The lead's last words to the person."""
        step = self.last(StepKind.WORDS)
        return step if step and step.words else None

    @property
    def visible_message(self) -> str:
        """The message shown to the person; '' for none."""
        return self.words.words if self.words else ""

    @property
    def revision(self) -> str:
        """Names what was said and decided last: a lead's next words or decision state the one that they saw."""
        message = self.last(StepKind.WORDS)
        return f"{message.pk if message else 0}.{self.decision.pk if self.decision else 0}"

    def is_message_unchanged(self, revision: str) -> bool:
        """Whether nothing else was said since."""
        return self.revision.split(".")[0] == revision.split(".")[0]

    def is_decision_unchanged(self, revision: str) -> bool:
        """Whether nothing else was decided since."""
        return self.revision.split(".")[1:] == revision.split(".")[1:]

    def message_at(self, revision: str) -> str | None:
        """What the person read then; None if the revision names no words of theirs."""
        key = revision.split(".")[0]
        messages = [each.words for each in self.steps if each.step == StepKind.WORDS and str(each.pk) == key]
        return "" if key == "0" else next(iter(messages), None)

    def message_with(self, decision: QualificationStep) -> QualificationStep | None:
        """The words that came with a decision."""
        before = [each for each in self.steps if each.pk < decision.pk]
        return before[-1] if decision.has_message and before and before[-1].step == StepKind.WORDS else None


def project_rule(project: Project) -> PassRule | None:
    return rule_of(project.settings, project.labels)


def qualifications(
    project: Project, *, annotator: Annotator | None = None, under: PassRule | None = None
) -> list[Qualification]:
    """Everyone who has or should have a qualification, in the order in which they joined; [] without a rule.

    These are the annotators with an account, and whoever has qualification pairs. `annotator`: only this one; `under`:
    as it would be under this rule.
    """
    rule = under or project_rule(project)
    if rule is None:
        return []
    people = Annotator.objects.filter(project=project).select_related("user", "project").order_by("pk")
    if annotator is not None:
        people = people.filter(pk=annotator.pk)
    rows = Assignment.objects.filter(annotator__in=people, phase=Phase.QUALIFICATION, round=0).exclude(
        status=Status.REASSIGNED
    )
    assignments: dict[int, list[Assignment]] = defaultdict(list)
    for row in rows.order_by("order", "pk"):
        assignments[row.annotator_id].append(row)
    steps: dict[int, list[QualificationStep]] = defaultdict(list)
    for step in QualificationStep.objects.filter(annotator__in=people).select_related("made_by").order_by("pk"):
        steps[step.annotator_id].append(step)
    selected = [
        person
        for person in people
        if person.pk in assignments or annotator or (person.user_id and person.role == Role.ANNOTATOR)
    ]
    counted = {person.pk: _since(assignments[person.pk], steps[person.pk]) for person in selected}
    results = _results(project, rule, counted)
    return [Qualification(person, rule, results[person.pk], tuple(steps[person.pk])) for person in selected]


@dataclass(frozen=True, slots=True)
class HeldBack:
    """How many annotators are held back by a rule, with how many trial and main pairs that they have not started."""

    people: int
    pairs: int

    @property
    def text(self) -> str:
        """Both numbers, as a confirmation names them."""
        return f"{self.people}/{self.pairs}"


def held_back_by_rule(project: Project, rule: PassRule) -> HeldBack:
    """Who would be held back if a project had this rule now, excluding those whom it would advance at once."""
    people = Annotator.objects.filter(project=project, role=Role.ANNOTATOR, user__isnull=False)
    open_pairs = Assignment.objects.filter(annotator__in=people, status=Status.OPEN, phase__in=HELD_PHASES)
    waiting = Counter(open_pairs.order_by().values_list("annotator_id", flat=True))
    steps = QualificationStep.objects.filter(annotator__project=project, step=StepKind.ADVANCE, undone=None)
    free = set(steps.values_list("annotator_id", flat=True))
    if rule.automatic and waiting:
        free |= {each.annotator.pk for each in qualifications(project, under=rule) if each.passes}
    held = {person: pairs for person, pairs in waiting.items() if person not in free}
    return HeldBack(len(held), sum(held.values()))


def qualification_of(annotator: Annotator) -> Qualification | None:
    """One person's qualification; None in a project without a rule."""
    return next(iter(qualifications(annotator.project, annotator=annotator)), None)


def own_qualification(annotator: Annotator) -> Qualification | None:
    """What a person is shown of their own qualification; None without a rule, and for those who need none."""
    if KEY not in annotator.project.settings:
        return None
    qualification = qualification_of(annotator)
    if qualification is None or (annotator.role != Role.ANNOTATOR and not qualification.result.pairs):
        return None
    return qualification


def _since(rows: Sequence[Assignment], steps: Sequence[QualificationStep]) -> list[Assignment]:
    """The assignments that count: those of the last retry and after it."""
    retries = [each for each in steps if each.step == StepKind.RETRY and each.undone is None]
    since = retries[-1].since if retries else 0
    return [row for row in rows if row.order >= since]


def _results(project: Project, rule: PassRule, rows: dict[int, list[Assignment]]) -> dict[int, QualificationResult]:
    scheme = project.labels
    keys = {row.pair_id for own in rows.values() for row in own}
    pairs = _pairs(keys)
    references = _references(keys)
    firsts = first_submissions([row for own in rows.values() for row in own])
    compared_references = {
        pair: _compared(pairs[pair], gold.spans, gold.answers) for pair, gold in references.items() if pair in pairs
    }
    results = {}
    for person, own in rows.items():
        compared = [
            _pair_result(scheme, rule, row, pairs[row.pair_id], firsts.get(row.pk), references, compared_references)
            for row in own
        ]
        results[person] = result_of(rule, compared)
    return results


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
    submissions: dict[int, FirstSubmission] = {}
    revisions = Revision.objects.filter(annotation__assignment__in=keys, verdict__in=SUBMISSIONS)
    columns = ("annotation__assignment_id", "spans", "answers", "verdict")
    for key, spans, answers, verdict in revisions.order_by("annotation_id", "number").values_list(*columns):
        submissions.setdefault(key, FirstSubmission(spans, answers, verdict))
    bare = [row.pk for row in rows if row.status == Status.DONE and row.pk not in submissions]
    if bare:
        annotations = Annotation.objects.filter(assignment__in=bare, verdict__in=SUBMISSIONS)
        for key, spans, answers, verdict in annotations.values_list("assignment_id", "spans", "answers", "verdict"):
            submissions[key] = FirstSubmission(spans, answers, verdict)
    return submissions


def _compared(pair: Pair, spans: object, answers: dict[str, str]) -> ComparedAnnotation:
    return compared_annotation(parse_spans(spans), answers, {"a": pair.a.tokens, "b": pair.b.tokens})


def _pair_result(
    scheme: Scheme,
    rule: PassRule,
    row: Assignment,
    pair: Pair,
    first: FirstSubmission | None,
    references: dict[int, Annotation],
    compared_references: dict[int, ComparedAnnotation],
) -> PairResult:
    compared, missing = None, None
    if first is None:
        missing = Missing.SKIPPED if row.status == Status.SKIPPED else Missing.OPEN
    elif pair.pk not in compared_references:
        missing = Missing.NO_REFERENCE
    elif first.verdict in _MISSING:
        missing = _MISSING[Verdict(first.verdict)]
    else:
        words = sum(len(getattr(pair, side).tokens) for side in scheme.sides)
        compared = rule.chosen_measure.compare(
            scheme, _compared(pair, first.spans, first.answers), compared_references[pair.pk], words
        )
    gold = references.get(pair.pk)
    return PairResult(
        pair.pk, pair.external_id, pair.mirror_id, compared, missing, row.pk, gold.gold_version if gold else None
    )
