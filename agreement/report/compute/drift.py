"""Change over time: whether agreement or marking changes as people work, and whether people are consistent.

Trends are Kendall's tau-b between a document's position in a person's own order of work and a figure of that document,
with scipy's two-sided p-value. This assumes that a person's documents are independent of each other and came in an
order unrelated to their difficulty; if a plan sorts documents, a trend may be due to the plan.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import numpy as np
from django.utils.translation import gettext_noop

from agreement.metrics import alpha, classification
from agreement.metrics.arrays import Floats, quotient
from agreement.metrics.bootstrap import LEVEL, Estimate, draws, estimate, rough
from agreement.metrics.documents import (
    Collection,
    Document,
    DocumentAnnotation,
    iou_of_annotations,
    mean_label,
    share_marked,
    share_of_marked,
)
from agreement.report.compute.summary_rows import SummaryRow, summary_row

UNTESTED = gettext_noop("not tested: at least 8 documents with differing figures are needed")
FIRST, AGAIN = "first", "again"
NO_INTERVAL = gettext_noop("more than 2,000 documents: no interval")
MIN_TREND_DOCUMENTS = 8
"""Below this many documents a trend is not tested."""
MAX_DOCUMENTS = 2000
POINTS = 60


Figure = Callable[[DocumentAnnotation, Document], float]
"""A figure of one document, from one annotator's marks."""


@dataclass(frozen=True, slots=True)
class Trend:
    """A figure over one person's documents in order: tau-b and p (None: too few, or no variation), and both halves."""

    documents: int
    tau: Estimate
    p: float | None
    first_half: float | None
    second_half: float | None


@dataclass(frozen=True, slots=True)
class Drift:
    """One annotator: IoU with the others, the share of tokens marked, and how the labels are used.

    The latter is the mean label of marked tokens if labels are graded, otherwise each label's share of the marked
    tokens.
    """

    name: str
    agreement: Trend
    marked: Trend
    label: Trend | None
    shares: dict[str, Trend]


def trend_figures(collection: Collection) -> dict[str, Figure]:
    """The figures of one document that have trends, by the name used in URLs; NaN if there is none.

    'agreement', 'marked', and how labels are used: 'label' if they are graded, otherwise 'share-LABEL' for each label.
    """
    figures: dict[str, Figure] = {
        "agreement": lambda annotation, document: _with_others(collection, annotation, document),
        "marked": lambda annotation, _document: share_marked(collection, annotation),
    }
    if collection.graded:
        figures["label"] = lambda annotation, _document: mean_label(collection, annotation)
    elif len(collection.labels) > 2:
        for code, label in list(enumerate(collection.labels))[1:]:
            figures[share_of(label)] = lambda annotation, _document, code=code: share_of_marked(  # type: ignore[misc]
                collection, annotation, code
            )
    return figures


def share_of(label: str) -> str:
    """The name of the figure 'share of this label among the marked tokens'."""
    return f"share-{label}"


def own_documents(collection: Collection, annotator: int) -> list[tuple[DocumentAnnotation, Document]]:
    """One annotator's documents, in the order of their work."""
    done = [
        (annotation, document)
        for document in collection.documents
        for annotation in document.annotations
        if annotation.annotator == annotator
    ]
    return sorted(done, key=lambda each: (each[0].when, each[0].annotation))


def drifts(collection: Collection) -> list[Drift]:
    """Every annotator's trends, over the documents they submitted, in the order of their work."""
    result = []
    figures = trend_figures(collection)
    for annotator, name in enumerate(collection.annotators):
        if done := own_documents(collection, annotator):
            trends = {key: trend(np.array([figure(*each) for each in done])) for key, figure in figures.items()}
            result.append(
                Drift(
                    name=name,
                    agreement=trends["agreement"],
                    marked=trends["marked"],
                    label=trends.get("label"),
                    shares={label: trends[share_of(label)] for label in collection.labels if share_of(label) in trends},
                )
            )
    return result


def trend(values: Floats) -> Trend:
    """The trend of values (documents,) in their order; NaN is a document without the figure, which is skipped."""
    order = np.flatnonzero(~np.isnan(values))
    series = values[order]
    half = len(series) // 2
    first = float(series[:half].mean()) if half else None
    second = float(series[half:].mean()) if len(series) else None
    if len(series) < MIN_TREND_DOCUMENTS or np.ptp(series) == 0:
        return Trend(len(series), Estimate(None, documents=len(series), note=UNTESTED), None, first, second)
    from scipy import stats

    tau = stats.kendalltau(order, series)
    return Trend(len(series), tau_interval(series, float(tau.statistic)), float(tau.pvalue), first, second)


