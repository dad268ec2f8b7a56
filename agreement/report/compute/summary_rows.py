"""The figures of one table row: a pair of annotators, a language pair, a phase or a kind of span."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode

import numpy as np
from django.utils.translation import gettext_noop

from agreement.metrics import classification, overlap
from agreement.metrics.alpha import Distance
from agreement.metrics.bootstrap import (
    RESAMPLES,
    CountStatistic,
    Dense,
    Estimate,
    estimates,
)
from agreement.metrics.documents import SIDES, Collection
from agreement.report import name_lists
from agreement.report.compute import figure_parts
from agreement.report.compute.document_counting import counts_of
from agreement.report.compute.document_counts import ALL, KIND_THRESHOLD, DocumentCounts
from agreement.report.compute.figure_parts import Matched
from agreement.report.compute.figures import figures_named
from annotation.progress import OnAdvance, ignore_progress

PARTS_OF_TEXT = 10
"""The number of equal parts of a text for agreement by position."""


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One row, with figures as in `Figures` over the row's documents.

    `name` is the value that the documents share, '' if they have none; the rows of two annotators have them in `people`
    instead. `filters` narrow the agreement pages to the row, as a query string: 'annotators=A1%2CA2'.
    """

    name: str
    documents: int
    sides: dict[str, dict[str, Estimate]]
    alpha: dict[Distance, Estimate]
    macro_f1: Estimate
    cohen: Estimate
    matched: Matched
    filters: str = ""
    people: tuple[str, ...] = ()

    @property
    def marked(self) -> bool:
        """Whether anybody marked a token in the row; overlap is undefined otherwise."""
        return any(each.value is not None for measures in self.sides.values() for each in measures.values())


def summary_row(name: str, collection: Collection, resamples: int = RESAMPLES, *, filters: str = "") -> SummaryRow:
    """The row of one collection; only documents that at least two people submitted count."""
    return row_of(name, counts_of(collection, brief=True), resamples, filters=filters)


def row_of(
    name: str,
    counts: DocumentCounts,
    resamples: int = RESAMPLES,
    *,
    kind: str = ALL,
    filters: str = "",
    on_progress: OnAdvance = ignore_progress,
) -> SummaryRow:
    """As `summary_row`, from the counts of documents; of one kind of spans."""
    confusions = figure_parts.pairwise_confusions(counts, kind)
    statistics: figure_parts.NamedStatistics = {
        **figure_parts.overlaps(counts, kind),
        **figure_parts.alphas(counts, kind),
        **figure_parts.matched(counts, KIND_THRESHOLD, kind),
        ("macro_f1",): CountStatistic(
            confusions,
            lambda sums: classification.mean_defined(classification.macro_f1_of(sums)),
            why=figure_parts.NO_PAIR,
        ),
        ("cohen",): CountStatistic(
            confusions,
            lambda sums: classification.mean_defined(classification.cohen_of(sums)),
            why=figure_parts.NO_PAIR,
        ),
    }
    results = estimates(statistics, len(counts), resamples, on_progress)
    return SummaryRow(
        name=name,
        documents=len(counts),
        sides={SIDES[side]: figures_named(results, "sides", SIDES[side]) for side in counts.collection.sides},
        alpha=figures_named(results, "alpha"),
        macro_f1=results["macro_f1",],
        cohen=results["cohen",],
        matched=figure_parts.matches(counts, KIND_THRESHOLD, results, kind),
        filters=filters,
    )


def by_annotator_pair(collection: Collection) -> list[SummaryRow]:
    """A row for every two annotators with a document in common."""
    rows = []
    for pair in collection.annotator_pairs():
        people = tuple(collection.annotators[index] for index in pair)
        filters = urlencode({"annotators": name_lists.join_names(people)})
        rows.append(replace(summary_row("", collection.among(pair), filters=filters), people=people))
    return rows


def by_column(
    counts: DocumentCounts, field: str, column: str, on_progress: OnAdvance = ignore_progress
) -> list[SummaryRow]:
    """A row for each value of a column of the documents, in order; empty if there is only one value.

    `field` is the column's name in URLs.
    """
    values = counts.documents[column]
    names = sorted(set(values.tolist()))
    if len(names) < 2:
        return []
    return [
        row_of(name, counts.of(values == name), filters=urlencode({field: name}), on_progress=on_progress)
        for name in names
    ]


def by_kind_of_span(counts: DocumentCounts, on_progress: OnAdvance = ignore_progress) -> list[SummaryRow]:
    """Every figure separately for linked and one-sided spans; empty if the scheme has only one side.

    A document counts if two people submitted it, even if it has no spans of the kind.
    """
    kinds = [kind for kind in counts.kinds if kind != ALL]
    return [
        row_of(kind, counts, kind=kind, filters=urlencode({"kind": kind}), on_progress=on_progress) for kind in kinds
    ]


def by_position(collection: Collection) -> list[Estimate]:
    """IoU of marked tokens in each tenth of the texts, tokens pooled over documents, annotator pairs and sides."""
    used = collection.shared()
    pooled, count = used.pooled(), len(used.documents)
    tenths = np.minimum((pooled.position * PARTS_OF_TEXT).astype(np.int64), PARTS_OF_TEXT - 1)
    counted = np.zeros((count, PARTS_OF_TEXT, 3))
    for one, other in used.annotator_pairs():
        first, second = pooled.codes[one], pooled.codes[other]
        both_saw = (first >= 0) & (second >= 0)
        cells = (pooled.documents * PARTS_OF_TEXT + tenths)[both_saw]
        marks = first[both_saw] > 0, second[both_saw] > 0
        for column, of in enumerate((marks[0] & marks[1], marks[0] | marks[1])):
            counted[..., column] += np.bincount(cells[of], minlength=count * PARTS_OF_TEXT).reshape(count, -1)
    statistics = {
        tenth: CountStatistic(
            Dense.of(counted[:, tenth]),
            overlap.iou,
            why=gettext_noop("nobody marked anything here"),
        )
        for tenth in range(PARTS_OF_TEXT)
    }
    return list(estimates(statistics, count).values())
