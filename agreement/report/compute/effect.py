"""The effect of highlights: time, spans, marks and agreement with and without them, as effect sizes with intervals.

Cohen's d with the pooled standard deviation (Cohen 1988, chapter 2): the difference of the two means, with highlights
minus without, in standard deviations. Sums, squares and counts add up over documents, so intervals are bootstrapped
over documents like all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from django.utils.translation import gettext_noop

from agreement.metrics.arrays import Floats, quotient
from agreement.metrics.bootstrap import (
    RESAMPLES,
    CountStatistic,
    Dense,
    Estimate,
    Statistic,
    estimates,
)
from agreement.metrics.documents import (
    Collection,
    Document,
    DocumentAnnotation,
    iou_of_annotations,
    mean_label,
    share_marked,
)
from annotation.progress import OnAdvance, ignore_progress

FIGURES: Mapping[str, Callable[[Collection, DocumentAnnotation], float]] = {
    "active minutes": lambda _, annotation: annotation.seconds / 60 if annotation.seconds else float("nan"),
    "spans": lambda _, annotation: float(len(annotation.spans)),
    "share of words marked": share_marked,
    "mean label": mean_label,
}
PAIR_IOU = "IoU of two annotators"
MIN_PAIRS = 5
"""The number of values that each of the two groups needs before anything is compared."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One outcome: its means without and with highlights, and their difference, also in standard deviations."""

    name: str
    without: Estimate
    with_them: Estimate
    difference: Estimate
    size: Estimate


@dataclass(frozen=True, slots=True)
class Highlights:
    """All outcomes; `accepted` is the share of spans that began as a suggestion, where highlights were shown.

    `differing` are the outcomes that differ by more than chance would explain: the difference's interval excludes 0.
    """

    shown: int
    hidden: int
    effects: tuple[Effect, ...]
    accepted: Estimate
    differing: tuple[str, ...]


class Outcomes:
    """The outcomes of every document, collected block by block, and how often highlights were shown and hidden.

    If it is known that they were `compared` to nothing, because everyone saw them or nobody, no outcome is kept.
    """

    def __init__(self, collection: Collection, *, compared: bool = True) -> None:
        self.shown = self.hidden = self.documents = 0
        self.compared = compared
        self._counted: dict[str, list[Floats]] = {
            name: [] for name in (*FIGURES, PAIR_IOU) if name != "mean label" or collection.graded
        }
        self._accepted: list[Floats] = []

    def add(self, block: Collection) -> None:
        """The outcomes of a block whose documents come after all others."""
        shown = Counter(annotation.highlights for document in block.documents for annotation in document.annotations)
        self.shown += shown[True]
        self.hidden += shown[False]
        self.documents += len(block.documents)
        if not self.compared:
            return
        for name, parts in self._counted.items():
            parts.append(_outcome_sums(block, name))
        accepted = [
            [
                sum(annotation.accepted for annotation in document.annotations if annotation.highlights),
                sum(len(annotation.spans) for annotation in document.annotations if annotation.highlights),
            ]
            for document in block.documents
        ]
        self._accepted.append(np.array(accepted, dtype=np.float64).reshape(-1, 2))

    def counted(self) -> dict[str, Floats]:
        """By outcome: number, sum and sum of squares, without and with highlights: shape (documents, 2, 3)."""
        return {name: np.concatenate(parts) for name, parts in self._counted.items()}

    def accepted(self) -> Floats:
        """Spans that began as a suggestion, and all spans, where highlights were shown: shape (documents, 2)."""
        return np.concatenate(self._accepted)


