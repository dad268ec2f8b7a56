"""Prompted language models: graded labels for every word as JSON, or quotations of what is new (or inferable).

As in SwissGov-RSD (three worked examples; similarity from 0 to 5, turned round: a difference of (5 - s) / 5) and
X-PARADE (one worked pair; quotations of side B that are matched back to its words). Where the papers leave it open: a
word without a label counts as the same on both sides; a similarity outside the scale counts as the nearest on it; a
quotation that comes twice is taken to be the next of its kind in the text; a text that is labelled is shown with its
translation, one that is only compared with is replaced by it. The modules of `assist.methods.language_models` do
each part.
"""

import time
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Protocol

from annotation.phrases import Phrase
from annotation.progress import OnProgress
from annotation.settings_model import Settings, setting
from assist.methods.base import Method, MethodError, PairInput, Proposal, Result, register
from assist.methods.language_models import site as sites
from assist.methods.language_models.answers import AnswerCounts, FoundQuotation, read_grades, read_spans
from assist.methods.language_models.asking import Ask, SendingOptions, refuse_to_ask
from assist.methods.language_models.prompt import KINDS, PromptOptions, Request, requests
from assist.methods.language_models.site import ModelTarget, Price
from assist.methods.shared.proposals import SuggestionThresholds, propose

_BARS = SuggestionThresholds(threshold=0.2, surer=0.5, surest=0.8)
"""Labels are suggested from the smallest difference on."""
_WEIGHTS = {"new": 1.0, "inferable": 0.5}


class LlmSettings(Settings):
    """Settings of prompted language models."""

    target: Literal["graded", "new", "new-inferable"] = setting(
        "graded",
        "Task",
        "graded: a grade for every word; new: passages of B that A doesn't say; new-inferable: those, and what can be "
        "concluded from A",
    )
    unit: Literal["document", "paragraph", "sentence"] = setting(
        "document", "Text per request", "how much is labelled by one request; the other text is always sent whole"
    )
    translation: bool = setting(
        False,
        "Send English translations",
        "if the other side is English: sent in place of a text that is compared, and beside a text that is labelled",
    )
    model: str | None = setting(None, "Model", "name of the model, as the server knows it")
    address: str | None = setting(
        None,
        "Another server",
        "base address of a server that speaks OpenAI's protocol and needs no key, such as https://example.org/v1; "
        "if empty: the server of this site",
    )
    prompt: Literal["1"] = setting("1", "Prompt version", "version of the instructions and examples")
    instructions: str | None = setting(
        None,
        "Instructions",
        "your own instructions, replacing those of the prompt version; if empty: use the version's instructions",
        long=True,
    )
    structured: Literal["auto", "schema", "object", "none"] = setting(
        "auto",
        "Structured output",
        "schema: the server makes the answer fit a JSON schema; object: any JSON; none: only the prompt asks for it; "
        "auto: the strictest that the server accepts",
    )
    temperature: float = setting(0.0, "Temperature", "0: always the likeliest answer", 0.0, 2.0)
    words: int = setting(400, "Words per request", "words of a text that are labelled by one request", 20, 5000)
    reasoning: int = setting(
        0, "Reasoning tokens", "additional tokens allowed per answer, for models that reason first", 0, 100_000
    )
    limit: float = setting(
        1.0,
        "Spending limit",
        "the most that this run may cost, in the currency of the prices; it ends before that is exceeded",
        0.0,
        1_000_000.0,
    )
    prompt_price: float = setting(
        0.0, "Price of requests", "per million tokens sent; only for another server", 0.0, 10_000.0
    )
    answer_price: float = setting(
        0.0, "Price of answers", "per million tokens received; only for another server", 0.0, 10_000.0
    )
    per_minute: int = setting(60, "Requests per minute", "maximum for all workers together", 1, 10_000)
    parallel: int = setting(4, "Requests at a time", "maximum per worker", 1, 32)


def llm_setting(name: str) -> Any:
    """A setting of `llm`, for others that ask a language model."""
    return copy(LlmSettings.model_fields[name])


class RequestSettings(Protocol):
    """The settings that say which model is asked, and how requests are sent."""

    address: str | None
    model: str | None
    prompt_price: float
    answer_price: float
    structured: Literal["auto", "schema", "object", "none"]
    parallel: int


@dataclass(frozen=True, slots=True)
class LlmModel:
    """What a run asks: nothing is learned."""

    server: str
    model: str


class AsksModel:
    """What methods share that ask a language model."""

    settings: Any
    packages: ClassVar[tuple[str, ...]] = ("openai", "json_repair")
    ask: Ask = staticmethod(refuse_to_ask)
    """How requests are sent; a run sets it, with its ledger."""

    @classmethod
    def site_defaults(cls) -> dict[str, Any]:
        """The site's first model, so that the run's settings name it."""
        return {"model": next(iter(sites.site().models), None)}

    def server_problem(self) -> Phrase | None:
        """Why no server can be asked with these settings; None if one can."""
        try:
            self.target()
        except MethodError as error:
            return error.phrase
        return None

    def target(self) -> ModelTarget:
        """Which model on which server is asked. Raises MethodError if that isn't possible."""
        settings: RequestSettings = self.settings
        price = Price(settings.prompt_price, settings.answer_price)
        return sites.target(sites.site(), settings.address, settings.model, price)

    @property
    def sending_options(self) -> SendingOptions:
        """How requests are sent."""
        return SendingOptions(self.settings.structured, self.settings.parallel)


