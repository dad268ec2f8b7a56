"""From subwords to words: the attribution of each word of a hypothesis, over windows and batches of many texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.progress import OnAdvance, OnCount
from assist.methods.encoder.subwords import Ints, Subwords
from assist.methods.entailment.model import Baseline, Entailment, Row
from assist.methods.entailment.window_pairs import WindowPair, window_pairs

Floats = NDArray[np.float64]
"""Called with how many inputs are done, of how many."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What is judged against a premise: subwords of text number ``text``, ``ids``, the first of which is ``start``.

    ``unit`` is the sentence that they are or are in.
    """

    text: int
    unit: int
    premise: Ints
    start: int
    ids: Ints


def hypotheses(premises: Sequence[Subwords], texts: Sequence[Subwords]) -> list[Hypothesis]:
    """Each sentence of each text, with the premise of that text; none of a text whose premise has no subword."""
    return [
        Hypothesis(number, unit, premise.ids, low, text.ids[low:high])
        for number, (premise, text) in enumerate(zip(premises, texts, strict=True))
        for unit, (low, high) in enumerate(text.units)
        if high > low and len(premise.ids)
    ]


def row(premise: Ints, hypothesis: Ints, window: WindowPair) -> Row:
    """The subwords that are read together."""
    return premise[slice(*window.premise)], hypothesis[slice(*window.hypothesis)]


def best_premise_windows(
    model: Entailment, hypotheses: Sequence[Hypothesis], on_progress: OnCount | None = None
) -> list[list[tuple[WindowPair, float]]]:
    """For each part of each hypothesis the window of the premise that supports it best, and the margin there.

    A margin is a logit: 'not entailed' less 'entailment'.
    """
    parts = [window_pairs(len(each.premise), len(each.ids), model.room) for each in hypotheses]
    rows = [
        row(each.premise, each.ids, window)
        for each, own in zip(hypotheses, parts, strict=True)
        for windows in own
        for window in windows
    ]
    margins = iter(model.margins(rows, cumulative_progress(on_progress, len(rows))).tolist())
    return [
        [min(((window, next(margins)) for window in windows), key=lambda pair: pair[1]) for windows in own]
        for own in parts
    ]


def word_attributions(
    model: Entailment,
    premises: Sequence[Subwords],
    texts: Sequence[Subwords],
    steps: int,
    baseline: Baseline,
    on_progress: OnCount | None = None,
) -> list[Floats]:
    """For each text its words' attributions to 'not entailed', [words]: the sum of those of a word's subwords.

    A subword of two words counts half for each. Sentences are judged one by one against the whole premise; of one that
    is read in windows, by the window that supports the sentence best.
    """
    all_hypotheses = hypotheses(premises, texts)
    several = [len(window_pairs(len(each.premise), len(each.ids), model.room)[0]) > 1 for each in all_hypotheses]
    best = iter(
        best_premise_windows(
            model, [each for each, many in zip(all_hypotheses, several, strict=True) if many], on_progress
        )
    )
    chosen = [
        [window for window, _ in next(best)]
        if many
        else [windows[0] for windows in window_pairs(len(each.premise), len(each.ids), model.room)]
        for each, many in zip(all_hypotheses, several, strict=True)
    ]
    read_windows = [(each, window) for each, own in zip(all_hypotheses, chosen, strict=True) for window in own]
    rows = [row(each.premise, each.ids, window) for each, window in read_windows]
    values = [np.zeros(len(text.ids)) for text in texts]
    for (each, window), (_, own) in zip(
        read_windows,
        model.attributions(rows, steps, baseline, cumulative_progress(on_progress, len(rows))),
        strict=True,
    ):
        low, high = window.keep
        inside = slice(low - window.hypothesis[0], high - window.hypothesis[0])
        values[each.text][each.start + low : each.start + high] = own[inside]
    return [sum_by_word(text, own) for text, own in zip(texts, values, strict=True)]


def sum_by_word(text: Subwords, values: Floats) -> Floats:
    """The sum over each word's subwords; a subword of several words is shared equally."""
    owners = np.maximum(np.bincount(text.owned, minlength=len(text.ids)), 1)
    sums: Floats = np.bincount(text.owner, (values / owners)[text.owned], minlength=text.words).astype(np.float64)
    return sums


def cumulative_progress(on_progress: OnCount | None, total: int) -> OnAdvance | None:
    """Progress that adds up."""
    done = 0

    def more(count: int) -> None:
        nonlocal done
        done += count
        if on_progress is not None:
            on_progress(done, total)

    return more if on_progress is not None else None
