"""The spans behind a number: what a person marked, and which spans of two people match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from agreement.metrics.documents import Collection
from agreement.metrics.matching import TokenSpan, span_pairs
from agreement.report.compute.disputes import Dispute
from agreement.report.compute.document_counts import LINKED, ONE_SIDED
from agreement.report.compute.statistics import run_starts

NO_SPAN = -1


@dataclass(frozen=True, slots=True)
class MatchedSpan:
    """One annotator's span, or two annotators' spans that share a token: their indices, labels and similarity.

    `tokens` are those of the first on each side; `indices` are the spans' in their annotations; `similarity` is None
    for a single span.
    """

    pair: int
    name: str
    annotators: tuple[int, ...]
    annotations: tuple[int, ...]
    indices: tuple[int, ...]
    labels: tuple[int, ...]
    tokens: tuple[tuple[int, ...], tuple[int, ...]]
    similarity: float | None = None


def is_of_kind(span: TokenSpan, kind: str) -> bool:
    """Whether a span is 'linked' or 'one-sided'; '' is any."""
    return kind not in (LINKED, ONE_SIDED) or span.linked == (kind == LINKED)


def marks(
    collection: Collection,
    *,
    annotator: int | None = None,
    label: int | None = None,
    kind: str = "",
    broken: bool = False,
) -> list[MatchedSpan]:
    """Every span that matches the filters, document by document; `broken`: only those without a token."""
    return [
        MatchedSpan(
            document.pair,
            document.name,
            (annotation.annotator,),
            (annotation.annotation,),
            (index,),
            (span.label,),
            (_sorted(span.a), _sorted(span.b)),
        )
        for document in collection.documents
        for annotation in document.annotations
        if annotator is None or annotation.annotator == annotator
        for index, span in enumerate(annotation.spans)
        if (label is None or span.label == label) and is_of_kind(span, kind) and not (broken and (span.a or span.b))
    ]


def passages(collection: Collection, *, annotator: int | None = None, label: int | None = None) -> list[MatchedSpan]:
    """Every longest passage of one label in a person's annotations; without a `label`, every marked one.

    In a scheme in which every token has a label these are the spans; in others they cover each marked token once.
    """
    result = []
    for document in collection.documents:
        for annotation in document.annotations:
            if annotator is not None and annotation.annotator != annotator:
                continue
            for side in collection.sides:
                codes = annotation.codes[side]
                begins = run_starts(codes).tolist()
                for first, last in zip(begins, [*begins[1:], len(codes)], strict=False):
                    code = int(codes[first])
                    if code == label or (label is None and code):
                        passage = tuple(range(first, last))
                        tokens = ((), passage) if side else (passage, ())
                        own = (annotation.annotator,), (annotation.annotation,), (NO_SPAN,), (code,)
                        result.append(MatchedSpan(document.pair, document.name, *own, tokens))
    return result


def sentences_with(collection: Collection, passages: Sequence[MatchedSpan]) -> int:
    """The number of sentences that passages lie in, counted separately for each annotator."""
    documents = {document.pair: document for document in collection.documents}
    return len(
        {
            (mark.pair, mark.annotators[0], side, int(documents[mark.pair].sentences[side][token]))
            for mark in passages
            for side, tokens in enumerate(mark.tokens)
            for token in tokens
        }
    )


def matches(collection: Collection, percent: int | None, kind: str = "") -> list[MatchedSpan]:
    """Every pair of spans matched at a threshold in percent, or (None) exactly; those with different labels first."""
    result = []
    for document in collection.documents:
        for one, other in combinations(document.annotations, 2):
            firsts, seconds = (
                [span for span in annotation.spans if is_of_kind(span, kind)] for annotation in (one, other)
            )
            for matched in span_pairs(firsts, seconds):
                if matched.exact if percent is None else matched.reaches(percent):
                    span = firsts[matched.one]
                    result.append(
                        MatchedSpan(
                            document.pair,
                            document.name,
                            (one.annotator, other.annotator),
                            (one.annotation, other.annotation),
                            (matched.one, matched.other),
                            matched.labels,
                            (_sorted(span.a), _sorted(span.b)),
                            matched.similarity,
                        )
                    )
    far = {mark: abs(collection.values[mark.labels[0]] - collection.values[mark.labels[1]]) for mark in result}
    return sorted(result, key=lambda mark: -far[mark])


def _sorted(tokens: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(tokens))


def filter_disputes(
    disputes: Sequence[Dispute],
    *,
    labels: tuple[int, int] | None = None,
    side: int | None = None,
    annotator: int | None = None,
    least: int = 1,
    linked: bool | None = None,
    ordered: bool = False,
    label: int | None = None,
    tenth: int | None = None,
    pairs: frozenset[int] | None = None,
) -> list[Dispute]:
    """The disputes that match: two labels (in either order, unless `ordered`), a `label` from either annotator, a side,
    an annotator, some pairs, a tenth of the text, at least `least` tokens.
    """
    return [
        dispute
        for dispute in disputes
        if (labels is None or dispute.labels == labels or (not ordered and dispute.labels == labels[::-1]))
        and (label is None or label in dispute.labels)
        and (tenth is None or dispute.tenth == tenth)
        and (pairs is None or dispute.pair in pairs)
        and (side is None or dispute.side == side)
        and (annotator is None or annotator in dispute.annotators)
        and dispute.tokens >= least
        and (linked is None or dispute.linked == linked)
    ]
