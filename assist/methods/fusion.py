"""Several methods as one: the mean of their scores' ranks, or decision trees that have their scores as features.

Methods disagree about where texts differ, and partly for independent reasons: a token that all of them rank high is
more likely one that people mark. Scores are turned into ranks among those of the project, so that no method counts more
because its scores are larger. Methods that learn from labels give scores out of fold for what they learned from, so the
figures in the report, and the trees, are of documents that a part has not seen.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np

from annotation.phrases import Phrase, join_phrases
from annotation.progress import OnProgress
from annotation.settings_model import SettingError, Settings, setting
from annotation.strict_json import display_text
from assist.methods.base import Method, PairInput, Result, create, method, methods, register
from assist.methods.default import POLICIES, DefaultModel, sample_pairs
from assist.methods.entailment.method import MODEL, NliSettings
from assist.methods.finetuned import trained_encoder_setting
from assist.methods.learned import Learned, LearnedModel, LearnedSettings, Rows
from assist.methods.shared.gold import gold_values, gold_varies, is_labelled
from assist.methods.shared.proposals import SuggestionThresholds, choose_thresholds, propose
from assist.methods.wordmodel import folds
from assist.methods.wordmodel.document import PairArrays
from assist.methods.wordmodel.fitting import agreement
from assist.methods.wordmodel.hinges import Floats, Scale
from assist.methods.wordmodel.pieces import Pieces
from assist.methods.wordmodel.repetition import Repetition

FOLDS = 5
"""Folds of the labelled documents, for thresholds of 'new' in the report."""
Sides = tuple[Floats, Floats]


class FusionSettings(Settings):
    """Which methods are combined, and how."""

    target: Literal["graded", "new"] = setting(
        "graded", "Target", "what the scores rank: any difference, or new content"
    )
    methods: str = setting("default diffalign", "Methods", "names of the methods to combine, separated by spaces")
    combine: Literal["ranks", "trees"] = setting(
        "ranks",
        "Combine by",
        "ranks: mean of the ranks of scores; trees: as in the method “learned”, with scores as features",
    )
    model: str | None = setting(
        None,
        "Encoder",
        "Hugging Face name of an encoder, or name of a folder that the server administrator provides, for all methods "
        "that use one; if empty: the default of each",
        name_parts=2,
    )
    revision: str | None = setting(None, "Revision", "commit, branch or tag of a model from a hub", name_parts=3)
    nli_model: str | None = setting(
        None,
        "NLI model",
        "Hugging Face name of an NLI model, or name of a folder that the server administrator provides; "
        f"if empty: {MODEL}, which reads English",
        name_parts=2,
    )
    nli_languages: str = setting(
        "en",
        "Languages of the NLI model",
        "codes of the languages that the model reads, with spaces between them, or 'any'; texts in others are read in "
        "translation",
    )
    trained: str | None = trained_encoder_setting()
    threshold: float | None = setting(
        None,
        "Suggestion threshold",
        "score from which words are suggested; if empty: chosen from labelled pairs, or a share of all words",
        0.0,
        1.0,
    )

    @classmethod
    def read(cls, values: Mapping[str, object]) -> Self:
        """Settings from JSON values or from texts. Raises SettingError, also for methods that can't be combined."""
        settings = super().read(values)
        names = settings.methods.split()
        allowed = combinable(settings.combine)
        wrong = [name for name in names if name not in allowed]
        if wrong or len(set(names)) < len(names) or len(names) < 2 - (settings.combine == "trees"):
            raise SettingError(
                Phrase(
                    "Setting “methods” must be the names of different methods, at least two (one for trees), of: "
                    "%(methods)s. It is “%(value)s”.",
                    {"methods": ", ".join(allowed), "value": display_text(settings.methods)},
                )
            )
        # Refused here, where settings are read, and not when the parts are made.
        NliSettings.read({"languages": settings.nli_languages})
        return settings


def combinable(combine: str) -> list[str]:
    """The names of the methods that can be combined: trees are those of ``learned``, which has the default's scores."""
    within = {"fusion"} if combine == "ranks" else {"fusion", "default", "learned"}
    return sorted({cls.name for cls in methods() if cls.gives == "highlights" and cls.combines} - within)


