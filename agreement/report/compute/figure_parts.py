"""The parts of the figures: what is asked of the counts of documents that at least two people submitted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext_noop

from agreement.metrics import alpha, classification, correlation, overlap, unitizing
from agreement.metrics.arrays import Floats, Ints
from agreement.metrics.base import metrics_for
from agreement.metrics.bootstrap import CountStatistic, Dense, Estimate, Sparse, Stacked, mean, parts_of, terms
from agreement.metrics.documents import SIDES
from agreement.report.compute.document_counts import ALL, DocumentCounts

NO_MATCH = gettext_noop("no two spans matched")
NO_ORDER = gettext_noop("the labels of the matched spans don't vary: rank correlation is undefined")
NO_PAIR = gettext_noop("no two annotators labelled the same tokens")
NO_MAJORITY = gettext_noop("fewer than two others with a common label")
UNORDERED = gettext_noop("the labels of this scheme are not ordered")

Key = tuple[str, ...]
"""The name of a figure, in parts: ("sides", "a", "iou")."""
NamedStatistics = dict[Key, CountStatistic]


@dataclass(frozen=True, slots=True)
class AnnotatorCounts:
    """One annotator's counts in the documents used. `tokens` is summed over spans, `distinct` counts each once."""

    documents: int
    spans: int
    tokens: int
    distinct: int
    broken: int
    labels: dict[str, int]
    seconds: int


@dataclass(frozen=True, slots=True)
class Matched:
    """Matched spans: how many pairs of spans, and the rank correlation of their labels."""

    count: int
    spearman: Estimate


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean over pairs of annotators and the population standard deviation over them."""

    mean: Estimate
    sd: Estimate


def annotator_counts(counts: DocumentCounts) -> dict[str, AnnotatorCounts]:
    """Each annotator's counts, in the given order; annotators without a document are omitted."""
    result: dict[str, AnnotatorCounts] = {}
    annotations = counts.annotations
    for index, name in enumerate(counts.collection.annotators):
        own = annotations.where(annotations["person"] == index)
        if not len(own.owners):
            continue
        by_label = own["labels"].sum(axis=0, dtype=np.int64).tolist()
        result[name] = AnnotatorCounts(
            documents=len(own.owners),
            **{each: int(own[each].sum(dtype=np.int64)) for each in ("spans", "tokens", "distinct", "broken")},
            labels={label: by_label[code] for code, label in enumerate(counts.collection.labels) if code},
            seconds=int(own["seconds"].sum(dtype=np.int64)),
        )
    return result


def document_overlaps(counts: DocumentCounts, kind: str = ALL) -> Floats:
    """IoU and F1 of every document on each side, averaged over pairs of its annotators: shape (documents, sides, 2).

    NaN if nobody marked the side.
    """
    return np.concatenate([_overlaps(counts.part(part), kind) for part in parts_of(len(counts))])


def _overlaps(counts: DocumentCounts, kind: str) -> Floats:
    both, summed = np.moveaxis(counts.annotation_pairs[f"marked {kind}"].astype(np.float64), -1, 0)
    counted = np.stack([both, summed - both, summed], axis=-1)
    values = terms(np.stack([overlap.iou(counted), overlap.f1(counted)], axis=-1))
    flat = values.reshape(len(values), math.prod(values.shape[1:]))
    added = [np.bincount(counts.annotation_pairs.owners, weights=column, minlength=len(counts)) for column in flat.T]
    summed_up = np.stack([*added, np.zeros(len(counts))], axis=-1)[:, : len(added)]
    return mean(summed_up.reshape(len(counts), *values.shape[1:]))


def overlaps(counts: DocumentCounts, kind: str = ALL) -> NamedStatistics:
    """Mean IoU and F1 over documents: ("sides", side, "iou" | "f1"); and ("iou",), the mean of the sides' IoU.

    A side that nobody marked does not count.
    """
    document_sums = document_overlaps(counts, kind)
    values = terms(document_sums)
    statistics: NamedStatistics = {
        ("sides", SIDES[side], name): CountStatistic(
            Dense.of(values[:, index, column]), mean, why=gettext_noop("nobody marked anything on this side")
        )
        for index, side in enumerate(counts.collection.sides)
        for column, name in enumerate(("iou", "f1"))
    }
    statistics["iou",] = CountStatistic(
        Dense.of(values[:, :, 0]),
        lambda sums: classification.mean_defined(mean(sums)),
        why=gettext_noop("nobody marked anything"),
    )
    return statistics


def matched(counts: DocumentCounts, percent: int | None, kind: str = ALL) -> NamedStatistics:
    """Spearman's rho of the labels of matched spans, where labels are ordered: ("matched", threshold)."""
    if not counts.collection.graded:
        return {}
    total = counts.matched_total(percent, kind).astype(np.float64)
    return {
        ("matched", str(percent)): CountStatistic(
            Dense(lambda part: counts.part(part).matched(percent, kind).astype(np.float64), len(counts), exact=True),
            correlation.spearman_of,
            correlation.spearman(total) if total.any() else None,
            NO_ORDER if total.any() else NO_MATCH,
        )
    }


def matches(counts: DocumentCounts, percent: int | None, results: dict[Key, Estimate], kind: str = ALL) -> Matched:
    """The matched spans, with what was found of them."""
    count = int(counts.matched_total(percent, kind).sum())
    return Matched(count, results.get(("matched", str(percent)), Estimate(None, note=UNORDERED)))


