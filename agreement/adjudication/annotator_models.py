"""Models of annotator reliability, fitted to a whole phase: Dawid-Skene and MACE, by crowd-kit (an optional extra).

If labels exclude each other (see `token_rules.by_token`), every token gets a label; otherwise every group of similar
spans does (see `span_rules`), where an annotator without a span counts as giving the unmarked default. So spans stay
whole: a group whose most likely label is the default is dropped, and the others keep the tokens that at least half of
their members have.

Sources: Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm; Hovy et
al. (2013), Learning whom to trust with MACE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from agreement.adjudication.base import RULES, Case, Decision, FittedRule, GroupSettings, Rule, RuleError, RuleSettings
from agreement.adjudication.reasons import Code, make_reason
from agreement.adjudication.span_rules import GroupDecision, SpanGroup, decide_groups, groups
from agreement.adjudication.token_rules import TokenDecision, by_token, join_passages, votes_of
from annotation.settings_model import setting

EXTRA = "crowd-kit==1.4.1"

Answers = list[tuple[str, str, str]]
"""(task, annotator's number, label), one for each annotator of the task."""


class ModelSettings(GroupSettings):
    """The settings of a rule that models the annotators."""

    sure: float = setting(0.8, "Minimum probability", "labels with a lower probability than this are unsure", low=0)
    iterations: int = setting(100, "Iterations", "maximum number of iterations of the model", low=0)


class MaceSettings(ModelSettings):
    """MACE starts from random numbers."""

    iterations: int = setting(50, "Iterations", "maximum number of iterations of the model", low=0)
    seed: int = setting(1, "Random seed", "random seed of the model", low=0)


S = TypeVar("S", bound=ModelSettings)


@dataclass(frozen=True, slots=True)
class Estimates:
    """A model's most likely label for each task, its probability, and each annotator's reliability in [0, 1]."""

    labels: Mapping[str, str]
    probabilities: Mapping[str, float]
    reliability: Mapping[str, float]


def tasks(case: Case, similar: int) -> Iterator[tuple[str, list[str]]]:
    """Every task of a case with the labels of its submitted annotations, in the order `decide_*` walks through them."""
    if by_token(case.scheme):
        for side in case.scheme.sides:
            for token, labels in enumerate(zip(*votes_of(case, side), strict=True)):
                yield f"{case.pair}\t{side}\t{token}", list(labels)
        return
    for number, group in enumerate(groups(case, similar)):
        by_voter = dict(zip((voter for voter, _ in group.members), group.labels, strict=True))
        yield (
            f"{case.pair}\t{number}",
            [by_voter.get(voter, case.scheme.default) for voter in range(len(case.submitted))],
        )


def fit(cases: Sequence[Case], settings: S, model: Callable[[Answers, S], Estimates]) -> FittedRule:
    """Fit `model` to all submitted annotations and decide with its estimates. Raises RuleError if the extra is missing.

    It gets numbers in place of names: models sort annotators, so that with others it would find others.
    """
    names = list(dict.fromkeys(vote.annotator for case in cases for vote in case.submitted))
    numbers = {name: f"{number:06}" for number, name in enumerate(names)}
    answers: Answers = [
        (task, numbers[vote.annotator], label)
        for case in cases
        for task, labels in tasks(case, settings.similar)
        for vote, label in zip(case.submitted, labels, strict=True)
    ]
    estimates = model(answers, settings) if answers else Estimates({}, {}, {})

    def decided(task: str) -> TokenDecision:
        probability = estimates.probabilities[task]
        sure = probability >= settings.sure
        return estimates.labels[task], None if sure else make_reason(Code.IMPROBABLE, p=round(probability, 2))

    def decide(case: Case, _: RuleSettings) -> Decision:
        walk = tasks(case, settings.similar)
        if by_token(case.scheme):
            sides = case.scheme.sides
            return join_passages(case, {side: [decided(next(walk)[0]) for _ in case.tokens[side]] for side in sides})

        def choose(group: SpanGroup, annotators: int) -> GroupDecision:
            label, why = decided(next(walk)[0])
            return GroupDecision("" if label == case.scheme.default else label, (len(group.members) + 1) // 2, why)

        return decide_groups(case, settings.similar, choose)

    reliability = {names[int(number)]: value for number, value in estimates.reliability.items()}
    return FittedRule(decide, dict(sorted(reliability.items())))


def dawid_skene(answers: Answers, settings: ModelSettings) -> Estimates:
    """Each annotator has a confusion matrix; reliability is the probability of giving the true label."""
    model, frame = _model("DawidSkene", answers, n_iter=settings.iterations)
    model.fit(frame)
    errors, priors = model.errors_, model.priors_
    reliability = {
        worker: float(
            sum(
                priors[true] * errors.loc[(worker, true), true]
                for true in priors.index
                if (worker, true) in errors.index
            )
        )
        for worker in sorted({worker for _, worker, _ in answers})
    }
    return _estimates(model, reliability)


def mace(answers: Answers, settings: MaceSettings) -> Estimates:
    """Each annotator knows the answer or guesses; reliability is the probability of knowing it."""
    model, frame = _model("MACE", answers, n_iter=settings.iterations, n_restarts=3, random_state=settings.seed)
    model.fit(frame)
    workers = list(dict.fromkeys(worker for _, worker, _ in answers))
    shares = model.spamming_[:, 1] / model.spamming_.sum(axis=1)
    return _estimates(model, {worker: float(share) for worker, share in zip(workers, shares, strict=True)})


def _model(name: str, answers: Answers, **options: Any) -> tuple[Any, Any]:
    try:
        pandas, aggregation = import_module("pandas"), import_module("crowdkit.aggregation")
    except ImportError as error:
        missing = f"this rule needs crowd-kit, which is not installed; install it with: pip install {EXTRA}"
        raise RuleError(missing) from error
    frame = pandas.DataFrame(answers, columns=["task", "worker", "label"])
    return getattr(aggregation, name)(**options), frame


def _estimates(model: Any, reliability: Mapping[str, float]) -> Estimates:
    likeliest, probable = model.probas_.idxmax(axis=1), model.probas_.max(axis=1)
    return Estimates(
        {str(task): str(label) for task, label in likeliest.items()},
        {str(task): float(value) for task, value in probable.items()},
        reliability,
    )


def _unfitted(case: Case, settings: RuleSettings) -> Decision:
    raise RuleError("this rule is fitted to a whole phase before it decides a pair")


DAWID_SKENE = RULES.register(
    Rule(
        name="dawid-skene",
        title="Dawid-Skene",
        summary="The most likely label, weighting each annotator by their estimated error rates.",
        unsure="the most likely label's probability is below the minimum",
        decide=_unfitted,
        settings=ModelSettings,
        fit=lambda cases, settings: fit(cases, settings, dawid_skene),
    )
)
MACE = RULES.register(
    Rule(
        name="mace",
        title="MACE",
        summary="The most likely label, using a model of which annotators know and which guess.",
        unsure="the most likely label's probability is below the minimum",
        decide=_unfitted,
        settings=MaceSettings,
        fit=lambda cases, settings: fit(cases, settings, mace),
    )
)
