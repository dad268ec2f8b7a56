"""Every agreement figure over one collection of documents, each with its interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agreement.metrics import alpha, classification, correlation, matching
from agreement.metrics.base import metrics_for
from agreement.metrics.bootstrap import RESAMPLES, Estimate, draws
from agreement.metrics.documents import SIDES, Collection
from agreement.report.compute import measures
from agreement.report.compute.measures import Matched, Spread, Tally


@dataclass(frozen=True, slots=True)
class Figures:
    """Agreement over one collection. Figures that don't apply to the scheme (a side, an order of labels) are absent.

    `sides` and `side_alpha` are keyed by side, `fuzzy` by threshold in per cent. `confusion` counts tokens by the
    labels of two annotators (rows: the first), over all pairs of annotators. `metrics`, by name, are the registered
    ones (`agreement/metrics/base.py`).
    """

    labels: tuple[str, ...]
    documents: int
    annotators: dict[str, Tally]
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
    used = collection.shared()
    weights = draws(len(used.documents), resamples)
    pooled, labels, count = used.pooled(), len(used.labels), len(used.documents)
    confusions = classification.confusions(pooled.codes, pooled.documents, labels, count)
    totals = confusions.sum(axis=0)
    pairwise = measures.Pairwise.of(confusions, weights)
    span_pairs = measures.all_span_pairs(used)
    by_label = [classification.label_f1(matrix) for matrix in totals]
    return Figures(
        labels=used.labels,
        documents=count,
        annotators=measures.tallies(used),
        sides={SIDES[side]: measures.overlaps(used, side, weights) for side in used.sides},
        side_alpha={SIDES[side]: measures.alphas(used, weights, side) for side in used.sides},
        exact=measures.matched(used, span_pairs, None, weights),
        fuzzy={percent: measures.matched(used, span_pairs, percent, weights) for percent in matching.THRESHOLDS},
        alpha=measures.alphas(used, weights),
        macro_f1=pairwise.spread(classification.macro_f1_of, [_mean(scores) for scores in by_label], measures.NO_PAIR),
        label_f1={
            label: _label_f1(pairwise, code, [scores[code] for scores in by_label])
            for code, label in enumerate(used.labels)
        },
        cohen=pairwise.spread(classification.cohen_of, [classification.cohen(m) for m in totals], alpha.UNDEFINED),
        metrics={each.name: each.compute(used, weights) for each in metrics_for(used)},
        spearman=pairwise.spread(correlation.spearman_of, [correlation.spearman(m) for m in totals], measures.NO_PAIR)
        if used.graded
        else None,
        kendall=pairwise.spread(correlation.kendall_of, [correlation.kendall(m) for m in totals], measures.NO_PAIR)
        if used.graded
        else None,
        unitizing=measures.unitizings(used, weights),
        sentences=measures.sentence_alphas(used, weights),
        label_alpha=measures.label_alphas(used, weights),
        majority=measures.against_majority(used, weights),
        confusion=tuple(tuple(int(cell) for cell in row) for row in totals.sum(axis=0)),
    )


def _label_f1(pairwise: measures.Pairwise, code: int, points: list[float | None]) -> Spread:
    why = "nobody gave this label"
    return pairwise.spread(lambda sums: classification.label_f1_of(sums)[..., code], points, why)


def _mean(scores: list[float | None]) -> float | None:
    given = [score for score in scores if score is not None]
    return float(np.mean(given)) if given else None