@dataclass(frozen=True)
class FusionModel:
    """The models of the parts, the distribution of their scores, and either thresholds or a model of trees.

    ``figures``: Spearman or F1 of each part, and of all, on labelled documents; empty without labels.
    """

    parts: tuple[tuple[str, Any], ...]
    scales: tuple[Scale, ...]
    bars: SuggestionThresholds
    documents: int = 0
    figures: dict[str, float] = field(default_factory=dict)
    trees: LearnedModel | None = None


@register
class Fusion(Method[FusionSettings, FusionModel]):
    """Several methods combined: the mean of the ranks of their scores, or trees that have their scores as features."""

    name = "fusion"
    version = "1"
    Settings: ClassVar[type[Settings]] = FusionSettings
    advice = "Choose it where two methods are about equally good; it takes as long as all of them"
    learns = True
    gpu = True
    word_lists = True
    packages = ("torch", "transformers")

    def __init__(self, settings: FusionSettings | None = None) -> None:
        super().__init__(settings)
        self.parts = [self._part(name) for name in self.settings.methods.split()]
        self.trees = _Trees(LearnedSettings(target=self.settings.target, threshold=self.settings.threshold))

    def unavailable(self, languages: Iterable[tuple[str, str]]) -> Phrase | None:
        pairs = list(languages)
        return join_phrases(part.unavailable(pairs) for part in self.parts)

    def downloads(self, languages: Iterable[tuple[str, str]]) -> list[str]:
        pairs = list(languages)
        return sorted({name for part in self.parts for name in part.downloads(pairs)})

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> FusionModel:
        """Fit every part on all pairs, then what combines them on the labelled ones and a sample of the others."""
        for part in self.parts:
            part.lists = self.lists
        fitted = [part.fit(pairs, on_progress) for part in self.parts]
        parts = tuple((part.slug(), model) for part, model in zip(self.parts, fitted, strict=True))
        chosen = sample_pairs(pairs)
        results_by_part = [
            part.predict(model, chosen, on_progress) for part, model in zip(self.parts, fitted, strict=True)
        ]
        scales = tuple(_scale(results) for results in results_by_part)
        ranks = _ranks(scales, results_by_part)
        labelled = [index for index, pair in enumerate(chosen) if is_labelled(pair)]
        figures = self._figures([chosen[index] for index in labelled], [ranks[index] for index in labelled])
        if self.settings.combine == "trees":
            trees = self.trees.using(chosen, ranks).fit(pairs, on_progress)
            figures = {**figures, "fusion": trees.scores["learned"]} if trees.scores else {}
            return FusionModel(parts, scales, trees.bars, len(labelled), figures, trees)
        means = [_mean(each) for each in ranks]
        bars = choose_thresholds(chosen, means, POLICIES[self.settings.target], self.settings.threshold)
        return FusionModel(parts, scales, bars, len(labelled), figures)

    def predict(
        self, model: FusionModel, pairs: Sequence[PairInput], on_progress: OnProgress | None = None
    ) -> list[Result]:
        """One result per pair: combined scores; edges, and differences with a reason, of the first part with any."""
        fitted = [each for _, each in model.parts]
        results_by_part = [
            part.predict(each, pairs, on_progress) for part, each in zip(self.parts, fitted, strict=True)
        ]
        began = time.perf_counter()
        ranks = _ranks(model.scales, results_by_part)
        if model.trees is not None:
            combined = self.trees.using(pairs, ranks).predict(model.trees, pairs, on_progress)
        else:
            combined = [self._ranked(model, pair, each) for pair, each in zip(pairs, ranks, strict=True)]
        share = (time.perf_counter() - began) / max(1, len(pairs))
        results = []
        for index, result in enumerate(combined):
            own = [each[index] for each in results_by_part]
            edges = next((each.edges for each in (result, *own) if each.edges), [])
            seconds = share + sum(each.seconds for each in own)
            if model.trees is None:
                with_reasons = ([proposal for proposal in each.proposals if proposal.reason] for each in own)
                first = next(filter(None, with_reasons), [])
                proposals = propose(pairs[index], result.scores_a, result.scores_b, model.bars, first)
                result = replace(result, proposals=proposals)
            results.append(replace(result, edges=edges, seconds=seconds))
        return results

    def report(self, model: FusionModel) -> dict[str, Any]:
        """The figures on labelled documents of each part and of all together, and the threshold of suggestions."""
        kind = "spearman" if self.settings.target == "graded" else "f1"
        return {
            "documents": model.documents,
            "metric": kind,
            "parts": [
                {"method": slug, **({"score": model.figures[slug]} if slug in model.figures else {})}
                for slug, _ in model.parts
            ],
            **({"fusion": model.figures["fusion"]} if model.figures else {}),
            "threshold": model.bars.threshold,
            "curve": [*model.bars.curve],
        }

    def _part(self, name: str) -> Method[Any, Any]:
        """A method to combine, with those of this one's settings that it has. An NLI model is no encoder."""
        fields = method(name).Settings.model_fields
        settings = self.settings
        values: dict[str, Any] = {"target": settings.target, "trained": settings.trained}
        if issubclass(method(name).Settings, NliSettings):
            values |= {"model": settings.nli_model, "languages": settings.nli_languages}
        else:
            values |= {"model": settings.model, "revision": settings.revision}
        return create(name, {key: value for key, value in values.items() if key in fields and value is not None})

    def _figures(self, pairs: Sequence[PairInput], ranks: Sequence[Sequence[Sides]]) -> dict[str, float]:
        if not gold_varies(pairs):
            return {}
        golds = [gold_values(pair) for pair in pairs]
        own_fold = folds.assign(pairs, [True] * len(pairs), FOLDS)
        named = [
            (part.slug(), [np.concatenate(each[index]) for each in ranks]) for index, part in enumerate(self.parts)
        ]
        named.append(("fusion", [np.concatenate(_mean(each)) for each in ranks]))
        return {name: agreement(golds, scores, own_fold, self.settings.target) for name, scores in named}

    def _ranked(self, model: FusionModel, pair: PairInput, ranks: Sequence[Sides]) -> Result:
        a, b = _mean(ranks)
        return Result(pair.id, a.tolist(), b.tolist())