@register
class Llm(AsksModel, Method[LlmSettings, LlmModel]):
    """The answers of a large language model that is asked about each pair, with worked examples."""

    name = "llm"
    version = "1"
    Settings: ClassVar[type[Settings]] = LlmSettings
    advice = (
        "Choose it for texts that may be sent to a language model's server; watch the cost and the share of bad answers"
    )
    sends_texts = True
    # What it costs is limited and shown for a run of its own.
    combines = False

    def trains(self, labelled: bool) -> bool:
        """The model is not trained."""
        return False

    def unavailable(self, languages: Iterable[tuple[str, str]]) -> Phrase | None:
        return self.server_problem()

    @property
    def prompt_options(self) -> PromptOptions:
        """How the model is asked."""
        settings = self.settings
        return PromptOptions(
            task=settings.target,
            version=settings.prompt,
            instructions=settings.instructions or "",
            unit=settings.unit,
            translation=settings.translation,
            words=settings.words,
            reasoning=settings.reasoning,
            temperature=settings.temperature,
        )

    def requests(self, pair: PairInput) -> list[Request]:
        """What is asked about a pair."""
        return list(requests(pair, self.prompt_options, self.labelling.sides))

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> LlmModel:
        """Nothing is learned. MethodError if there is no server or model."""
        target = self.target()
        return LlmModel(target.host, target.model)

    def predict(
        self, model: LlmModel, pairs: Sequence[PairInput], on_progress: OnProgress | None = None
    ) -> list[Result]:
        """Ask about all pairs at once; RunEnds if a limit is reached or the server takes no requests."""
        requests = [self.requests(pair) for pair in pairs]
        began = time.perf_counter()
        every = [each for own in requests for each in own]
        answers = iter(self.ask(self.target(), every, self.sending_options, on_progress) if every else ())
        each_request = (time.perf_counter() - began) / max(1, len(every))
        return [
            self.result(pair, own, [next(answers) for _ in own], each_request * len(own))
            for pair, own in zip(pairs, requests, strict=True)
        ]

    def report(self, model: LlmModel) -> dict[str, Any]:
        """The server and the model."""
        return {"server": model.server, "model": model.model}

    def result(
        self, pair: PairInput, requests: Sequence[Request], answers: Sequence[str], seconds: float = 0.0
    ) -> Result:
        """What the answers to a pair's requests say about its tokens."""
        if self.settings.target == "graded":
            return self._graded_result(pair, requests, answers, seconds)
        return self._spans(pair, requests, answers, seconds)

    def _graded_result(
        self, pair: PairInput, requests: Sequence[Request], answers: Sequence[str], seconds: float
    ) -> Result:
        sides = {"a": pair.a, "b": pair.b}
        scores = {name: [0.0] * len(side.tokens) for name, side in sides.items()}
        counts = AnswerCounts()
        for request, answer in zip(requests, answers, strict=True):
            read = read_grades(answer, sides, request.parts)
            counts += read.counts
            for part in request.parts:
                scores[part.side][slice(*part.tokens)] = read.differences[part.side]
        labels = {name: [self._nearest(score) for score in scores[name]] for name in self._labelled()}
        proposals = [
            replace(each, label=self._nearest(each.score)) for each in propose(pair, scores["a"], scores["b"], _BARS)
        ]
        return Result(
            pair.id,
            scores["a"],
            scores["b"],
            proposals=proposals,
            labels=labels,
            seconds=seconds,
            counts=counts.to_json(),
            empty=counts.all_unusable,
        )

    def _spans(self, pair: PairInput, requests: Sequence[Request], answers: Sequence[str], seconds: float) -> Result:
        quotations: list[FoundQuotation] = []
        counts = AnswerCounts()
        for request, answer in zip(requests, answers, strict=True):
            more, own = read_spans(answer, pair.b, request.parts[0], KINDS[self.settings.target])
            quotations += more
            counts += own
        scores, labels = [0.0] * len(pair.b.tokens), [""] * len(pair.b.tokens)
        for each in sorted(quotations, key=lambda each: _WEIGHTS[each.kind]):
            for index in range(*each.tokens):
                scores[index], labels[index] = _WEIGHTS[each.kind], self._named(each.kind)
        proposals = [
            Proposal(
                (), (each.tokens,), _WEIGHTS[each.kind], 2 if each.kind == "new" else 1, None, self._named(each.kind)
            )
            for each in sorted(set(quotations), key=lambda each: each.tokens)
        ]
        return Result(
            pair.id,
            [0.0] * len(pair.a.tokens),
            scores,
            proposals=proposals,
            labels={"b": labels} if "b" in self._labelled() else {},
            seconds=seconds,
            counts=counts.to_json(),
            empty=counts.all_unusable,
        )

    def _labelled(self) -> list[str]:
        """The sides whose labels are predicted: none if the project's labels aren't known."""
        return [name for name in ("a", "b") if name in self.labelling.sides and self.labelling.weights]

    def _nearest(self, score: float) -> str:
        """The project's label for a difference; '' for none, or one nearer to none."""
        weights = {"": 0.0, **self.labelling.weights}
        return min(weights, key=lambda label: (abs(weights[label] - score), -weights[label]))

    def _named(self, kind: str) -> str:
        """The project's label of this name; if it has none, the one that means as great a difference."""
        return kind if kind in self.labelling.weights else self._nearest(_WEIGHTS[kind])
