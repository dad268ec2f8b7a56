"""The parts of the figures: each takes documents that at least two people submitted, and bootstrap weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from django.utils.translation import gettext_noop

from agreement.metrics import alpha, classification, correlation, matching, overlap, unitizing
from agreement.metrics.arrays import Floats
from agreement.metrics.bootstrap import Draws, Estimate, estimate, mean, resampled, terms
from agreement.metrics.documents import Collection, marked, sentence_marks

NO_MATCH = gettext_noop("no two spans matched")
NO_ORDER = gettext_noop("the labels of the matched spans don't vary: rank correlation is undefined")
NO_PAIR = gettext_noop("no two annotators labelled the same tokens")
NO_MAJORITY = gettext_noop("fewer than two others with a common label")


@dataclass(frozen=True, slots=True)
class Tally:
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


def tallies(used: Collection) -> dict[str, Tally]:
    """Each annotator's counts, in the given order; annotators without a document are omitted."""
    result: dict[str, Tally] = {}
    for index, name in enumerate(used.annotators):
        works = [work for document in used.documents for work in document.works if work.annotator == index]
        if not works:
            continue
        spans = [span for work in works for span in work.spans]
        given = Counter(span.label for span in spans)
        result[name] = Tally(
            documents=len(works),
            spans=len(spans),
            tokens=sum(len(span.a) + len(span.b) for span in spans),
            distinct=sum(int(marked(work, side).sum()) for work in works for side in used.sides),
            broken=sum(not span.a and not span.b for span in spans),
            labels={label: given[code] for code, label in enumerate(used.labels) if code},
            seconds=sum(work.seconds for work in works),
        )
    return result


def document_overlaps(used: Collection, side: int) -> Floats:
    """IoU and F1 of every document on one side, averaged over pairs of its annotators: shape (documents, 2).

    NaN if nobody marked the side, or only one person worked on the document.
    """
    two = [pair for document in used.documents for pair in combinations(document.works, 2)]
    if not two:
        return np.full((len(used.documents), 2), np.nan)
    first, second = (np.concatenate([pair[index].codes[side] for pair in two]) > 0 for index in (0, 1))
    owners = np.repeat(np.arange(len(two)), [len(one.codes[side]) for one, _ in two])
    both, summed = (
        np.bincount(owners, weights=weights, minlength=len(two))
        for weights in (first & second, first.astype(int) + second)
    )
    counted = np.stack([both, summed - both, summed], axis=-1)
    values = terms(np.stack([overlap.iou(counted), overlap.f1(counted)], axis=-1))
    added = np.zeros((len(used.documents), 2, 2))
    pairs = [comb(len(document.works), 2) for document in used.documents]
    np.add.at(added, np.repeat(np.arange(len(pairs)), pairs), values)
    return mean(added)


def overlaps(used: Collection, side: int, weights: Draws) -> dict[str, Estimate]:
    """Mean IoU and F1 over documents, for one side."""
    values = document_overlaps(used, side)
    why = "nobody marked anything on this side"
    return {
        name: estimate(terms(values[:, column]), mean, weights, why=why) for column, name in enumerate(("iou", "f1"))
    }


def all_span_pairs(used: Collection) -> list[list[matching.SpanPair]]:
    """Every pair of spans that share a token, document by document, over all pairs of annotators."""
    return [
        [met for one, other in combinations(document.works, 2) for met in matching.span_pairs(one.spans, other.spans)]
        for document in used.documents
    ]


def matched(
    used: Collection, span_pairs: Sequence[Sequence[matching.SpanPair]], percent: int | None, weights: Draws
) -> Matched:
    """Spans matched at a threshold in per cent, or (None) exactly, and Spearman's rho of their labels."""
    chosen = [[m for m in met if (m.exact if percent is None else m.reaches(percent))] for met in span_pairs]
    count = sum(map(len, chosen))
    if not used.graded:
        return Matched(count, Estimate(None, note=gettext_noop("the labels of this scheme are not ordered")))
    tables = np.array([matching.label_table(met, len(used.labels)) for met in chosen])
    tables = tables.reshape(len(chosen), len(used.labels), len(used.labels))
    why = NO_ORDER if count else NO_MATCH
    point = correlation.spearman(tables.sum(axis=0)) if count else None
    return Matched(count, estimate(tables, correlation.spearman_of, weights, value=point, why=why))


