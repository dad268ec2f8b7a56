"""The input and output of an adjudication rule, and the base class of rules.

A rule is a pure function of one pair: the submitted annotations, both token grids and the scheme. It decides the gold
spans, says which annotations each comes from and whether the rule was unsure of it, and may exclude the pair, with a
reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar, cast

from agreement.adjudication.reasons import Code, Reason, make_reason
from annotation.registry import Registry
from annotation.settings_model import Settings, setting
from annotation.text.schemes import SIDES, Question, Scheme, Side
from annotation.text.spans import Span, covered_indices
from annotation.text.tokens import Range
from annotation.vocabulary import Verdict

Found = TypeVar("Found")
State = Literal["agreed", "ruled", "disputed"]
"""What a region or question is: all annotators agree, the rule is sure, or a person decides."""


class RuleError(ValueError):
    """A rule that does not exist, or work that it cannot decide; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Vote:
    """One annotation of the pair; `annotation` identifies it in provenance. Only verdict 'submitted' votes."""

    annotation: int
    annotator: str
    spans: tuple[Span, ...] = ()
    verdict: str = Verdict.SUBMITTED.value
    answers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """One pair as a rule sees it. `tokens` holds the code-point ranges of each side's tokens."""

    pair: str
    votes: tuple[Vote, ...]
    tokens: Mapping[Side, Sequence[Range]]
    scheme: Scheme
    _cache: dict[object, Any] = field(init=False, default_factory=dict, compare=False, repr=False)

    @property
    def submitted(self) -> tuple[Vote, ...]:
        return tuple(vote for vote in self.votes if vote.verdict == Verdict.SUBMITTED)

    def cached(self, key: object, find: Callable[[], Found]) -> Found:
        """The result of `find`, cached under `key`: rules that are compared need the same things from a case."""
        if key not in self._cache:
            self._cache[key] = find()
        return cast("Found", self._cache[key])

    def covered_tokens(self, span: Span) -> dict[Side, frozenset[int]]:
        """The tokens of each side that a span covers."""
        return self.cached(
            span.fragments,
            lambda: {side: frozenset(covered_indices(span.on(side), self.tokens[side])) for side in SIDES},
        )


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """A span of the gold, the annotations it comes from, and why the rule was unsure of it (None: it was sure)."""

    span: Span
    annotations: tuple[int, ...]
    unsure: Reason | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that the rule decided without a clear majority: tokens of one side (indices), and why."""

    side: Side
    tokens: tuple[int, ...]
    why: Reason


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """The gold answer to a question ('': the rule leaves it to a person), who gave it, and why the rule was unsure."""

    answer: str
    annotations: tuple[int, ...] = ()
    unsure: Reason | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A rule's decision on a pair. `excluded` is the reason to exclude it; then there are no spans or answers.

    `answers` has every question that can have gold, also those that the rule leaves to a person.
    """

    spans: tuple[GoldSpan, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    excluded: Reason | None = None
    answers: Mapping[str, GoldAnswer] = field(default_factory=dict)

    @property
    def given_answers(self) -> dict[str, str]:
        """The answers by question, without those that the rule leaves to a person."""
        return {key: gold.answer for key, gold in self.answers.items() if gold.answer}

    @property
    def unsure(self) -> bool:
        spans = any(gold.unsure for gold in self.spans)
        return spans or any(gold.unsure for gold in self.answers.values()) or bool(self.doubts)


class RuleSettings(Settings):
    """The settings that every rule has; subclasses add others."""

    rejections: int = setting(
        2,
        "Annotators needed to exclude a pair",
        "exclude a pair if this many annotators found it not comparable (0: never)",
        low=0,
    )


class GroupSettings(RuleSettings):
    """The settings of a rule that groups similar spans if labels may overlap or link."""

    similar: int = setting(
        50, "Minimum overlap of spans", "spans are matched if their mean IoU is at least this percentage", low=0
    )


class TieSettings(GroupSettings):
    """The settings of a rule that counts votes."""

    ties: Literal["higher", "lower"] = setting(
        "higher", "Ties", "which label or answer wins a tie: by its value, or else by its position in the scheme"
    )


@dataclass(frozen=True, slots=True)
class FittedRule:
    """A model fitted to a whole phase: how it decides a pair, and how reliable each annotator is, in [0, 1]."""

    decide: Callable[[Case, Any], Decision]
    reliability: dict[str, float]


@dataclass(frozen=True, slots=True)
class Rule:
    """A named rule; `summary` says in a sentence what it does, `unsure` when it is unsure.

    A rule that learns from all pairs first has a `fit`; one that can decide answers has an `answer`, an
    `answer_summary` that says in a sentence which answer, and `answer_unsure` that says when it is unsure of it.
    `needs_values`: it only decides labels and answers that have numbers; `has_labels` says whether a scheme has the
    labels that it needs. `made_for` says whether it was made for schemes like this one, for which pages then propose
    it first.
    """

    name: str
    title: str
    summary: str
    unsure: str
    decide: Callable[[Case, Any], Decision]
    settings: type[RuleSettings] = RuleSettings
    fit: Callable[[Sequence[Case], Any], FittedRule] | None = None
    answer: Callable[[Case, Question, Any], GoldAnswer] | None = None
    answer_summary: str = ""
    answer_unsure: str = ""
    needs_values: bool = False
    has_labels: Callable[[Scheme], bool] = lambda _scheme: True
    made_for: Callable[[Scheme], bool] = lambda _scheme: False

    def suits(self, scheme: Scheme) -> bool:
        """Whether the rule can decide all of a scheme: its words, and if it has questions, their answers."""
        if not self.has_labels(scheme) or (scheme.rated and self.answer is None):
            return False
        if not self.needs_values:
            return True
        choices = [choice for question in scheme.rated for choice in question.choices]
        return (scheme.graded or not scheme.labels) and all(choice.value is not None for choice in choices)

    def fitted(self, cases: Sequence[Case], settings: RuleSettings) -> tuple[Rule, dict[str, float]]:
        """The rule fitted to `cases`, and the annotators' reliability if it estimates that."""
        if self.fit is None:
            return self, {}
        fit = self.fit(cases, settings)
        return replace(self, decide=fit.decide), fit.reliability

    def apply(self, case: Case, settings: RuleSettings) -> Decision:
        """Decide `case` with the rule's `settings`, unless it is excluded under every rule."""
        rejected = sum(vote.verdict == Verdict.REJECTED for vote in case.votes)
        if 0 < settings.rejections <= rejected:
            return Decision(excluded=make_reason(Code.REJECTED, n=rejected))
        if not case.submitted:
            return Decision(excluded=make_reason(Code.NOT_SUBMITTED))
        decision = self.decide(case, settings) if case.scheme.labels else Decision()
        return self._with_answers(case, settings, decision) if case.scheme.rated else decision

    def _with_answers(self, case: Case, settings: RuleSettings, decision: Decision) -> Decision:
        """`decision` with the answers; if the pair only has questions and the rule answers none, it is excluded."""
        if self.answer is None:
            can = ", ".join(name for name, each in RULES.items() if each.answer)
            raise RuleError(f"the rule '{self.name}' decides words and no answers; these do: {can}")
        answers = {question.key: self.answer(case, question, settings) for question in case.scheme.rated}
        if decision.excluded:
            return decision
        if not case.scheme.labels and not any(gold.answer for gold in answers.values()):
            return Decision(excluded=next(gold.unsure for gold in answers.values()))
        return replace(decision, answers=answers)


RULES: Registry[Rule] = Registry("agreement.adjudication")
"""Every rule. A module of this package registers its own: `RULE = RULES.register(Rule(…))`."""
