"""A person's status under a pass rule, from how their first submissions compare with the references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from annotation.qualification.base import ReferenceAgreement
from annotation.qualification.rule import PassRule
from annotation.vocabulary import Status, Verdict

ROUNDING = 1e-9
"""A mean that is the least value but for rounding reaches it."""


class State(StrEnum):
    """How far a person is, by the rule alone; what a lead decided comes on top."""

    UNASSIGNED = "unassigned"
    NOT_STARTED = "not-started"
    IN_PROGRESS = "in-progress"
    TOO_FEW = "too-few"
    PASSED = "passed"
    NOT_PASSED = "not-passed"


ADVANCED, RETRY = "advanced", "retry"
"""What a lead decided, which then is someone's status: advanced, or a retry whose pairs are to be done."""
STATUSES = (*(state.value for state in State), ADVANCED, RETRY)
"""Someone's status: what a lead decided, or else a `State`."""


class Missing(StrEnum):
    """Why a pair is not compared."""

    OPEN = Status.OPEN.value
    REJECTED = Verdict.REJECTED.value
    FLAGGED = Verdict.FLAGGED.value
    SKIPPED = Verdict.SKIPPED.value
    NO_REFERENCE = "no-reference"


@dataclass(frozen=True, slots=True)
class PairResult:
    """A qualification pair of a person: how its first submission compares with the reference, or why it does not."""

    pair: int
    name: str
    mirror: int | None = None
    compared: ReferenceAgreement | None = None
    missing: Missing | None = None
    assignment: int = 0
    gold_version: int | None = None

    @property
    def finished(self) -> bool:
        return self.missing is not Missing.OPEN


@dataclass(frozen=True, slots=True)
class Test:
    """A least value and what was reached; None if a label occurs neither in the work nor in the references.

    `part` is the label or question, '' for the mean over all pairs.
    """

    part: str
    least: float
    value: float | None

    @property
    def is_passed(self) -> bool:
        return self.value is None or self.value >= self.least - ROUNDING


@dataclass(frozen=True, slots=True)
class QualificationResult:
    """A person's result under a rule. `counted` of `assigned` pairs count towards the least number.

    `value` is the mean over the compared pairs (None without one), `parts` those by label, each over the pairs in which
    the label occurs.
    """

    state: State
    pairs: tuple[PairResult, ...] = ()
    submitted: int = 0
    counted: int = 0
    value: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    tests: tuple[Test, ...] = ()

    @property
    def assigned(self) -> int:
        return len(self.pairs)

    @property
    def is_passed(self) -> bool:
        return self.state is State.PASSED

    @property
    def has_too_few(self) -> bool:
        return self.state is State.TOO_FEW

    @property
    def failed(self) -> list[Test]:
        return [test for test in self.tests if not test.is_passed]

    @property
    def left_out(self) -> list[PairResult]:
        """Finished pairs that are not compared."""
        return [each for each in self.pairs if each.finished and each.compared is None]


def result_of(rule: PassRule, pairs: Sequence[PairResult]) -> QualificationResult:
    """The result of a person's qualification pairs, in their order."""
    compared = {each.pair: each.compared for each in pairs if each.compared is not None}
    counted = _units(pairs, compared) if rule.both_directions else len(compared)
    value = _mean([each.value for each in compared.values()])
    keys = sorted({key for each in compared.values() for key in each.parts})
    parts = {key: _mean([each.parts[key] for each in compared.values() if key in each.parts]) or 0.0 for key in keys}
    tests = (
        Test("", rule.least, value),
        *(Test(key, least, parts.get(key)) for key, least in sorted(rule.parts.items())),
    )
    submitted = sum(each.finished for each in pairs)
    state = _state(rule, pairs, submitted, counted, tests)
    return QualificationResult(state, tuple(pairs), submitted, counted, value, parts, tests)


def _state(rule: PassRule, pairs: Sequence[PairResult], submitted: int, counted: int, tests: Sequence[Test]) -> State:
    if not pairs:
        return State.UNASSIGNED
    if not submitted:
        return State.NOT_STARTED
    if submitted < len(pairs):
        return State.IN_PROGRESS
    if counted < rule.least_pairs:
        return State.TOO_FEW
    return State.PASSED if all(test.is_passed for test in tests) else State.NOT_PASSED


def _units(pairs: Sequence[PairResult], compared: Mapping[int, ReferenceAgreement]) -> int:
    """Pairs of which both directions are compared, each counted once."""
    units = {frozenset((each.pair, each.mirror)) for each in pairs if each.pair in compared and each.mirror in compared}
    return len(units)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
