"""Projection by a language model: it gets the labelled words of a text, and labels those of its counterpart.

As SwissGov-RSD's labels were carried to translations. The labels of the shared text are taken over as in `projection`,
and so are those of words that the model gives no usable label. What the paper leaves open is ours: the prompt, and that
a long text is asked about in parts, beside the whole labelled one.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from annotation.phrases import Phrase, join_phrases
from annotation.progress import OnProgress
from annotation.settings_model import Settings
from annotation.text.schemes import Side
from assist.methods.base import PairInput, Result, register
from assist.methods.carry.labels import CarriedLabels, Edge
from assist.methods.carry.sources import LabelSource, Sources, other_side, side_of
from assist.methods.language_models.answers import AnswerCounts, read_labels
from assist.methods.language_models.carrying import carry_requests
from assist.methods.language_models.prompt import Request
from assist.methods.llm import AsksModel, llm_setting
from assist.methods.projection import Projection, ProjectionModel, ProjectionSettings, gold_of


class ProjectionLlmSettings(ProjectionSettings):
    """Where labels come from, how words are aligned, and which model is asked."""

    model: str | None = llm_setting("model")
    address: str | None = llm_setting("address")
    structured: Literal["auto", "schema", "object", "none"] = llm_setting("structured")
    temperature: float = llm_setting("temperature")
    words: int = llm_setting("words")
    reasoning: int = llm_setting("reasoning")
    limit: float = llm_setting("limit")
    prompt_price: float = llm_setting("prompt_price")
    answer_price: float = llm_setting("answer_price")
    per_minute: int = llm_setting("per_minute")
    parallel: int = llm_setting("parallel")


AnsweredLabels = dict[tuple[str, str], list[int | None]]
"""By pair and source, the number of the label of every token of the side that is not shared."""


@register
class ProjectionLlm(AsksModel, Projection):
    """Labels of another language pair on the same text, carried over to this one by a language model."""

    name = "projection-llm"
    version = "1"
    Settings: ClassVar[type[Settings]] = ProjectionLlmSettings
    advice = (
        "Choose it for texts that may be sent to a language model's server; watch the cost and the share of bad answers"
    )
    sends_texts = True
    settings: ProjectionLlmSettings
    rest = True
    answered_labels: AnsweredLabels = {}

    def unavailable(self, languages: Iterable[tuple[str, str]]) -> Phrase | None:
        return join_phrases((super().unavailable(languages), self.server_problem()))

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> ProjectionModel:
        """As `projection`. MethodError if there is no server or model."""
        self.target()
        return super().fit(pairs, on_progress)

    def predict(
        self, model: ProjectionModel, pairs: Sequence[PairInput], on_progress: OnProgress | None = None
    ) -> list[Result]:
        """Ask about all pairs at once; RunEnds if a limit is reached or the server takes no requests."""
        sources = Sources(model.sources, self.labelling.sides, self.settings.source)
        requests = [(link, self.requests(link)) for pair in pairs for link in sources.of(pair)]
        began = time.perf_counter()
        every = [each for _, own in requests for each in own]
        answers = iter(self.ask(self.target(), every, self.sending_options, on_progress) if every else ())
        each_request = (time.perf_counter() - began) / max(1, len(every))
        self.answered_labels, counts, seconds = {}, dict[str, AnswerCounts](), dict[str, float]()
        for link, own in requests:
            text = side_of(link.pair, other_side(link.shared))
            labels: list[int | None] = [None] * len(text.tokens)
            for request in own:
                (part,) = request.parts
                labels[slice(*part.tokens)], more = read_labels(next(answers), text, part, len(self.names))
                counts[link.pair.id] = counts.get(link.pair.id, AnswerCounts()) + more
                seconds[link.pair.id] = seconds.get(link.pair.id, 0.0) + each_request
            self.answered_labels[link.pair.id, link.source.id] = labels
        return [
            replace(
                result,
                counts=counts.get(result.id, AnswerCounts()).to_json(),
                seconds=result.seconds + seconds.get(result.id, 0.0),
            )
            for result in super().predict(model, pairs, on_progress)
        ]

    @property
    def names(self) -> list[str]:
        """The project's labels from the smallest difference to the greatest: number 1 is the first."""
        weights = self.labelling.weights
        return sorted(weights, key=lambda label: (weights[label], label))

    def requests(self, link: LabelSource) -> list[Request]:
        """What is asked to carry labels along a link; nothing if the side isn't labelled, or has no label."""
        side = other_side(link.shared)
        labels = gold_of(link.source, link.source_side(side))[1]
        if side not in self.labelling.sides or labels is None or not any(labels):
            return []
        numbers = [self.names.index(label) + 1 if label in self.names else 0 for label in labels]
        settings = self.settings
        source, text = side_of(link.source, link.source_side(side)), side_of(link.pair, side)
        return carry_requests(
            link.pair.id,
            source,
            numbers,
            text,
            highest=len(self.names),
            words=settings.words,
            reasoning=settings.reasoning,
            temperature=settings.temperature,
        )

    def carried(self, link: LabelSource, side: Side, edges: Sequence[Edge]) -> CarriedLabels | None:
        """By alignment, and over that what the model said."""
        carried = super().carried(link, side, edges)
        if carried is not None and side != link.shared:
            for index, number in enumerate(self.answered_labels.get((link.pair.id, link.source.id), ())):
                if number is not None:
                    label = ["", *self.names][number]
                    carried.labels[index], carried.values[index] = label, self.labelling.weights.get(label, 0.0)
                    carried.known[index] = True
        return carried
