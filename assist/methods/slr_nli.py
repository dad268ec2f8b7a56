"""SLR-NLI: a sentence is not entailed if and only if one of its spans is not (Stacey et al. 2022, as in X-PARADE).

Each sentence of a text is judged against the whole other text. Spans are single constituents and runs of two
neighbours; a word's score is the largest of the spans that it is in. Our choices: constituents are found without a
parser (``entailment/spans.py``); a span is represented by the mean of its subwords' last hidden states; the NLI model
is not trained, only the scorer of spans, on whether a labelled sentence has anything new in it, out of fold; with too
few labelled sentences each span is read as a hypothesis of its own. See ``docs/nli.md``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from annotation.progress import OnProgress
from annotation.settings_model import Settings, setting
from assist.methods.base import PairInput, Result, register
from assist.methods.encoder.contextual import labelled_pairs
from assist.methods.encoder.subwords import Subwords
from assist.methods.entailment.method import Floats, NliMethod, NliSettings, fitted_report, marked_sides, scores_by_pair
from assist.methods.entailment.model import Entailment
from assist.methods.entailment.span_states import (
    Sentence,
    mean_span_states,
    sentences,
    span_probabilities,
    token_scores,
)
from assist.methods.entailment.span_training import Scorer, States, train
from assist.methods.entailment.texts import Edges, JudgedSide, carried_max
from assist.methods.entailment.words import Hypothesis
from assist.methods.shared.gold import gold_varies, new_threshold
from assist.methods.shared.proposals import SuggestionThresholds, best_thresholds, results_with_proposals
from assist.methods.wordmodel import folds
from assist.phrases.run_phrases import FEW_SENTENCES

UNTRAINED = 0.5
"""The threshold without labels: what the model itself finds more likely not entailed than entailed."""
MAX_SENTENCES = 5000
"""Sentences that a scorer is trained on, at most."""


class SpanSettings(NliSettings):
    """Settings of SLR-NLI."""

    least: int = setting(
        100,
        "Minimum number of labelled sentences",
        "with fewer labelled sentences than this, the NLI model judges each span by itself",
        5,
        100_000,
    )
    folds: int = setting(5, "Folds", "number of folds of the labelled documents", 2, 20)
    epochs: int = setting(20, "Epochs", "passes over the labelled sentences", 1, 500)
    seed: int = setting(0, "Seed", "seed of all random choices", 0, 10**6)
    threshold: float | None = setting(
        None,
        "Suggestion threshold",
        "score from which words are suggested; if empty: the best F1 on labelled pairs, 0.5 without any",
        0.0,
        1.0,
    )


@dataclass(frozen=True, slots=True)
class SpanModel:
    """A scorer for each fold, and what belongs to it; without ``scorers``, labelled sentences were too few.

    ``fold_of`` is the fold of each text, by digest, of a labelled document or linked to one. ``right`` is the share of
    labelled sentences that scorers which hadn't seen them judged right.
    """

    models: tuple[dict[str, str], ...]
    bars: SuggestionThresholds
    documents: int
    sentences: int = 0
    scorers: tuple[Scorer, ...] = ()
    fold_of: dict[str, int] = field(default_factory=dict)
    right: float = math.nan


@dataclass(frozen=True, slots=True)
class _ReadTexts:
    """Judged texts as the model reads them, and the alignments of those read in translation."""

    judged: Sequence[JudgedSide]
    premises: Sequence[Subwords]
    texts: Sequence[Subwords]
    sentences: list[tuple[Sentence, Hypothesis]]
    edges: dict[int, Edges]


@register
class SlrNli(NliMethod[SpanSettings, SpanModel]):
    """The spans for which a sentence does not follow from the other text, learned from whole sentences."""

    name = "slr-nli"
    version = "1"
    Settings: ClassVar[type[Settings]] = SpanSettings
    advice = "Choose it for new information where at least 100 sentences are labelled, with an NLI model"
    learns = True
    packages = ("torch", "transformers")

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> SpanModel:
        """A scorer of spans for each fold of the labelled pairs (300 at most, not of the split 'test')."""
        model = self.loaded()
        models = tuple(self.models(model, pairs))
        fixed = self.settings.threshold
        labelled = labelled_pairs(self.readable_pairs(pairs))
        plain = UNTRAINED if fixed is None else fixed
        untuned = SuggestionThresholds(plain, plain, math.inf)
        if not gold_varies(labelled):
            return SpanModel(models, untuned, len(labelled))
        read = self._read(model, self.sides_to_judge(labelled, marked_sides(labelled)), on_progress)
        labels = _labels(labelled, read, new_threshold(labelled))
        of_pair = folds.assign(labelled, [True] * len(labelled), self.settings.folds, by_sentence=True)
        of_sentence = np.array([of_pair[read.judged[sentence.text].pair] for sentence, _ in read.sentences], np.int64)
        used = sorted(set(of_pair.tolist()))
        count = sum(label is not None for label in labels)
        chosen = _sample(labels, self.settings.seed)
        trained = len(chosen) >= self.settings.least and all(
            len({labels[index] for index in chosen if of_sentence[index] != fold}) == 2 for fold in used
        )
        if not trained:
            if fixed is not None:
                return SpanModel(models, untuned, len(labelled), count)
            spans = span_probabilities(
                model, read.sentences, read.texts, self._stage_progress(on_progress, "judging spans")
            )
            bars = best_thresholds(labelled, self._on_words(labelled, read, spans), new_threshold(labelled), UNTRAINED)
            return SpanModel(models, bars, len(labelled), count)
        states = mean_span_states(
            model, read.sentences, read.texts, self._stage_progress(on_progress, "reading sentences")
        )
        scorers = []
        spans = [np.zeros(0)] * len(states)
        for number, fold in enumerate(used):
            others = [index for index in chosen if of_sentence[index] != fold]
            scorers.append(self._trained(states, labels, others, (number, len(used)), on_progress))
            for index in np.flatnonzero(of_sentence == fold).tolist():
                spans[index] = scorers[-1].scores(states[index])
        judged = [(own.max() > 0.5) == label for own, label in zip(spans, labels, strict=True) if label is not None]
        scores = self._on_words(labelled, read, spans)
        bars = untuned if fixed is not None else best_thresholds(labelled, scores, new_threshold(labelled), UNTRAINED)
        of_texts = folds.fold_by_text(pairs, labelled, [used.index(fold) for fold in of_pair.tolist()])
        return SpanModel(models, bars, len(labelled), count, tuple(scorers), of_texts, float(np.mean(judged)))

    def predict(
        self, model: SpanModel, pairs: Sequence[PairInput], on_progress: OnProgress | None = None
    ) -> list[Result]:
        """Scores by the fold that a document was not trained in; of other documents, the mean of all folds.

        MethodError if a pair can't be read in any language of the model.
        """
        if not pairs:
            return []
        began = time.perf_counter()
        loaded = self.loaded()
        read = self._read(loaded, self.sides_to_judge(pairs, self.labelling.sides), on_progress)
        if model.scorers:
            fold_numbers = [folds.own_fold(model.fold_of, pair) for pair in pairs]
            states = mean_span_states(
                loaded, read.sentences, read.texts, self._stage_progress(on_progress, "reading sentences")
            )
            spans = [
                _fold_scores(model.scorers, fold_numbers[read.judged[sentence.text].pair], own)
                for (sentence, _), own in zip(read.sentences, states, strict=True)
            ]
        else:
            spans = span_probabilities(
                loaded, read.sentences, read.texts, self._stage_progress(on_progress, "judging spans")
            )
        scores = self._on_words(pairs, read, spans)
        scores = [(a.clip(0, 1), b.clip(0, 1)) for a, b in scores]
        return results_with_proposals(pairs, scores, model.bars, time.perf_counter() - began)

    def report(self, model: SpanModel) -> dict[str, Any]:
        """The models, labelled pairs and sentences, how well sentences were judged, and the threshold."""
        report = fitted_report(model.models, model.documents, model.bars) | {"sentences": model.sentences}
        if model.scorers:
            return report | {"right": round(model.right, 4)}
        params = {"n": str(model.sentences), "needed": str(self.settings.least)}
        return report | {"training": FEW_SENTENCES.with_params(**params).text()}

    def _read(self, model: Entailment, judged: Sequence[JudgedSide], on_progress: OnProgress | None) -> _ReadTexts:
        premises, texts = self.subwords(model, judged)
        edges = self.alignments(judged, on_progress)
        return _ReadTexts(judged, premises, texts, sentences(judged, premises, texts), edges)

    def _on_words(
        self, pairs: Sequence[PairInput], read: _ReadTexts, spans: Sequence[Floats]
    ) -> list[tuple[Floats, Floats]]:
        """The scores of every pair's words: 1 beside an empty text, 0 for a word without a subword."""
        sizes = [len(each.hypothesis.tokens) for each in read.judged]
        token_values = token_scores([sentence for sentence, _ in read.sentences], spans, sizes)
        own = [_zero_without_subwords(text, values) for text, values in zip(read.texts, token_values, strict=True)]
        carried = self.word_values(read.judged, own, read.edges, carried_max)
        values = [
            scores if len(premise.ids) else np.ones(len(each.side.tokens))
            for each, premise, scores in zip(read.judged, read.premises, carried, strict=True)
        ]
        return scores_by_pair(pairs, read.judged, values)

    def _trained(
        self,
        states: Sequence[States],
        labels: Sequence[bool | None],
        chosen: Sequence[int],
        part: tuple[int, int],
        on_progress: OnProgress | None,
    ) -> Scorer:
        number, parts = part

        def step(done: int, total: int) -> None:
            if on_progress is not None:
                on_progress(number * total + done, parts * total, "training")

        goals = [bool(labels[index]) for index in chosen]
        return train([states[index] for index in chosen], goals, self.settings.epochs, self.settings.seed, step)


