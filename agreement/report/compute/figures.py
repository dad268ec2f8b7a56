"""Every agreement figure over one collection of documents, each with its interval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext_noop

from agreement.metrics import alpha, classification, correlation, matching
from agreement.metrics.bootstrap import RESAMPLES, Estimate, estimates
from agreement.metrics.documents import SIDES, Collection
from agreement.report.compute import figure_parts
from agreement.report.compute.document_counting import counts_of
from agreement.report.compute.document_counts import DocumentCounts
from agreement.report.compute.figure_parts import AnnotatorCounts, Key, Matched, NamedStatistics, Spread
from annotation.progress import OnAdvance, ignore_progress


@dataclass(frozen=True, slots=True)
class Figures:
    """Agreement over one collection. Figures that don't apply to the scheme (a side, an order of labels) are absent.

    `iou` is the mean of the sides' IoU. `sides` and `side_alpha` are keyed by side, `fuzzy` by threshold in percent.
    `confusion` counts tokens by the labels of two annotators (rows: the first), over all pairs of annotators.
    `metrics`, by name, are the registered ones (`agreement/metrics/base.py`).
    """

    labels: tuple[str, ...]
    documents: int
    annotators: dict[str, AnnotatorCounts]
    iou: Estimate
    sides: dict[str, dict[str, Estimate]]
    side_alpha: dict[str, dict[alpha.Distance, Estimate]]
    exact: Matched
    fuzzy: dict[int, Matched]
    alpha: dict[alpha.Distance, Estimate]
    macro_f1: Spread
    label_f1: dict[str, Spread]
    cohen: Spread
    metrics: dict[str, Estimate]
    spearman: Spread | None
    kendall: Spread | None
    unitizing: dict[str, Estimate]
    sentences: dict[str, Estimate]
    label_alpha: dict[str, Estimate]
    majority: dict[str, Estimate]
    confusion: tuple[tuple[int, ...], ...]


def figures(collection: Collection, resamples: int = RESAMPLES) -> Figures:
    """Compute everything over the documents of `collection` that at least two people submitted."""
    return figures_of(counts_of(collection), resamples)


def figures_of(counts: DocumentCounts, resamples: int = RESAMPLES, on_progress: OnAdvance = ignore_progress) -> Figures:
    """As `figures`, from the counts of the documents; `on_progress` is called from time to time."""
    collection = counts.collection
    confusions = figure_parts.pairwise_confusions(counts)
    totals = confusions.total() if confusions.parts else np.zeros((0, counts.labels, counts.labels))
    by_label = [classification.label_f1(matrix) for matrix in totals]
    thresholds = (None, *matching.THRESHOLDS)
    statistics: NamedStatistics = {
        **figure_parts.overlaps(counts),
        **figure_parts.alphas(counts),
        **figure_parts.label_alphas(counts),
        **figure_parts.unitizings(counts),
        **figure_parts.sentence_alphas(counts),
        **figure_parts.against_majority(counts),
        **figure_parts.registered_metrics(counts),
        **figure_parts.spread(
            ("macro_f1",),
            confusions,
            classification.macro_f1_of,
            [_mean(each) for each in by_label],
            figure_parts.NO_PAIR,
        ),
        **figure_parts.spread(
            ("cohen",), confusions, classification.cohen_of, [classification.cohen(m) for m in totals], alpha.UNDEFINED
        ),
    }
    for side in range(len(collection.sides)):
        statistics |= figure_parts.alphas(counts, side=side)
    for percent in thresholds:
        statistics |= figure_parts.matched(counts, percent)
    for code, label in enumerate(collection.labels):
        statistics |= figure_parts.spread(
            ("label_f1", label),
            confusions,
            lambda sums, code=code: classification.label_f1_of(sums)[..., code],  # type: ignore[misc]
            [scores[code] for scores in by_label],
            gettext_noop("nobody gave this label"),
        )
    if collection.graded:
        for name, point, of in (
            ("spearman", correlation.spearman, correlation.spearman_of),
            ("kendall", correlation.kendall, correlation.kendall_of),
        ):
            statistics |= figure_parts.spread(
                (name,), confusions, of, [point(matrix) for matrix in totals], figure_parts.NO_PAIR
            )
    results = estimates(statistics, len(counts), resamples, on_progress)
    return Figures(
        labels=collection.labels,
        documents=len(counts),
        annotators=figure_parts.annotator_counts(counts),
        iou=results["iou",],
        sides={SIDES[side]: figures_named(results, "sides", SIDES[side]) for side in collection.sides},
        side_alpha={SIDES[side]: figures_named(results, "side_alpha", SIDES[side]) for side in collection.sides},
        exact=figure_parts.matches(counts, None, results),
        fuzzy={percent: figure_parts.matches(counts, percent, results) for percent in matching.THRESHOLDS},
        alpha=figures_named(results, "alpha"),
        macro_f1=_spread(results, "macro_f1"),
        label_f1={label: _spread(results, "label_f1", label) for label in collection.labels},
        cohen=_spread(results, "cohen"),
        metrics=figures_named(results, "metrics"),
        spearman=_spread(results, "spearman") if collection.graded else None,
        kendall=_spread(results, "kendall") if collection.graded else None,
        unitizing=figures_named(results, "unitizing"),
        sentences=figures_named(results, "sentences"),
        label_alpha=figures_named(results, "label_alpha"),
        majority=figures_named(results, "majority"),
        confusion=tuple(tuple(int(cell) for cell in row) for row in totals.sum(axis=0)),
    )


def figures_named(results: Mapping[Key, Estimate], *prefix: str) -> dict[Any, Estimate]:
    """The figures whose names begin with `prefix`, by the last part of their names."""
    size = len(prefix)
    return {key[-1]: each for key, each in results.items() if key[:size] == prefix and len(key) == size + 1}


def _spread(results: Mapping[Key, Estimate], *name: str) -> Spread:
    return Spread(results[(*name, "mean")], results[(*name, "sd")])


def _mean(scores: list[float | None]) -> float | None:
    defined = [score for score in scores if score is not None]
    return float(np.mean(defined)) if defined else None
