"""Shared by the methods that use an NLI model: their settings, which texts it reads, and what goes back to words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotation.phrases import Phrase, join_phrases
from annotation.progress import OnCount, OnProgress
from annotation.settings_model import SettingError, Settings, device_setting, setting
from annotation.strict_json import display_text
from annotation.text.schemes import Side
from assist.methods.base import Method, PairInput
from assist.methods.encoder import pretrained
from assist.methods.encoder.contextual import MULTILINGUAL
from assist.methods.encoder.subwords import Subwords, read
from assist.methods.entailment.model import KIND, Entailment, load
from assist.methods.entailment.texts import (
    Edges,
    JudgedSide,
    can_read,
    can_read_pair,
    languages_read,
    sides_to_judge,
)
from assist.methods.shared.gold import is_labelled
from assist.methods.shared.proposals import SuggestionThresholds
from assist.methods.simalign import SimAlignItermax, SimAlignSettings
from assist.phrases.model_phrases import LANGUAGES_NOT_READ

Floats = NDArray[np.float64]

MODEL = "cross-encoder/nli-deberta-v3-base"
"""The NLI model that is used if none is set: it reads English, and has to be downloaded or in the cache."""


_CODE = re.compile(r"[a-z]{2,8}")


class NliSettings(Settings):
    """Which NLI model, which languages it reads, and what aligns translations."""

    model: str | None = setting(
        None,
        "NLI model",
        "Hugging Face name of an NLI model, or name of a folder that the server administrator provides; "
        f"if empty: {MODEL}, which reads English",
        name_parts=2,
    )
    revision: str | None = setting(None, "Revision", "commit, branch or tag of a model from a hub", name_parts=3)
    languages: str = setting(
        "en",
        "Languages",
        "codes of the languages that the model reads, with spaces between them, or 'any'; texts in others are read in "
        "translation",
    )
    aligner: str | None = setting(
        None,
        "Encoder of the aligner",
        f"Hugging Face name or folder of the encoder that aligns a text with its translation; if empty: {MULTILINGUAL}",
        name_parts=2,
    )
    device: str = device_setting()

    @classmethod
    def read(cls, values: Mapping[str, object]) -> Self:
        """Settings from JSON values or from texts. Raises SettingError, also if no language is named."""
        options = super().read(values)
        languages = languages_read(options.languages)
        if languages is not None and not (languages and all(map(_CODE.fullmatch, languages))):
            raise SettingError(
                Phrase(
                    "Setting “languages” must be codes of languages with spaces between them, such as “en de”, or "
                    "“any”, not “%(value)s”.",
                    {"value": display_text(options.languages)},
                )
            )
        return options


S = TypeVar("S", bound=NliSettings)
M = TypeVar("M")
Carry = Callable[[Floats, Edges, int], Floats]
"""The values of a text's words from those of its translation's words, by alignment."""


class NliMethod(Method[S, M]):
    """A method by which a side's sentences are judged against the whole other side."""

    gpu = True

    def unavailable(self, languages: Iterable[tuple[str, str]]) -> Phrase | None:
        """Why no pair of these languages can be processed. A pair without the translation that it needs fails alone."""
        pairs = list(languages)
        readable = languages_read(self.settings.languages)
        if readable is not None and pairs and not any(can_read_pair(a, b, readable) for a, b in pairs):
            return LANGUAGES_NOT_READ.with_params(languages=", ".join(sorted(readable)))
        missing = [pretrained.unavailable(self._name(), self.settings.revision, KIND)]
        missing += [pretrained.unavailable(name, None) for name in self._aligners(pairs)]
        return join_phrases(missing)

    def downloads(self, languages: Iterable[tuple[str, str]]) -> list[str]:
        names = [(self._name(), self.settings.revision), *((name, None) for name in self._aligners(languages))]
        return [name for name, revision in names if not pretrained.on_this_machine(name, revision)]

    def loaded(self) -> Entailment:
        """The model; MethodError if it can't be had, or isn't an NLI model."""
        return load(self._name(), self.settings.revision, self.settings.device)

    def sides_to_judge(self, pairs: Sequence[PairInput], sides: Iterable[str], skip: bool = False) -> list[JudgedSide]:
        """The sides to judge; see `texts.sides_to_judge`."""
        return sides_to_judge(pairs, languages_read(self.settings.languages), sides, skip)

    def readable_pairs(self, pairs: Sequence[PairInput]) -> list[PairInput]:
        """The labelled pairs, not of the split 'test', that the model can read."""
        chosen = [pair for pair in pairs if is_labelled(pair)]
        readable = {each.pair for each in self.sides_to_judge(chosen, ("a",), skip=True)}
        return [pair for index, pair in enumerate(chosen) if index in readable]

    def subwords(self, model: Entailment, judged: Sequence[JudgedSide]) -> tuple[list[Subwords], list[Subwords]]:
        """The premises and the hypotheses as subwords, the latter by sentence."""
        sides = [side for each in judged for side in (each.premise, each.hypothesis)]
        texts = read(model.tokenizer, sides, "sentence", "text")
        return texts[::2], texts[1::2]

    def alignments(self, judged: Sequence[JudgedSide], on_progress: OnProgress | None) -> dict[int, Edges]:
        """For each judged text that is read in translation, by its position, the edges to the translation's words."""
        members = [index for index, each in enumerate(judged) if each.translated]
        if not members:
            return {}
        settings = self.settings
        aligner = SimAlignItermax(
            SimAlignSettings(model=settings.aligner or MULTILINGUAL, device=settings.device, null_threshold=1.0)
        )
        pairs = [PairInput(str(index), judged[index].side, judged[index].hypothesis) for index in members]
        results = aligner.predict(aligner.fit(pairs), pairs, on_progress)
        return {index: result.edges for index, result in zip(members, results, strict=True)}

    def word_values(
        self,
        judged: Sequence[JudgedSide],
        values: Sequence[Floats],
        edges: dict[int, Edges],
        carry: Carry,
    ) -> list[Floats]:
        """The values of the words of each judged text, from those of the words that were read."""
        return [
            carry(own, edges[index], len(each.side.tokens)) if each.translated else own
            for index, (each, own) in enumerate(zip(judged, values, strict=True))
        ]

    def _stage_progress(self, on_progress: OnProgress | None, what: str) -> OnCount:
        """Progress of one kind of work."""

        def report(done: int, total: int) -> None:
            if on_progress is not None:
                on_progress(done, total, what)

        return report

    def models(self, model: Entailment, pairs: Sequence[PairInput]) -> list[dict[str, str]]:
        """The NLI model and the aligner's encoder, as the report names them."""
        aligners = self._aligners((pair.a.language, pair.b.language) for pair in pairs)
        named = [{"model": pretrained.display_name(model.name), "revision": model.revision}]
        return [*named, *({"model": pretrained.display_name(name)} for name in aligners)]

    def _name(self) -> str:
        return self.settings.model or MODEL

    def _aligners(self, languages: Iterable[tuple[str, str]]) -> list[str]:
        """The aligner's encoder, if pairs of these languages are read in translation."""
        readable = languages_read(self.settings.languages)
        needed = any(
            not (can_read(a, readable) and can_read(b, readable)) and can_read_pair(a, b, readable)
            for a, b in languages
        )
        return [self.settings.aligner or MULTILINGUAL] if needed else []


def scores_by_pair(
    pairs: Sequence[PairInput], judged: Sequence[JudgedSide], values: Sequence[Floats]
) -> list[tuple[Floats, Floats]]:
    """The values of A's and B's words of each pair; 0 on a side that wasn't judged."""
    scores = [{"a": np.zeros(len(pair.a.tokens)), "b": np.zeros(len(pair.b.tokens))} for pair in pairs]
    for each, own in zip(judged, values, strict=True):
        scores[each.pair][each.name] = own
    return [(each["a"], each["b"]) for each in scores]


def marked_sides(pairs: Sequence[PairInput]) -> list[Side]:
    """The sides that have gold in any of the pairs."""
    has_a = any(pair.gold_a is not None for pair in pairs)
    has_b = any(pair.gold_b is not None for pair in pairs)
    sides: list[tuple[Side, bool]] = [("a", has_a), ("b", has_b)]
    return [name for name, has_gold in sides if has_gold]


def fitted_report(models: Sequence[dict[str, str]], documents: int, bars: SuggestionThresholds) -> dict[str, Any]:
    """What the page of a run shows of a fitted model."""
    return {"models": [*models], "documents": documents, "threshold": bars.threshold, "curve": [*bars.curve]}
