"""What a run of a language model would cost, what it has cost, and how good the answers were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Sum
from django.db.models.functions import Length

from annotation.models import Pair, Project
from assist.llm.ledger import site_account_name
from assist.llm.site_settings import llm_site
from assist.methods.base import Labelling
from assist.methods.language_models.cost import CostEstimate, estimate
from assist.methods.language_models.prompt import Request
from assist.methods.language_models.site import ModelTarget
from assist.methods.llm import Llm
from assist.methods.projection_llm import ProjectionLlm
from assist.models import OUTCOME_COUNTS, LlmAccount, LlmAnswer, LlmOutcome, Run
from assist.runs.method_inputs import label_weights, pair_inputs, read_pairs

SAMPLE = 40
"""The pairs from which the cost of a larger project is estimated."""


@dataclass(frozen=True, slots=True)
class RunCost:
    """An estimate for a project: `pairs` of which it was made from a `sample`, the target, and the site's month.

    `left` is what the whole site may still spend this month; None if the limit does not concern the target.
    """

    pairs: int
    sample: int
    estimate: CostEstimate
    to: ModelTarget
    limit: float
    left: float | None

    @property
    def exact(self) -> bool:
        """Whether every pair was looked at; otherwise the figures are those of a sample, projected."""
        return self.sample == self.pairs

    @property
    def too_much(self) -> bool:
        """Whether a limit will probably end the run before it is done."""
        cost = self.estimate.cost
        return cost > self.limit or (self.left is not None and cost > self.left)


def llm_cost(project: Project, method: Llm) -> RunCost:
    """What it would cost to ask about every pair of a project. Raises MethodError if there is no server or model.

    What was answered before costs nothing; that is not taken into account.
    """
    target = method.target()
    keys = list(project.pairs.order_by("position", "pk").values_list("pk", flat=True))
    step = max(1.0, len(keys) / SAMPLE)
    chosen = [keys[int(index * step)] for index in range(min(len(keys), SAMPLE))]
    pairs = read_pairs(chosen)
    expected = estimate(
        _requests(method, project, pairs), method.settings.target, target.price, method.settings.reasoning
    )
    if len(chosen) < len(keys):
        expected = expected.times(
            _characters(project) / max(1, sum(len(each.a.content) + len(each.b.content) for each in pairs))
        )
    return RunCost(len(keys), len(chosen), expected, target, method.settings.limit, site_left() if target.own else None)


def _requests(method: Llm, project: Project, pairs: Sequence[Pair]) -> Iterator[Request]:
    scheme = project.labels
    method.labelling = Labelling(label_weights(scheme), scheme.sides)
    for each in pair_inputs(pairs, scheme):
        yield from method.requests(each)


def _characters(project: Project) -> int:
    total = project.pairs.aggregate(n=Sum(Length("a__content") + Length("b__content")))["n"]
    return int(total or 0)


def site_left() -> float:
    """What the whole site may still spend this month at the server of its owner."""
    row = LlmAccount.objects.filter(name=site_account_name()).first()
    return max(0.0, llm_site().limit - (row.spent + row.reserved if row else 0.0))


def pair_requests(project: Project, method: Llm, number: int) -> tuple[Pair, list[Request]] | None:
    """The pair at a position (from 1) and what would be asked about it; None if there is no such pair."""
    keys = project.pairs.order_by("position", "pk").values_list("pk", flat=True)[number - 1 : number]
    for pair in read_pairs(list(keys)):
        return pair, list(_requests(method, project, [pair]))
    return None


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """What a model answered about a pair, and the passages that it marks by it: side, words and difference."""

    texts: list[str]
    marked: list[tuple[str, str, float]]


def pair_answer(project: Project, method: Llm, pair: Pair, requests: Sequence[Request]) -> PairAnswer | None:
    """The answer about a pair, if the project has it already with these settings. MethodError without a server."""
    target = method.target()
    keys = [each.digest(target.url, target.model, method.sending_options.structured) for each in requests]
    answers = dict(LlmAnswer.objects.filter(project=project, key__in=keys).values_list("key", "content"))
    if not keys or any(key not in answers for key in keys):
        return None
    (pair_input,) = pair_inputs([pair], project.labels)
    texts = [answers[key] for key in keys]
    sides = {"a": pair_input.a, "b": pair_input.b}
    marked = [
        (name.upper(), side.text[side.tokens[first][0] : side.tokens[last - 1][1]], each.score)
        for each in method.result(pair_input, requests, texts).proposals
        for name, side, ranges in (("a", sides["a"], each.a), ("b", sides["b"], each.b))
        for first, last in ranges
    ]
    return PairAnswer(texts, marked)


@dataclass(frozen=True, slots=True)
class AnswerTotals:
    """What a run was answered, and what it cost. The counts are those of `AnswerCounts`, summed."""

    counts: dict[str, int]
    requests: int = 0
    repeated: int = 0
    prompt: int = 0
    answer: int = 0
    spent: float = 0.0
    reserved: float = 0.0

    def rate(self, count: str, of: str) -> float | None:
        """A share, None of nothing."""
        return self.counts[count] / self.counts[of] if self.counts[of] else None

    @property
    def repaired(self) -> float | None:
        """The share of answers that needed a repair."""
        return self.rate("repaired", "answers")

    @property
    def unusable(self) -> float | None:
        """The share of answers in which nothing could be read."""
        return self.rate("unusable", "answers")

    @property
    def padded(self) -> float | None:
        """The share of tokens that got no label of their own."""
        return self.rate("padded", "tokens")

    @property
    def outside(self) -> float | None:
        """The share of tokens whose label was outside the scale."""
        return self.rate("outside", "tokens")

    @property
    def near(self) -> float | None:
        """The share of quotations that are in the text, but not letter by letter."""
        return self.rate("near", "spans")

    @property
    def unmatched(self) -> float | None:
        """The share of quotations that are not in the text."""
        return self.rate("unmatched", "spans")

    def to_json(self) -> dict[str, float | int | None]:
        """As programs get it: figures, then shares in [0, 1]."""
        shares = ("repaired", "unusable", "padded", "outside", "near", "unmatched")
        return {
            "requests": self.requests,
            "repeated": self.repeated,
            "prompt_tokens": self.prompt,
            "answer_tokens": self.answer,
            "spent": self.spent,
            "reserved": self.reserved,
            **{name: self.counts[name] for name in ("answers", "tokens", "spans")},
            **{f"{name}_share": getattr(self, name) for name in shares},
        }


def run_answers(run: Run) -> AnswerTotals | None:
    """What a run was answered and what it cost; None if it asks no language model."""
    if run.method.partition(".")[0] not in (Llm.name, ProjectionLlm.name):
        return None
    sums = LlmOutcome.objects.filter(run=run).aggregate(**{name: Sum(name) for name in OUTCOME_COUNTS})
    counts = {name: value or 0 for name, value in sums.items()}
    account = LlmAccount.objects.filter(run=run).first()
    if account is None:
        return AnswerTotals(counts)
    return AnswerTotals(
        counts,
        account.requests,
        account.repeated,
        account.prompt,
        account.answer,
        account.spent,
        account.reserved,
    )
