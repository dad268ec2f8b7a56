"""Two sets of spans of one pair compared: labels or words that changed, spans added and removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agreement.metrics.matching import TokenSpan, span_pairs
from annotation.text.schemes import SIDES
from annotation.text.spans import Grid, Span, covered_indices


@dataclass(frozen=True, slots=True)
class SpanDifference:
    """A span before and after; None if it did not exist."""

    before: Span | None
    after: Span | None

    @property
    def kind(self) -> str:
        """'added', 'removed', 'label', 'words' or 'both'."""
        if self.before is None or self.after is None:
            return "added" if self.before is None else "removed"
        if sorted(self.before.fragments) == sorted(self.after.fragments):
            return "label"
        return "words" if self.before.label == self.after.label else "both"


def span_differences(before: Sequence[Span], after: Sequence[Span], a: Grid, b: Grid) -> list[SpanDifference]:
    """The differences, in text order; a changed span is matched with the most similar one (by IoU).

    Spans with the same label and fragments are unchanged, whatever their ids.
    """
    left, right = _without_common(before, after)
    grids = {"a": a, "b": b}
    one, other = ([_token_span(span, grids) for span in spans] for spans in (left, right))
    differences: list[SpanDifference] = []
    used: tuple[set[int], set[int]] = set(), set()
    for pair in sorted(span_pairs(one, other), key=lambda pair: (-pair.similarity, pair.one, pair.other)):
        if pair.one in used[0] or pair.other in used[1]:
            continue
        used[0].add(pair.one)
        used[1].add(pair.other)
        differences.append(SpanDifference(left[pair.one], right[pair.other]))
    differences.extend(SpanDifference(span, None) for index, span in enumerate(left) if index not in used[0])
    differences.extend(SpanDifference(None, span) for index, span in enumerate(right) if index not in used[1])
    return sorted(differences, key=_position)


def _without_common(before: Sequence[Span], after: Sequence[Span]) -> tuple[list[Span], list[Span]]:
    rest = list(after)
    left = []
    for span in before:
        same = next(
            (one for one in rest if (one.label, sorted(one.fragments)) == (span.label, sorted(span.fragments))), None
        )
        if same is None:
            left.append(span)
        else:
            rest.remove(same)
    return left, rest


def _token_span(span: Span, grids: dict[str, Grid]) -> TokenSpan:
    return TokenSpan(0, *(frozenset(covered_indices(span.on(side), grids[side].tokens)) for side in SIDES))


def _position(difference: SpanDifference) -> tuple[int, int]:
    fragments = [fragment for span in (difference.before, difference.after) if span for fragment in span.fragments]
    start = min((fragment.start for fragment in fragments), default=0)
    return start, 0 if difference.before else 1