class _Trees(Learned):
    """The learned method with more features: other methods' scores, as ranks."""

    name = "fusion"
    ranks: Mapping[str, Rows] = {}

    def using(self, pairs: Sequence[PairInput], ranks: Sequence[Sequence[Sides]]) -> Self:
        """With the ranks of every part for the pairs, by their ids."""
        self.ranks = {
            pair.id: np.stack([np.concatenate(each) for each in of_parts], axis=1).astype(np.float32)
            for pair, of_parts in zip(pairs, ranks, strict=True)
        }
        return self

    def _rows(
        self, base: DefaultModel, repeated: Repetition, cut: dict[str, Pieces], pair: PairInput, doc: PairArrays
    ) -> Rows:
        return np.concatenate([super()._rows(base, repeated, cut, pair, doc), self.ranks[pair.id]], axis=1)


def _scale(results: Sequence[Result]) -> Scale:
    scores = np.concatenate([np.zeros(0), *(np.array([*each.scores_a, *each.scores_b]) for each in results)])
    return Scale.of(scores if len(scores) else np.zeros(1))


def _ranks(scales: Sequence[Scale], results_by_part: Sequence[Sequence[Result]]) -> list[list[Sides]]:
    """For each pair the ranks by every part."""
    return [
        [
            (scale.rank(np.array(result.scores_a)), scale.rank(np.array(result.scores_b)))
            for scale, result in zip(scales, results, strict=True)
        ]
        for results in zip(*results_by_part, strict=True)
    ]


def _mean(ranks: Sequence[Sides]) -> Sides:
    """The mean of the parts' ranks, of both sides."""
    a, b = (np.mean([each[side] for each in ranks], axis=0).clip(0, 1) for side in (0, 1))
    return a, b