def highlights_of(
    outcomes: Outcomes, resamples: int = RESAMPLES, on_progress: OnAdvance = ignore_progress
) -> Highlights | None:
    """The effects, or None if highlights were shown to all, to none, or to too few to compare."""
    if not outcomes.compared or min(outcomes.shown, outcomes.hidden) < MIN_PAIRS:
        return None
    counted, accepted = outcomes.counted(), outcomes.accepted()
    statistics = {
        (name, figure): CountStatistic(counts, statistic, why=gettext_noop("nothing to compare"))
        for name, of in counted.items()
        for counts in [Dense.of(of)]
        for figure, statistic in _STATISTICS.items()
    }
    statistics["", "accepted"] = CountStatistic(
        Dense.of(accepted),
        lambda sums: quotient(sums[..., 0], sums[..., 1]),
        why=gettext_noop("no spans were created"),
    )
    results = estimates(statistics, outcomes.documents, resamples, on_progress)
    effects = [Effect(name, **{figure: results[name, figure] for figure in _STATISTICS}) for name in counted]
    differing = tuple(
        effect.name for effect in effects if effect.difference.interval and _beyond_zero(effect.difference.interval)
    )
    return Highlights(outcomes.shown, outcomes.hidden, tuple(effects), results["", "accepted"], differing)


@dataclass(frozen=True, slots=True)
class OutcomeValue:
    """One value of an outcome, from one annotator's work on a document or two annotators' (`who`: their indices)."""

    pair: int
    name: str
    who: tuple[int, ...]
    highlights: bool
    value: float


def outcome_values(collection: Collection, outcome: str) -> list[OutcomeValue]:
    """Every value that an outcome's means are computed from. Raises KeyError for an unknown outcome."""
    return [piece for document in collection.documents for piece in _document_values(collection, document, outcome)]


def _document_values(collection: Collection, document: Document, outcome: str) -> list[OutcomeValue]:
    """Two annotators are compared if both had highlights or neither had. Work for which there were none is excluded."""
    annotations = [
        (annotation, annotation.highlights) for annotation in document.annotations if annotation.highlights is not None
    ]
    rows: list[tuple[tuple[int, ...], bool, float]]
    if outcome == PAIR_IOU:
        rows = [
            ((one.annotator, other.annotator), shown, iou_of_annotations(collection, one, other))
            for (one, shown), (other, also) in combinations(annotations, 2)
            if shown == also
        ]
    else:
        figure = FIGURES[outcome]
        rows = [((annotation.annotator,), shown, figure(collection, annotation)) for annotation, shown in annotations]
    return [OutcomeValue(document.pair, document.name, *each) for each in rows if not np.isnan(each[-1])]


def _outcome_sums(collection: Collection, outcome: str) -> Floats:
    """Number, sum and sum of squares of an outcome, without and with highlights: shape (documents, 2, 3)."""
    counted = np.zeros((len(collection.documents), 2, 3))
    for index, document in enumerate(collection.documents):
        for piece in _document_values(collection, document, outcome):
            counted[index, int(piece.highlights)] += (1, piece.value, piece.value**2)
    return counted


def means_of(sums: Floats) -> Floats:
    """The means of both groups: shape (..., 2, 3) of number, sum and squares to (..., 2)."""
    return quotient(sums[..., 1], sums[..., 0])


def size_of(sums: Floats) -> Floats:
    """Cohen's d, with minus without: shape (..., 2, 3) to (...); NaN if nothing varies or a group has one value."""
    number, total, squares = sums[..., 0], sums[..., 1], sums[..., 2]
    within = np.maximum(squares - quotient(total**2, number), 0.0)
    pooled = quotient(within.sum(axis=-1), np.where(number.min(axis=-1) > 0, number.sum(axis=-1) - 2, 0.0))
    means = means_of(sums)
    return quotient(means[..., 1] - means[..., 0], np.sqrt(pooled))


_STATISTICS: Mapping[str, Statistic] = {
    "without": lambda sums: means_of(sums)[..., 0],
    "with_them": lambda sums: means_of(sums)[..., 1],
    "difference": lambda sums: means_of(sums)[..., 1] - means_of(sums)[..., 0],
    "size": size_of,
}


def _beyond_zero(interval: tuple[float, float]) -> bool:
    return interval[0] > 0 or interval[1] < 0