def alphas(counts: DocumentCounts, kind: str = ALL, side: int | None = None) -> NamedStatistics:
    """Krippendorff's alpha over tokens; ordinal and interval only where the labels have numbers: ("alpha", distance).

    `side` is an index into the sides that may be marked: then ("side_alpha", side, distance).
    """
    collection, sides = counts.collection, () if side is None else (side,)
    prefix = ("alpha",) if side is None else ("side_alpha", SIDES[collection.sides[side]])
    matrices = Dense(lambda part: counts.part(part).coincidences(kind, sides), len(counts), counts.exact)
    # If the package would need too much memory, the point value comes from the same sums once they are computed.
    answers = counts.answers(kind, sides)
    return {
        (*prefix, distance): CountStatistic(
            matrices,
            lambda sums, distance=distance: alpha.alpha_of(sums, collection.values, distance),  # type: ignore[misc]
            None if answers is None else alpha.alpha_of_answers(answers, collection.values, distance),
            alpha.UNDEFINED,
        )
        for distance in alpha.DISTANCES
        if distance == "nominal" or collection.graded
    }


def label_alphas(counts: DocumentCounts) -> NamedStatistics:
    """For each label, nominal alpha over tokens for whether a token has it: ("label_alpha", label)."""
    matrices = Dense(lambda part: counts.part(part).coincidences(), len(counts), counts.exact)
    return {
        ("label_alpha", label): CountStatistic(
            matrices,
            lambda sums, code=code: alpha.alpha_of(  # type: ignore[misc]
                alpha.one_against_rest(sums, code), np.arange(2.0), "nominal"
            ),
            why=alpha.UNDEFINED,
        )
        for code, label in enumerate(counts.collection.labels)
    }


def pairwise_confusions(counts: DocumentCounts, kind: str = ALL) -> Stacked:
    """Confusions of every two annotators with a token in common: (pairs of annotators, labels, labels)."""
    having = np.flatnonzero(np.any(counts.documents["tokens"], axis=1)[counts.annotation_pairs.owners])
    pairs, group = np.unique(counts.annotation_pairs["people"][having], axis=0, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(group.ravel(), minlength=len(pairs)))[:-1]) if len(pairs) else []
    return Stacked([_confusion_rows(counts, kind, having[part]) for part in parts])


def _confusion_rows(counts: DocumentCounts, kind: str, rows: Ints) -> Sparse:
    return Sparse(counts.annotation_pairs.owners[rows], lambda part: counts.confusions(kind, rows=rows[part]))


def spread(
    name: Key,
    confusions: Stacked,
    statistic: Callable[[Floats], Floats],
    points: Sequence[float | None],
    why: str,
) -> NamedStatistics:
    """Mean and population deviation over pairs of annotators of a statistic of their confusions.

    They are called (*name, "mean") and (*name, "sd").
    `points` are the pairs' values by another implementation; None for a pair without one.
    """
    values = np.array([np.nan if point is None else point for point in points], dtype=np.float64)
    return {
        (*name, measure): CountStatistic(
            confusions,
            lambda sums, combine=combine: combine(statistic(sums)),  # type: ignore[misc]
            None if np.isnan(values).all() else float(combine(values)),
            why,
        )
        for measure, combine in (("mean", classification.mean_defined), ("sd", classification.deviation_defined))
    }


def unitizings(counts: DocumentCounts) -> NamedStatistics:
    """Unitizing alpha with labels, and for positions only, over the code points of both sides: ("unitizing", name)."""
    labels = counts.labels
    packed = Dense(lambda part: counts.part(part).unitizing(), len(counts), counts.exact)
    return {
        ("unitizing", name): CountStatistic(
            packed,
            lambda sums, binary=binary: unitizing.alpha_u_of(sums, labels, binary=binary),  # type: ignore[misc]
            why=alpha.UNDEFINED,
        )
        for name, binary in (("nominal", False), ("binary", True))
    }


def sentence_alphas(counts: DocumentCounts) -> NamedStatistics:
    """For each label, alpha over sentences for whether a sentence has a token with it: ("sentences", label)."""
    return {
        ("sentences", label): CountStatistic(
            Dense(
                lambda part, code=code: counts.part(part).sentence_coincidences(code),  # type: ignore[misc]
                len(counts),
                counts.exact,
            ),
            lambda sums: alpha.alpha_of(sums, np.arange(2.0), "nominal"),
            _sentence_alpha(counts, code),
            alpha.UNDEFINED,
        )
        for code, label in enumerate(counts.collection.labels)
    }


def _sentence_alpha(counts: DocumentCounts, code: int) -> float | None:
    answers = counts.sentence_answers(code)
    if len(answers) <= alpha.PACKAGE_UNITS:
        return alpha.alpha_of_answers(answers, np.arange(2.0), "nominal")
    return float(alpha.alpha_of(counts.sentence_total(code), np.arange(2.0), "nominal"))


def against_majority(counts: DocumentCounts) -> NamedStatistics:
    """Macro F1 of each annotator against the majority of the others: the human ceiling: ("majority", name).

    Empty for two annotators.
    """
    annotations, statistics = counts.annotations, NamedStatistics()
    for index, name in enumerate(counts.collection.annotators):
        own = annotations.where(annotations["person"] == index)
        tables = own.packed["majority"]
        if len(tables.numbers):
            statistics["majority", name] = CountStatistic(
                Sparse(own.owners, lambda part, tables=tables: tables[part].tables()),  # type: ignore[misc]
                classification.macro_f1_of,
                why=NO_MAJORITY,
            )
    return statistics


def registered_metrics(counts: DocumentCounts) -> NamedStatistics:
    """The registered metrics: ("metrics", name)."""
    return {
        ("metrics", each.name): CountStatistic(
            Dense.of(counts.documents[f"metric {each.name}"]), each.statistic, why=each.why
        )
        for each in metrics_for(counts.collection)
    }
