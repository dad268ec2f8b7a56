"""Which spans of a person and of the reference differ, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotation.qualification.base import Word
from annotation.text.spans import Span, covered_indices
from annotation.text.tokens import Range


class DifferenceKind(StrEnum):
    """MISSED: no span of the person has a word of it; EXTRA: no span of the reference corresponds to it; OTHER_LABEL:
    some of its words have another label; OTHER_WORDS: the same label on other words around it.
    """

    MISSED = "missed"
    EXTRA = "extra"
    OTHER_LABEL = "other-label"
    OTHER_WORDS = "other-words"


@dataclass(frozen=True, slots=True)
class ReferenceDifference:
    """A span of the reference and the person's that corresponds to it, if any; for EXTRA only the person's."""

    kind: DifferenceKind
    reference: Span | None
    own: Span | None


def reference_differences(
    own: Sequence[Span], reference: Sequence[Span], tokens: Mapping[str, Sequence[Range]]
) -> list[ReferenceDifference]:
    """The differences in the order of the reference's spans, then the person's extra ones in theirs.

    To a span of the reference corresponds the person's span that shares most words with it, one with the same label
    before others. Spans without words are excluded.
    """
    marks = [(span, words) for span in own if (words := _words(span, tokens))]
    used: set[int] = set()
    differences: list[ReferenceDifference] = []
    for span in reference:
        words = _words(span, tokens)
        touching = [n for n, (_other, others) in enumerate(marks) if words & others]
        if not words:
            continue
        if not touching:
            differences.append(ReferenceDifference(DifferenceKind.MISSED, span, None))
            continue
        # More shared words first; of equal ones that with fewer other words.
        best = max(
            touching, key=lambda n: (marks[n][0].label == span.label, len(words & marks[n][1]), -len(marks[n][1]))
        )
        used.add(best)
        partner, others = marks[best]
        if partner.label != span.label:
            differences.append(ReferenceDifference(DifferenceKind.OTHER_LABEL, span, partner))
        elif others != words:
            differences.append(ReferenceDifference(DifferenceKind.OTHER_WORDS, span, partner))
    return [
        *differences,
        *(ReferenceDifference(DifferenceKind.EXTRA, None, span) for n, (span, _w) in enumerate(marks) if n not in used),
    ]


def _words(span: Span, tokens: Mapping[str, Sequence[Range]]) -> frozenset[Word]:
    return frozenset((side, index) for side in span.sides for index in covered_indices(span.on(side), tokens[side]))
