"""What people disagree on: passages with different labels, and the documents with the most costly ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import combinations
from math import isnan, nan

import numpy as np

from agreement.metrics.arrays import Bools
from agreement.metrics.documents import SIDES, Collection, Document, DocumentAnnotation
from agreement.metrics.matching import span_pairs
from agreement.report.compute.document_counting import counts_of
from agreement.report.compute.figure_parts import document_overlaps
from agreement.report.compute.summary_rows import PARTS_OF_TEXT


@dataclass(frozen=True, slots=True)
class Dispute:
    """A longest passage of tokens [first, last) on one side to which two annotators give different labels.

    `cost` is what it costs in agreement: its tokens, times the distance of the labels if they are graded. `linked`:
    covered by a span of either annotator with tokens on both sides. `tenth` (0 to 9) is the part of the text in which
    it begins.
    """

    pair: int
    name: str
    side: int
    annotators: tuple[int, int]
    labels: tuple[int, int]
    first: int
    last: int
    cost: float
    linked: bool
    tenth: int = 0

    @property
    def tokens(self) -> int:
        return self.last - self.first


def disputes(collection: Collection, alike: int | None = None) -> list[Dispute]:
    """Every dispute between every two annotators, most costly first.

    With `alike`, a label's code: instead the passages to which both give that label, longest first.
    """
    result = [
        dispute
        for document in collection.documents
        for one, other in combinations(document.annotations, 2)
        for side in collection.sides
        for dispute in _side_disputes(collection, document, one, other, side, alike)
    ]
    return sorted(
        result, key=lambda dispute: (-dispute.cost, -dispute.tokens, dispute.name, dispute.side, dispute.first)
    )


def _side_disputes(
    collection: Collection,
    document: Document,
    one: DocumentAnnotation,
    other: DocumentAnnotation,
    side: int,
    alike: int | None,
) -> list[Dispute]:
    first, second = one.codes[side], other.codes[side]
    differ = first != second if alike is None else (first == alike) & (second == alike)
    if not differ.any():
        return []
    both = first * len(collection.labels) + second
    begins = np.flatnonzero(np.diff(both, prepend=-1))
    ends = np.append(begins[1:], len(both))
    linked = np.logical_or.reduceat(
        _linked_tokens(one, side, len(first)) | _linked_tokens(other, side, len(first)), begins
    )
    chosen = differ[begins]
    begins, ends, linked = begins[chosen], ends[chosen], linked[chosen]
    passages = zip(*(row.tolist() for row in (begins, ends, first[begins], second[begins], linked)), strict=True)
    values = collection.values.tolist()
    result = []
    for start, end, mine, theirs, is_linked in passages:
        labels = mine, theirs
        distance = abs(values[mine] - values[theirs]) if collection.graded else 1.0
        result.append(
            Dispute(
                pair=document.pair,
                name=document.name,
                side=side,
                annotators=(one.annotator, other.annotator),
                labels=labels,
                first=start,
                last=end,
                cost=distance * (end - start),
                linked=is_linked,
                tenth=start * PARTS_OF_TEXT // len(first),
            )
        )
    return result


def _linked_tokens(annotation: DocumentAnnotation, side: int, tokens: int) -> Bools:
    mask = np.zeros(tokens, dtype=np.bool_)
    for span in annotation.spans:
        if span.linked:
            mask[list(span.b if side else span.a)] = True
    return mask


class Cause(Enum):
    """Why two annotators of a document agree little, or that they don't."""

    SAME_LABELS = auto()
    DIFFERENT_ANSWERS = auto()
    NOTHING_MARKED = auto()
    NOTHING_MARKED_LATE = auto()
    DIFFERENT_WORDS = auto()
    LONGER_SPANS = auto()
    DIFFERENT_LABELS = auto()
    ONE_SIDED_SPANS = auto()
    DIFFERENT_BOUNDARIES = auto()


@dataclass(frozen=True, slots=True)
class LikelyCause:
    """A cause, and what it is about: names of annotators, keys of labels, numbers of spans."""

    cause: Cause
    people: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DisputedDocument:
    """One document of the list: IoU per side (None if nobody marked it), spans by annotator, the most costly dispute.

    `answers`: how many questions have different answers. `empty`: someone marked nothing. `nth`: its position in each
    annotator's own order of work, from 1.
    """

    pair: int
    name: str
    iou: tuple[float | None, float | None]
    spans: tuple[tuple[str, int], ...]
    cost: float
    cause: LikelyCause
    split: str = ""
    empty: bool = False
    nth: tuple[int, ...] = ()
    answers: int = 0

    @property
    def disputed(self) -> bool:
        """Whether words have different labels, or questions different answers."""
        return self.cost > 0 or self.answers > 0


