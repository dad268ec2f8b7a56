"""How much work suggestions save: human spans that a suggestion gives as they are, or but for one change."""

from collections.abc import Collection, Mapping, Sequence

from annotation.text.schemes import Side

Marked = Mapping[Side, Collection[int]]
"""The tokens of a span by side."""

_Runs = tuple[tuple[str, int, int], ...]


def saved(spans: Sequence[Marked], suggestions: Sequence[Marked]) -> tuple[int, int]:
    """How many spans are suggested as they are, and how many others but for one change.

    One change moves one end of a fragment, or adds or removes a fragment. A suggestion saves one span at most, and a
    span is saved once.
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


def _runs(marked: Marked) -> _Runs:
    """The fragments of a span as (side, first token, last token), in order."""
    found: list[tuple[str, int, int]] = []
    for side in sorted(marked):
        for token in sorted(marked[side]):
            if found and found[-1][0] == side and found[-1][2] == token - 1:
                found[-1] = (side, found[-1][1], token)
            else:
                found.append((side, token, token))
    return tuple(found)


def _one_change(span: _Runs, suggestion: _Runs) -> bool:
    only, extra = set(span) - set(suggestion), set(suggestion) - set(span)
    if len(only) + len(extra) == 1:
        return bool(span and suggestion)
    if len(only) != 1 or len(extra) != 1:
        return False
    (side, first, last), (other_side, other_first, other_last) = only.pop(), extra.pop()
    return side == other_side and (first == other_first) != (last == other_last)
