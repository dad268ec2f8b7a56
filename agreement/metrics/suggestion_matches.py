"""How much work suggestions save: human spans that a suggestion matches exactly, or except for one change."""

from collections.abc import Collection, Mapping, Sequence

from annotation.text.schemes import Side
from annotation.text.spans import token_ranges

TokensBySide = Mapping[Side, Collection[int]]
"""The tokens of a span by side."""

_Runs = tuple[tuple[str, int, int], ...]


def count_matched_spans(spans: Sequence[TokensBySide], suggestions: Sequence[TokensBySide]) -> tuple[int, int]:
    """How many spans are suggested exactly, and how many others except for one change.

    One change moves one end of a fragment, or adds or removes a fragment. A suggestion saves at most one span, and a
    span is saved only once.
    """
    open_spans = [_runs(each) for each in spans]
    left = [_runs(each) for each in suggestions]
    as_is = 0
    for span in list(open_spans):
        if span in left:
            left.remove(span)
            open_spans.remove(span)
            as_is += 1
    changed = 0
    for span in open_spans:
        near = next((each for each in left if _one_change(span, each)), None)
        if near is not None:
            left.remove(near)
            changed += 1
    return as_is, changed


def _runs(marked: TokensBySide) -> _Runs:
    """The fragments of a span as (side, first token, token after the last), in order."""
    return tuple((side, *tokens) for side in sorted(marked) for tokens in token_ranges(marked[side]))


def _one_change(span: _Runs, suggestion: _Runs) -> bool:
    only, extra = set(span) - set(suggestion), set(suggestion) - set(span)
    if len(only) + len(extra) == 1:
        return bool(span and suggestion)
    if len(only) != 1 or len(extra) != 1:
        return False
    (side, start, end), (other_side, other_start, other_end) = only.pop(), extra.pop()
    return side == other_side and (start == other_start) != (end == other_end)