def disputed_documents(collection: Collection, disputes: Sequence[Dispute]) -> list[DisputedDocument]:
    """The documents that at least two people submitted, most disputed first: by mean IoU, then by cost and answers.

    `disputes` are the collection's disputes.
    """
    costs: defaultdict[int, float] = defaultdict(float)
    for dispute in disputes:
        costs[dispute.pair] += dispute.cost
    numbers = _numbers(collection)
    shared = collection.shared()
    found_overlaps = document_overlaps(counts_of(shared, brief=True))
    overlaps = {side: found_overlaps[:, index, 0].tolist() for index, side in enumerate(collection.sides)}
    rows = [
        _row(
            collection,
            document,
            {side: of[index] for side, of in overlaps.items()},
            costs[document.pair],
            numbers,
            likely_cause(collection, document),
        )
        for index, document in enumerate(shared.documents)
    ]
    return sorted(rows, key=lambda row: (_mean_iou(row), -row.cost, -row.answers, row.name))


def _mean_iou(row: DisputedDocument) -> float:
    values = [value for value in row.iou if value is not None]
    return sum(values) / len(values) if values else 1.0


def _numbers(collection: Collection) -> dict[int, int]:
    """The position of every annotation in its annotator's own order of work, from 1."""
    annotations = [annotation for document in collection.documents for annotation in document.annotations]
    order: Counter[int] = Counter()
    result = {}
    for annotation in sorted(annotations, key=lambda annotation: (annotation.when, annotation.annotation)):
        order[annotation.annotator] += 1
        result[annotation.annotation] = order[annotation.annotator]
    return result


def _row(
    collection: Collection,
    document: Document,
    iou: Mapping[int, float],
    cost: float,
    numbers: dict[int, int],
    cause: LikelyCause,
) -> DisputedDocument:
    a, b = (None if isnan(iou.get(side, nan)) else iou[side] for side in range(len(SIDES)))
    return DisputedDocument(
        pair=document.pair,
        name=document.name,
        iou=(a, b),
        spans=tuple(
            (collection.annotators[annotation.annotator], len(annotation.spans)) for annotation in document.annotations
        ),
        cost=cost,
        cause=cause,
        split=document.split,
        empty=document.someone_empty,
        nth=tuple(numbers[annotation.annotation] for annotation in document.annotations),
        answers=_different_answers(collection, document),
    )


def _different_answers(collection: Collection, document: Document) -> int:
    answers_by_question = (
        {annotation.answers.get(question.key) for annotation in document.annotations}
        for question in collection.questions
    )
    return sum(len(answers - {None}) > 1 for answers in answers_by_question)


def likely_cause(collection: Collection, document: Document) -> LikelyCause:
    """The likely cause of low agreement between the two annotators who disagree most."""
    one, other = max(combinations(document.annotations, 2), key=lambda pair: _differences(collection, *pair))
    names = collection.annotators[one.annotator], collection.annotators[other.annotator]
    if not _differences(collection, one, other):
        answers = _different_answers(collection, document)
        return LikelyCause(Cause.DIFFERENT_ANSWERS if answers else Cause.SAME_LABELS)
    for annotation, name in ((one, names[0]), (other, names[1])):
        if annotation.empty:
            return LikelyCause(Cause.NOTHING_MARKED, (name,))
    for late, early, name in ((one, other, names[1]), (other, one, names[0])):
        if _is_late(collection, late) and not _is_late(collection, early):
            return LikelyCause(Cause.NOTHING_MARKED_LATE, (name,))
    matched = span_pairs(one.spans, other.spans)
    if len({m.one for m in matched}) * 2 < min(len(one.spans), len(other.spans)):
        return _one_sided(collection, one, other, names) or LikelyCause(Cause.DIFFERENT_WORDS)
    sizes = sum(len(s.a) + len(s.b) for s in one.spans), sum(len(s.a) + len(s.b) for s in other.spans)
    if max(sizes) > 2 * min(sizes):
        longer = names[0] if sizes[0] > sizes[1] else names[1]
        return LikelyCause(Cause.LONGER_SPANS, (longer,))
    divided = Counter(m.labels for m in matched if m.labels[0] != m.labels[1])
    if divided and 2 * sum(divided.values()) > len(matched):
        keys = tuple(collection.labels[code] for code in divided.most_common(1)[0][0])
        return LikelyCause(Cause.DIFFERENT_LABELS, labels=keys)
    return _one_sided(collection, one, other, names) or LikelyCause(Cause.DIFFERENT_BOUNDARIES)


def _differences(collection: Collection, one: DocumentAnnotation, other: DocumentAnnotation) -> int:
    return sum(int((one.codes[side] != other.codes[side]).sum()) for side in collection.sides)


def _is_late(collection: Collection, annotation: DocumentAnnotation) -> bool:
    return any(bool(annotation.codes[side][len(annotation.codes[side]) // 2 :].any()) for side in collection.sides)


def _one_sided(
    collection: Collection, one: DocumentAnnotation, other: DocumentAnnotation, names: tuple[str, str]
) -> LikelyCause | None:
    if len(collection.sides) < 2:
        return None
    counts = tuple(sum(not span.linked for span in annotation.spans) for annotation in (one, other))
    if max(counts) < 3 or max(counts) < 2 * min(counts):
        return None
    return LikelyCause(Cause.ONE_SIDED_SPANS, names, counts=counts)
