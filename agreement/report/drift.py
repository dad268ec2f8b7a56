"""Change over time: whether people agree or mark differently the longer they work, and whether they repeat themselves.

Trends are Kendall's tau-b between a document's number in a person's own order of work and a figure of that document,
with scipy's two-sided p-value. It assumes that the documents of one person are independent of each other and came in an
order that has nothing to do with how hard they are; where a plan sorts documents, a trend may be the plan's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode

import numpy as np
from django.utils.translation import gettext_lazy
from scipy import stats

from agreement.metrics import alpha, classification
from agreement.metrics.arrays import Floats
from agreement.metrics.documents import Collection, Document, Work, iou_of_works, mean_label, share_marked
from agreement.report.brief import Brief, brief

ASSUMPTION = gettext_lazy(
    "Kendall's τ-b between the number of a document in the annotator's own order and its figure; it assumes "
    "independent documents in an order that has nothing to do with how hard they are."
)
UNTESTED = gettext_lazy("not tested: it takes 8 documents and figures that differ")
FIRST, AGAIN = "first", "again"
ENOUGH = 8
"""Below this many documents a trend is not tested."""


@dataclass(frozen=True, slots=True)
class Trend:
    """A figure's course over one person's documents: tau-b and p (None: too few, or no variation), and both halves."""

    documents: int
    tau: float | None
    p: float | None
    first_half: float | None
    second_half: float | None


@dataclass(frozen=True, slots=True)
class Drift:
    """One annotator: IoU with the others, the share of tokens marked, and the mean label of marked tokens."""

    name: str
    agreement: Trend
    marked: Trend
    label: Trend | None


def drifts(collection: Collection) -> list[Drift]:
    """Every annotator's trends, over the documents they handed in, in the order of their work."""
    result = []
    for place, name in enumerate(collection.annotators):
        done = [
            (work, document) for document in collection.documents for work in document.works if work.annotator == place
        ]
        done.sort(key=lambda each: (each[0].when, each[0].annotation))
        if not done:
            continue
        result.append(
            Drift(
                name=name,
                agreement=trend(np.array([_with_others(collection, *each) for each in done])),
                marked=trend(np.array([share_marked(collection, work) for work, _ in done])),
                label=trend(np.array([mean_label(collection, work) for work, _ in done]))
                if collection.graded
                else None,
            )
        )
    return result


def trend(values: Floats) -> Trend:
    """The trend of values (documents,) in their order; NaN is a document without a figure and is left out."""
    order = np.flatnonzero(~np.isnan(values))
    given = values[order]
    half = len(given) // 2
    first = float(given[:half].mean()) if half else None
    second = float(given[half:].mean()) if len(given) else None
    if len(given) < ENOUGH or np.ptp(given) == 0:
        return Trend(len(given), None, None, first, second)
    found = stats.kendalltau(order, given)
    return Trend(len(given), float(found.statistic), float(found.pvalue), first, second)


def _with_others(collection: Collection, work: Work, document: Document) -> float:
    """Mean IoU with everybody else's work on the document; NaN where nobody else worked on it or marked anything."""
    values = [iou_of_works(collection, work, other) for other in document.works if other.annotator != work.annotator]
    return float(classification.mean_defined(np.array(values))) if values else float("nan")


def growth(collection: Collection) -> list[tuple[int, float]]:
    """Nominal alpha after the first n shared documents, in the order in which their last work came in."""
    used = collection.shared()
    pooled, labels = used.pooled(), len(used.labels)
    matrices = alpha.coincidences(pooled.codes, pooled.documents, labels, len(used.documents))
    summed = np.cumsum(matrices[_as_they_came(used)], axis=0)
    values = alpha.alpha_of(summed, used.values, "nominal") if len(summed) else np.zeros(0)
    return [(n, float(value)) for n, value in enumerate(values, 1) if not np.isnan(value)]


def _as_they_came(used: Collection) -> list[int]:
    last = [max(work.when for work in document.works) for document in used.documents]
    return sorted(range(len(last)), key=lambda place: last[place])


def grown_by(collection: Collection) -> list[int]:
    """The pairs of the shared documents, in the order in which `growth` counts them."""
    used = collection.shared()
    return [used.documents[place].pair for place in _as_they_came(used)]


def repeats(collection: Collection, resamples: int = 1000) -> list[Brief]:
    """Intra-annotator agreement: each person's first work on a pair against their re-test of it.

    `collection` holds all rounds. A row a person with re-tests; further rounds are compared with the first.
    """
    rows = []
    for place, name in enumerate(collection.annotators):
        paired = again(collection, place)
        if paired.documents:
            rows.append(brief(name, paired, resamples, behind=urlencode({"again": name})))
    return rows


def again(collection: Collection, place: int) -> Collection:
    """One annotator's first work on every pair and their re-tests of it, as if two people had done them."""
    documents = []
    for document in collection.documents:
        own = sorted((work for work in document.works if work.annotator == place), key=lambda work: work.round)
        documents += [
            replace(document, works=(replace(own[0], annotator=0, round=0), replace(later, annotator=1, round=0)))
            for later in own[1:]
        ]
    return replace(collection.of(documents), annotators=(FIRST, AGAIN), _pooled={})
