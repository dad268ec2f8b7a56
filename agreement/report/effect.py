"""What highlights do: time, spans, marks and agreement with them against without, as effect sizes with intervals.

Cohen's d with the pooled standard deviation (Cohen 1988, chapter 2): the difference of the two means, with highlights
minus without, in standard deviations. Sums, squares and counts add up over documents, so intervals are bootstrapped
over documents like every other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agreement.metrics.arrays import Floats, quotient
from agreement.metrics.bootstrap import RESAMPLES, Draws, Estimate, draws, estimate
from agreement.metrics.documents import Collection, Work, iou_of_works, mean_label, share_marked
from agreement.report.words import OUTCOMES

LEAST = 5
"""Pieces of work that each of the two groups needs before anything is compared."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One outcome: its means without and with highlights, their difference, and the difference in deviations."""

    name: str
    without: Estimate
    with_them: Estimate
    difference: Estimate
    size: Estimate


@dataclass(frozen=True, slots=True)
class Highlights:
    """All outcomes; `accepted` is the share of spans, where highlights were shown, that began as a suggestion."""

    shown: int
    hidden: int
    effects: tuple[Effect, ...]
    accepted: Estimate
    conclusion: str


def highlights(collection: Collection, resamples: int = RESAMPLES) -> Highlights | None:
    """The effects, or None where highlights were shown to all or to none (or to too few to compare)."""
    works = [work for document in collection.documents for work in document.works]
    shown = sum(work.highlights for work in works)
    hidden = len(works) - shown
    if min(shown, hidden) < LEAST:
        return None
    weights = draws(len(collection.documents), resamples)
    outcomes: tuple[tuple[str, Callable[[Work], float]], ...] = (
        ("active minutes", lambda work: work.seconds / 60 if work.seconds else float("nan")),
        ("spans", lambda work: float(len(work.spans))),
        ("share of words marked", lambda work: share_marked(collection, work)),
        ("mean label", lambda work: mean_label(collection, work)),
    )
    effects = [
        _effect(name, _of_works(collection, figure), weights)
        for name, figure in outcomes
        if name != "mean label" or collection.graded
    ]
    effects.append(_effect("IoU of two annotators", _of_pairs(collection), weights))
    begun = np.array(
        [
            [
                sum(work.accepted for work in document.works if work.highlights),
                sum(len(work.spans) for work in document.works if work.highlights),
            ]
            for document in collection.documents
        ],
        dtype=np.float64,
    )
    accepted = estimate(
        begun, lambda sums: quotient(sums[..., 0], sums[..., 1]), weights, why=gettext_noop("no span was made")
    )
    return Highlights(shown, hidden, tuple(effects), accepted, conclude(effects))


def _of_works(collection: Collection, figure: Callable[[Work], float]) -> Floats:
    """Number, sum and sum of squares of a figure, without and with highlights: shape (documents, 2, 3)."""
    counted = np.zeros((len(collection.documents), 2, 3))
    for place, document in enumerate(collection.documents):
        for work in document.works:
            _add(counted[place, int(work.highlights)], figure(work))
    return counted


def _of_pairs(collection: Collection) -> Floats:
    """As `_of_works`, of the mean IoU of every two annotators who both had highlights, or both had none."""
    counted = np.zeros((len(collection.documents), 2, 3))
    for place, document in enumerate(collection.documents):
        for one, other in combinations(document.works, 2):
            if one.highlights == other.highlights:
                _add(counted[place, int(one.highlights)], iou_of_works(collection, one, other))
    return counted


def _add(cell: Floats, value: float) -> None:
    if not np.isnan(value):
        cell += (1, value, value * value)


def _effect(name: str, counted: Floats, weights: Draws) -> Effect:
    why = "nothing to compare"
    return Effect(
        name=name,
        without=estimate(counted, lambda sums: means_of(sums)[..., 0], weights, why=why),
        with_them=estimate(counted, lambda sums: means_of(sums)[..., 1], weights, why=why),
        difference=estimate(counted, lambda sums: means_of(sums)[..., 1] - means_of(sums)[..., 0], weights, why=why),
        size=estimate(counted, size_of, weights, why=why),
    )


def means_of(sums: Floats) -> Floats:
    """The means of both groups: shape (..., 2, 3) of number, sum and squares to (..., 2)."""
    return quotient(sums[..., 1], sums[..., 0])


def size_of(sums: Floats) -> Floats:
    """Cohen's d, with minus without: shape (..., 2, 3) to (...); NaN where nothing varies or a group has one value."""
    number, total, squares = sums[..., 0], sums[..., 1], sums[..., 2]
    within = np.maximum(squares - quotient(total**2, number), 0.0)
    pooled = quotient(within.sum(axis=-1), np.where(number.min(axis=-1) > 0, number.sum(axis=-1) - 2, 0.0))
    means = means_of(sums)
    return quotient(means[..., 1] - means[..., 0], np.sqrt(pooled))


def conclude(effects: list[Effect]) -> str:
    """What may be concluded from the intervals, and what may not."""
    sure = [
        effect.name for effect in effects if effect.difference.interval and _beyond_zero(effect.difference.interval)
    ]
    if sure:
        found = _("With highlights these differ by more than chance would explain: %(outcomes)s.") % {
            "outcomes": ", ".join(str(OUTCOMES.get(name, name)) for name in sure)
        }
    else:
        found = _(
            "No outcome differs by more than chance would explain; that is no proof that highlights change nothing."
        )
    rests = _(
        "As highlights were shown on assignments drawn at random, a difference can be put down to them. It does not "
        "say which labels are better: people who agree more may have followed the same suggestion."
    )
    return f"{found} {rests}"


def _beyond_zero(interval: tuple[float, float]) -> bool:
    return interval[0] > 0 or interval[1] < 0