def alphas(used: Collection, weights: Draws, *sides: int) -> dict[alpha.Distance, Estimate]:
    """Krippendorff's alpha over tokens; ordinal and interval only where the labels have numbers."""
    pooled = used.pooled(*sides)
    matrices = alpha.coincidences(pooled.codes, pooled.documents, len(used.labels), len(used.documents))
    drawn = resampled(matrices, weights)
    # If the package would need too much memory, the point value comes from the same sums once they are computed.
    packaged = pooled.codes.shape[1] <= alpha.PACKAGE_UNITS
    result: dict[alpha.Distance, Estimate] = {}
    for distance in alpha.DISTANCES:
        if distance != "nominal" and not used.graded:
            continue
        result[distance] = estimate(
            matrices,
            lambda sums, distance=distance: alpha.alpha_of(sums, used.values, distance),  # type: ignore[misc]
            weights,
            value=alpha.alpha(pooled.codes, used.values, distance) if packaged else None,
            why=alpha.UNDEFINED,
            drawn=drawn,
        )
    return result


def label_alphas(used: Collection, weights: Draws) -> dict[str, Estimate]:
    """For each label, nominal alpha over tokens for whether a token has it."""
    pooled = used.pooled()
    matrices = alpha.coincidences(pooled.codes, pooled.documents, len(used.labels), len(used.documents))
    drawn = resampled(matrices, weights)
    return {
        label: estimate(
            matrices,
            lambda sums, code=code: alpha.alpha_of(  # type: ignore[misc]
                alpha.against_the_rest(sums, code), np.arange(2.0), "nominal"
            ),
            weights,
            why=alpha.UNDEFINED,
            drawn=drawn,
        )
        for code, label in enumerate(used.labels)
    }


@dataclass(frozen=True, slots=True)
class Pairwise:
    """Confusions (documents, annotator pairs, labels, labels) and resamples of them, for many statistics."""

    confusions: Floats
    weights: Draws
    drawn: Floats

    @classmethod
    def of(cls, confusions: Floats, weights: Draws) -> Pairwise:
        return cls(confusions, weights, resampled(confusions, weights))

    def spread(self, statistic: Callable[[Floats], Floats], points: Sequence[float | None], why: str) -> Spread:
        """Mean and deviation over annotator pairs of a statistic of their confusions.

        `points` are the pairs' values by another implementation; None for a pair without one.
        """
        values = np.array([np.nan if point is None else point for point in points])
        return Spread(
            *(
                estimate(
                    self.confusions,
                    lambda sums, over=over: over(statistic(sums)),  # type: ignore[misc]
                    self.weights,
                    value=None if np.isnan(values).all() else float(over(values)),
                    why=why,
                    drawn=self.drawn,
                )
                for over in (classification.mean_defined, classification.deviation_defined)
            )
        )


def unitizings(used: Collection, weights: Draws) -> dict[str, Estimate]:
    """Unitizing alpha with labels, and for positions only, over the code points of both sides."""
    labels = len(used.labels)
    packed = np.zeros((len(used.documents), labels * labels + labels))
    for row, document in zip(packed, used.documents, strict=True):
        for side in used.sides:
            units = [work.units[side] for work in document.works]
            row += unitizing.continuum(units, document.lengths[side], labels).packed
    drawn = resampled(packed, weights)
    return {
        name: estimate(
            packed,
            lambda sums, binary=binary: unitizing.alpha_u_of(sums, labels, binary=binary),  # type: ignore[misc]
            weights,
            why=alpha.UNDEFINED,
            drawn=drawn,
        )
        for name, binary in (("nominal", False), ("binary", True))
    }


def sentence_alphas(used: Collection, weights: Draws) -> dict[str, Estimate]:
    """For each label, alpha over sentences for whether a sentence has a token with it."""
    result = {}
    for code, label in enumerate(used.labels):
        codes, documents = sentence_marks(used, code)
        result[label] = estimate(
            alpha.coincidences(codes, documents, 2, len(used.documents)),
            lambda sums: alpha.alpha_of(sums, np.arange(2.0), "nominal"),
            weights,
            value=alpha.alpha(codes, np.arange(2.0), "nominal"),
            why=alpha.UNDEFINED,
        )
    return result


def against_majority(used: Collection, weights: Draws) -> dict[str, Estimate]:
    """Macro F1 of each annotator against the majority of the others: the human ceiling. Empty for two annotators."""
    pooled = used.pooled()
    matrices = classification.against_majority(pooled.codes, pooled.documents, len(used.labels), len(used.documents))
    return {
        name: estimate(matrices[:, index], classification.macro_f1_of, weights, why=NO_MAJORITY)
        for index, name in enumerate(used.annotators)
        if matrices[:, index].any()
    }
