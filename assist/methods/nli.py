"""NLI attribution, as in X-PARADE (Rodriguez, Erk, Durrett 2024): the words that drive 'not entailed'.

The premise is the whole other text, each sentence of a text a hypothesis. A word's score is the integrated gradients of
the logit of 'not entailed' with respect to the input embeddings, summed over the embedding and the word's subwords. Our
choices, where the paper names none: the logit of several labels that aren't 'entailment' is the logarithm of the sum of
their exponentials; the baseline has padding in place of the sentence's words, beside the premise as it is; a premise
longer than the model reads is cut into windows, of which the one that supports the sentence best counts; an attribution
x is shown as 1 - exp(-x), 0 if negative. See ``docs/nli.md``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from annotation.progress import OnProgress
from annotation.settings_model import Settings, setting
from assist.methods.base import PairInput, Result, register
from assist.methods.encoder.contextual import labelled_pairs
from assist.methods.entailment.method import Floats, NliMethod, NliSettings, fitted_report, marked_sides, scores_by_pair
from assist.methods.entailment.model import Entailment
from assist.methods.entailment.texts import JudgedSide, carried_sum
from assist.methods.entailment.words import word_attributions
from assist.methods.shared.gold import gold_varies, new_threshold
from assist.methods.shared.proposals import SuggestionThresholds, best_thresholds, results_with_proposals

PUBLISHED = 0.025
"""The middle of the thresholds that X-PARADE found on dev, 0.02 to 0.03."""


class AttributionSettings(NliSettings):
    """Settings of NLI attribution."""

    steps: int = setting(50, "Steps", "steps of integration; more are more exact and take longer", 5, 500)
    baseline: Literal["hypothesis", "texts"] = setting(
        "hypothesis",
        "Baseline",
        "what has padding in place of words in the baseline: the hypothesis alone, or both texts",
    )
    threshold: float | None = setting(
        None,
        "Suggestion threshold",
        "score from which words are suggested; if empty: the best F1 on labelled pairs, 0.025 without any",
        0.0,
        1.0,
    )


@dataclass(frozen=True, slots=True)
class AttributionModel:
    """The models by name and revision, the scores from which words are suggested, and the number of labelled pairs."""

    models: tuple[dict[str, str], ...]
    bars: SuggestionThresholds
    documents: int


@register
class Nli(NliMethod[AttributionSettings, AttributionModel]):
    """The words for which an NLI model says that a sentence does not follow from the other text."""

    name = "nli"
    version = "1"
    Settings: ClassVar[type[Settings]] = AttributionSettings
    advice = "Choose it for new information, with an NLI model for the texts' languages or with translations"
    packages = ("torch", "transformers", "captum")

    def trains(self, labelled: bool) -> bool:
        """The model is not trained; only the threshold is chosen on labelled pairs, unless it is set."""
        return labelled and self.settings.threshold is None

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> AttributionModel:
        """The threshold, by F1 on labelled pairs (300 at most, not of the split 'test')."""
        model = self.loaded()
        models = tuple(self.models(model, pairs))
        fixed = self.settings.threshold
        labelled = labelled_pairs(self.readable_pairs(pairs)) if fixed is None else []
        if not gold_varies(labelled):
            threshold = PUBLISHED if fixed is None else fixed
            return AttributionModel(models, SuggestionThresholds(threshold, threshold, math.inf), len(labelled))
        scores = self._scores(model, labelled, self.sides_to_judge(labelled, marked_sides(labelled)), on_progress)
        return AttributionModel(
            models, best_thresholds(labelled, scores, new_threshold(labelled), PUBLISHED), len(labelled)
        )

    def predict(
        self, model: AttributionModel, pairs: Sequence[PairInput], on_progress: OnProgress | None = None
    ) -> list[Result]:
        """One result per pair; MethodError if one can't be read in any language of the model."""
        if not pairs:
            return []
        began = time.perf_counter()
        loaded = self.loaded()
        scores = self._scores(loaded, pairs, self.sides_to_judge(pairs, self.labelling.sides), on_progress)
        return results_with_proposals(pairs, scores, model.bars, time.perf_counter() - began)

    def report(self, model: AttributionModel) -> dict[str, Any]:
        """The models, the number of labelled pairs, and the threshold with its curve."""
        return fitted_report(model.models, model.documents, model.bars)

    def _scores(
        self,
        model: Entailment,
        pairs: Sequence[PairInput],
        judged: Sequence[JudgedSide],
        on_progress: OnProgress | None,
    ) -> list[tuple[Floats, Floats]]:
        premises, texts = self.subwords(model, judged)

        settings = self.settings
        attributions = word_attributions(
            model, premises, texts, settings.steps, settings.baseline, self._stage_progress(on_progress, "attributions")
        )
        attributions = self.word_values(judged, attributions, self.alignments(judged, on_progress), carried_sum)
        values = [
            score(own) if len(premise.ids) else scores_without_premise(each)
            for each, premise, own in zip(judged, premises, attributions, strict=True)
        ]
        return scores_by_pair(pairs, judged, values)


def score(attributions: Floats) -> Floats:
    """Attributions as scores in [0, 1): nearly the same where small, in the same order, 0 where negative."""
    scores: Floats = -np.expm1(-np.maximum(attributions, 0.0))
    return scores


def scores_without_premise(each: JudgedSide) -> Floats:
    """The scores of a text whose other side is empty: nothing in it is entailed."""
    return np.ones(len(each.side.tokens))
