"""Spans of sentences as an NLI model sees them: their mean hidden states, or the model's own judgement of each.

A premise in several windows: each part of a sentence is represented, and each span judged, by the window that supports
it best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.progress import OnCount
from assist.methods.base import Range
from assist.methods.encoder.subwords import Subwords, units
from assist.methods.entailment.model import Entailment
from assist.methods.entailment.spans import constituents, spans
from assist.methods.entailment.texts import JudgedSide
from assist.methods.entailment.window_pairs import window_pairs
from assist.methods.entailment.words import (
    Hypothesis,
    best_premise_windows,
    cumulative_progress,
    hypotheses,
    row,
)

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence to judge: of which text, which of its tokens, and its constituents as ranges of tokens."""

    text: int
    tokens: Range
    parts: tuple[Range, ...]

    @property
    def spans(self) -> list[Range]:
        """Constituents, and runs of two neighbours."""
        return spans(self.parts)


def sentences(
    judged: Sequence[JudgedSide], premises: Sequence[Subwords], texts: Sequence[Subwords]
) -> list[tuple[Sentence, Hypothesis]]:
    """The sentences that have a premise and a subword, and the same as subwords."""
    ranges = [units(each.hypothesis, "sentence") for each in judged]
    result = []
    for each in hypotheses(premises, texts):
        low, high = ranges[each.text][each.unit]
        parts = constituents(judged[each.text].hypothesis, low, high)
        result.append((Sentence(each.text, (low, high), tuple(parts)), each))
    return result


def mean_span_states(
    model: Entailment,
    hypotheses: Sequence[tuple[Sentence, Hypothesis]],
    texts: Sequence[Subwords],
    on_progress: OnCount | None = None,
) -> list[Singles]:
    """For each sentence its spans' mean hidden states, [spans, width]; 0 for a span without a subword."""
    rows, origins = [], []
    for at, (_, each) in enumerate(hypotheses):
        for number, windows in enumerate(window_pairs(len(each.premise), len(each.ids), model.room)):
            for window in windows:
                rows.append(row(each.premise, each.ids, window))
                origins.append((at, number, window))
    best: dict[tuple[int, int], tuple[float, NDArray[np.float32]]] = {}
    members = [_members(sentence, each, texts[each.text]) for sentence, each in hypotheses]
    for index, margin, hidden in model.states(rows, cumulative_progress(on_progress, len(rows))):
        at, number, window = origins[index]
        if (at, number) in best and best[at, number][0] <= margin:
            continue
        low, high = window.keep
        states = hidden[low - window.hypothesis[0] : high - window.hypothesis[0]]
        best[at, number] = (margin, members[at][:, low:high] @ states)
    sums: list[NDArray[np.float32]] = [np.zeros((0, 0), np.float32)] * len(hypotheses)
    for (at, _), (_, own) in best.items():
        sums[at] = sums[at] + own if len(sums[at]) else own
    return [
        _means(own, member.sum(axis=1), sentence)
        for own, member, (sentence, _) in zip(sums, members, hypotheses, strict=True)
    ]


def span_probabilities(
    model: Entailment,
    hypotheses: Sequence[tuple[Sentence, Hypothesis]],
    texts: Sequence[Subwords],
    on_progress: OnCount | None = None,
) -> list[Floats]:
    """For each sentence its spans' probabilities of not being entailed, each span read as a hypothesis of its own."""
    span_hypotheses: list[Hypothesis] = []
    origins: list[tuple[int, int]] = []
    scores = [np.zeros(len(sentence.spans)) for sentence, _ in hypotheses]
    for index, (sentence, each) in enumerate(hypotheses):
        text = texts[each.text]
        for number, (low, high) in enumerate(sentence.spans):
            owned = text.owned[(text.owner >= low) & (text.owner < high)]
            if len(owned):
                start, stop = int(owned.min()), int(owned.max()) + 1
                span_hypotheses.append(Hypothesis(each.text, each.unit, each.premise, start, text.ids[start:stop]))
                origins.append((index, number))
    for (index, number), parts in zip(origins, best_premise_windows(model, span_hypotheses, on_progress), strict=True):
        scores[index][number] = 1.0 / (1.0 + np.exp(-max(margin for _, margin in parts)))
    return scores


def token_scores(sentences: Sequence[Sentence], scores: Sequence[Floats], sizes: Sequence[int]) -> list[Floats]:
    """For each text of so many tokens the largest score of the spans that a token is in."""
    out = [np.zeros(size) for size in sizes]
    for sentence, own in zip(sentences, scores, strict=True):
        for (low, high), score in zip(sentence.spans, own.tolist(), strict=True):
            out[sentence.text][low:high] = np.maximum(out[sentence.text][low:high], score)
    return out


def _members(sentence: Sentence, each: Hypothesis, text: Subwords) -> NDArray[np.float32]:
    """Which subwords of a sentence are in which constituent: [constituents, subwords], 1 or 0."""
    out = np.zeros((len(sentence.parts), len(each.ids)), np.float32)
    starts = [low for low, _ in sentence.parts]
    inside = (text.owned >= each.start) & (text.owned < each.start + len(each.ids))
    part = np.searchsorted(starts, text.owner[inside], side="right") - 1
    out[part, text.owned[inside] - each.start] = 1.0
    return out


def _means(sums: NDArray[np.float32], counts: NDArray[np.float32], sentence: Sentence) -> Singles:
    """The means of single constituents and of runs of two, from sums over their subwords."""
    pairs = max(0, len(sentence.parts) - 1)
    every = np.concatenate([sums, sums[:pairs] + sums[1:]])
    number = np.concatenate([counts, counts[:pairs] + counts[1:]])
    means: Singles = (every / np.maximum(number, 1.0)[:, None]).astype(np.float32)
    return means