def _labels(pairs: Sequence[PairInput], read: _ReadTexts, above: float) -> list[bool | None]:
    """Whether each sentence has anything new in it, by the gold; None if the gold of all of its words is unknown."""
    marked = []
    for index, each in enumerate(read.judged):
        pair = pairs[each.pair]
        gold = pair.gold_a if each.name == "a" else pair.gold_b
        values = np.full(len(each.side.tokens), np.nan) if gold is None else np.asarray(gold, dtype=float)
        levels = np.where(np.isnan(values), 0.0, np.where(values > above, 2.0, 1.0))
        turned = [(to, word) for word, to in read.edges.get(index, ())]
        marked.append(carried_max(levels, turned, len(each.hypothesis.tokens)) if each.translated else levels)
    highest = [float(marked[sentence.text][slice(*sentence.tokens)].max()) for sentence, _ in read.sentences]
    return [None if value == 0 else value == 2 for value in highest]


def _sample(labels: Sequence[bool | None], seed: int) -> list[int]:
    """The labelled sentences that are trained on, in order; a random choice of `MAX_SENTENCES` if there are more."""
    chosen = [index for index, label in enumerate(labels) if label is not None]
    if len(chosen) > MAX_SENTENCES:
        chosen = sorted(np.random.default_rng(seed).permutation(chosen)[:MAX_SENTENCES].tolist())
    return chosen


def _fold_scores(scorers: Sequence[Scorer], fold: int | None, states: States) -> Floats:
    """By the scorer of a fold, or the mean of all."""
    chosen = scorers if fold is None else [scorers[fold]]
    mean: Floats = np.mean([each.scores(states) for each in chosen], axis=0)
    return mean


def _zero_without_subwords(text: Subwords, values: Floats) -> Floats:
    """The values of words that have a subword, 0 for others."""
    return np.where(np.bincount(text.owner, minlength=text.words) > 0, values, 0.0)