def tau_interval(values: Floats, tau: float) -> Estimate:
    """Tau-b of values in their order, with its bootstrap interval: documents are drawn with their positions.

    A draw's tau-b is a sum over pairs of documents, each weighted by how often both were drawn; a document paired with
    itself is a tie in both. The sums are matrix products, for up to MAX_DOCUMENTS documents.
    """
    if len(values) > MAX_DOCUMENTS:
        return Estimate(tau, documents=len(values), note=NO_INTERVAL)
    positions = np.sign(np.subtract.outer(np.arange(len(values)), np.arange(len(values))))
    signs = np.sign(np.subtract.outer(values, values))
    weights = draws(len(values)).astype(np.float64)
    together, apart, varied = (
        np.einsum("ri,ri->r", weights @ pairs, weights)
        for pairs in (positions * signs, np.abs(positions), np.abs(signs))
    )
    drawn = quotient(together, np.sqrt(apart * varied))
    low, high = np.nanpercentile(drawn, [50 * (1 - LEVEL), 50 * (1 + LEVEL)])
    return Estimate(tau, float(low), float(high), len(values), rough(len(values)))


def _with_others(collection: Collection, annotation: DocumentAnnotation, document: Document) -> float:
    """Mean IoU with all others' work on the document; NaN if nobody else worked on it or marked anything."""
    values = [
        iou_of_annotations(collection, annotation, other)
        for other in document.annotations
        if other.annotator != annotation.annotator
    ]
    return float(classification.mean_defined(np.array(values))) if values else float("nan")


@dataclass(frozen=True, slots=True)
class GrowthPoint:
    """Nominal alpha after the first `documents` shared documents, the last of which is `pair`."""

    documents: int
    pair: int
    alpha: Estimate


def growth(collection: Collection) -> list[GrowthPoint]:
    """Agreement over time, in the order in which documents were completed, at up to POINTS evenly spaced documents.

    Each interval is a bootstrap over the documents up to that point.
    """
    used = collection.shared()
    pooled, labels = used.pooled(), len(used.labels)
    matrices = alpha.coincidences(pooled.codes, pooled.documents, labels, len(used.documents))
    order = _in_order_of_completion(used)
    matrices = matrices[order]
    points = []
    for count in sorted(set(np.linspace(1, len(order), min(len(order), POINTS)).astype(int).tolist())):
        value = estimate(
            matrices[:count],
            lambda sums: alpha.alpha_of(sums, used.values, "nominal"),
            draws(count),
            why=alpha.UNDEFINED,
        )
        if value.value is not None:
            points.append(GrowthPoint(count, used.documents[order[count - 1]].pair, value))
    return points


def _in_order_of_completion(used: Collection) -> list[int]:
    last = [max(annotation.when for annotation in document.annotations) for document in used.documents]
    return sorted(range(len(last)), key=lambda index: last[index])


def repeats(collection: Collection, resamples: int = 1000) -> list[SummaryRow]:
    """Intra-annotator agreement: each person's first annotation of a pair against their re-test of it.

    `collection` has all rounds. One row per person with re-tests; further rounds are compared with the first.
    """
    rows = []
    for index, name in enumerate(collection.annotators):
        paired = first_annotations_and_retests(collection, index)
        if paired.documents:
            rows.append(summary_row(name, paired, resamples, filters=urlencode({"again": name})))
    return rows


def first_annotations_and_retests(collection: Collection, index: int) -> Collection:
    """One annotator's first annotation of every pair and their re-tests of it, as if two people had done them."""
    documents = []
    for document in collection.documents:
        own = sorted(
            (annotation for annotation in document.annotations if annotation.annotator == index),
            key=lambda annotation: annotation.round,
        )
        documents += [
            replace(document, annotations=(replace(own[0], annotator=0, round=0), replace(later, annotator=1, round=0)))
            for later in own[1:]
        ]
    return replace(collection.of(documents), annotators=(FIRST, AGAIN), _pooled={})
