"""The figures of one table row: a pair of annotators, a language pair, a phase or a kind of span."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agreement.metrics import classification, overlap
from agreement.metrics.alpha import Distance
from agreement.metrics.bootstrap import RESAMPLES, Estimate, draws, estimate, resampled
from agreement.metrics.documents import SIDES, Collection, Document
from agreement.metrics.matching import TokenSpan
from agreement.report import name_lists
from agreement.report.compute import measures
from agreement.report.compute.measures import Matched

PARTS_OF_TEXT = 10
"""The number of equal parts of a text for agreement by position."""


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One row, called `name`, with figures as in `Figures` over the row's documents.

    `filters` narrow the agreement pages to the row, as a query string: 'annotators=A1%2CA2'.
    """

    name: str
    documents: int
    sides: dict[str, dict[str, Estimate]]
    alpha: dict[Distance, Estimate]
    macro_f1: Estimate
    cohen: Estimate
    matched: Matched
    filters: str = ""


def summary_row(name: str, collection: Collection, resamples: int = RESAMPLES, *, filters: str = "") -> SummaryRow:
    """The row of one collection; only documents that at least two people submitted count."""
    used = collection.shared()
    weights = draws(len(used.documents), resamples)
    pooled, labels, count = used.pooled(), len(used.labels), len(used.documents)
    confusions = classification.confusions(pooled.codes, pooled.documents, labels, count)
    drawn = resampled(confusions, weights)
    return SummaryRow(
        name=name,
        documents=count,
        sides={SIDES[side]: measures.overlaps(used, side, weights) for side in used.sides},
        alpha=measures.alphas(used, weights),
        macro_f1=estimate(
            confusions,
            lambda sums: classification.mean_defined(classification.macro_f1_of(sums)),
            weights,
            why=measures.NO_PAIR,
            drawn=drawn,
        ),
        cohen=estimate(
            confusions,
            lambda sums: classification.mean_defined(classification.cohen_of(sums)),
            weights,
            why=measures.NO_PAIR,
            drawn=drawn,
        ),
        matched=measures.matched(used, measures.all_span_pairs(used), 50, weights),
        filters=filters,
    )


def by_annotator_pair(collection: Collection) -> list[SummaryRow]:
    """A row for every two annotators with a document in common."""
    rows = []
    for pair in collection.annotator_pairs():
        one, other = (collection.annotators[index] for index in pair)
        name = _("%(one)s and %(other)s") % {"one": one, "other": other}
        filters = urlencode({"annotators": name_lists.joined((one, other))})
        rows.append(summary_row(name, collection.among(pair), filters=filters))
    return rows


def by(collection: Collection, field: str, key: Callable[[Document], str]) -> list[SummaryRow]:
    """A row for each value of a document's `key`, in order; empty if there is only one value.

    `field` is the key's name in URLs.
    """
    names = sorted({key(document) for document in collection.documents})
    if len(names) < 2:
        return []
    return [
        summary_row(
            name or _("none"),
            collection.keep(lambda document, name=name: key(document) == name),  # type: ignore[misc]
            filters=urlencode({field: name}),
        )
        for name in names
    ]


def languages(document: Document) -> str:
    """The language pair of a document: 'EN-DE'."""
    return "-".join(language.upper() for language in document.languages)


def by_kind_of_span(collection: Collection) -> list[SummaryRow]:
    """Every figure separately for linked and one-sided spans; empty if the scheme has only one side.

    A document counts if two people submitted it, even if it has no spans of the kind.
    """
    if len(collection.sides) < 2:
        return []
    kinds: Sequence[tuple[str, Callable[[TokenSpan], bool]]] = (
        ("linked", lambda span: span.linked),
        ("one-sided", lambda span: not span.linked),
    )
    return [
        summary_row(name, collection.spans_where(wanted), filters=urlencode({"kind": name})) for name, wanted in kinds
    ]


def by_position(collection: Collection) -> list[Estimate]:
    """IoU of marked tokens in each tenth of the texts, tokens pooled over documents, annotator pairs and sides."""
    used = collection.shared()
    pooled, count = used.pooled(), len(used.documents)
    weights = draws(count)
    tenths = np.minimum((pooled.position * PARTS_OF_TEXT).astype(np.int64), PARTS_OF_TEXT - 1)
    counted = np.zeros((count, PARTS_OF_TEXT, 3))
    for one, other in used.annotator_pairs():
        first, second = pooled.codes[one], pooled.codes[other]
        both_saw = (first >= 0) & (second >= 0)
        cells = (pooled.documents * PARTS_OF_TEXT + tenths)[both_saw]
        marks = first[both_saw] > 0, second[both_saw] > 0
        for column, of in enumerate((marks[0] & marks[1], marks[0] | marks[1])):
            counted[..., column] += np.bincount(cells[of], minlength=count * PARTS_OF_TEXT).reshape(count, -1)
    return [
        estimate(counted[:, tenth], overlap.iou, weights, why=gettext_noop("nobody marked anything here"))
        for tenth in range(PARTS_OF_TEXT)
    ]
