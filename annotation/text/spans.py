"""Spans over two texts: the spans document that stores, sends and exports them, and what scheme and texts allow."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Literal, get_args

from annotation.phrases import Phrase, PhraseError, field_problem
from annotation.strict_json import display_text
from annotation.text.schemes import SIDES, Scheme, Side
from annotation.text.tokens import Range

VERSION = 1
_START: Callable[[Range], int] = itemgetter(0)
_END: Callable[[Range], int] = itemgetter(1)
Origin = Literal["manual", "accepted", "edited"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)


class SpansError(PhraseError):
    """An invalid spans document; the message says where and what is wrong."""


@dataclass(frozen=True, slots=True, order=True)
class Fragment:
    """A run of consecutive tokens on one side: a half-open range of code points."""

    side: Side
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Span:
    """One annotated difference. A span without fragments is broken; some published spans are.

    `predicted` is the label that a model predicted, if the span was a suggestion with one; `label` is the annotator's.
    """

    id: str
    label: str
    fragments: tuple[Fragment, ...]
    origin: Origin = "manual"
    comment: str = ""
    predicted: str = ""

    @property
    def sides(self) -> tuple[Side, ...]:
        return tuple(side for side in SIDES if any(fragment.side == side for fragment in self.fragments))

    def on(self, side: Side) -> list[Range]:
        """The ranges of this span on one side, in order."""
        return sorted((fragment.start, fragment.end) for fragment in self.fragments if fragment.side == side)


@dataclass(frozen=True, slots=True)
class Grid:
    """The grid that spans lie on: a text's length and its tokens."""

    length: int
    tokens: Sequence[Range]


def spans_document(spans: Iterable[Span]) -> dict[str, Any]:
    """The spans document of `spans`: `{"v": 1, "spans": [...]}`; `predicted` only if there is one."""
    return {
        "v": VERSION,
        "spans": [
            {
                "id": span.id,
                "label": span.label,
                "origin": span.origin,
                "comment": span.comment,
                "fragments": [
                    {"side": fragment.side, "start": fragment.start, "end": fragment.end} for fragment in span.fragments
                ],
                **({"predicted": span.predicted} if span.predicted else {}),
            }
            for span in spans
        ],
    }


def parse_spans(data: object) -> list[Span]:
    """The spans of a spans document, or of a bare list of spans. Raises SpansError naming the location."""
    if isinstance(data, dict):
        if data.get("v", VERSION) != VERSION:
            raise SpansError(
                Phrase(
                    "spans: version %(get)s is unknown; this is version %(version)s",
                    {"get": display_text(repr(data.get("v"))), "version": str(VERSION)},
                )
            )
        data = data.get("spans")
    if not isinstance(data, list):
        raise SpansError(Phrase("spans: a list of spans is missing"))
    spans = [_span(item, f"spans[{index}]", index) for index, item in enumerate(data)]
    seen: set[str] = set()
    for index, span in enumerate(spans):
        if span.id in seen:
            raise SpansError(
                Phrase(
                    "spans[%(index)s].id: '%(id)s' appears twice", {"index": str(index), "id": display_text(span.id)}
                )
            )
        seen.add(span.id)
    return spans


def _span(item: object, where: str, index: int) -> Span:
    if not isinstance(item, dict):
        raise SpansError(field_problem(where, Phrase("an object is expected")))
    label, fragments = item.get("label"), item.get("fragments")
    if not isinstance(label, str):
        raise SpansError(field_problem(f"{where}.label", Phrase("a label's key (a string) is missing")))
    if not isinstance(fragments, list):
        raise SpansError(field_problem(f"{where}.fragments", Phrase("a list is missing")))
    origin, comment, identity = item.get("origin", "manual"), item.get("comment", ""), item.get("id", f"s{index + 1}")
    if origin not in ORIGINS:
        raise SpansError(
            field_problem(
                f"{where}.origin",
                Phrase(
                    "%(origin)s is not one of %(names)s",
                    {"origin": display_text(repr(origin)), "names": ", ".join(ORIGINS)},
                ),
            )
        )
    if not isinstance(comment, str) or not isinstance(identity, str) or not identity or len(identity) > 64:
        raise SpansError(field_problem(where, Phrase("id (1 to 64 characters) and comment must be strings")))
    predicted = item.get("predicted", "")
    if not isinstance(predicted, str):
        raise SpansError(field_problem(f"{where}.predicted", Phrase("a label's key (a string) is expected")))
    return Span(
        identity,
        label,
        tuple(_fragment(part, f"{where}.fragments[{n}]") for n, part in enumerate(fragments)),
        origin,
        comment,
        predicted,
    )


def _fragment(item: object, where: str) -> Fragment:
    if not isinstance(item, dict):
        raise SpansError(field_problem(where, Phrase("an object is expected")))
    side, start, end = item.get("side"), item.get("start"), item.get("end")
    if side not in SIDES:
        raise SpansError(
            field_problem(
                f"{where}.side", Phrase("%(side)s is neither 'a' nor 'b'", {"side": display_text(repr(side))})
            )
        )
    if type(start) is not int or type(end) is not int:
        raise SpansError(field_problem(where, Phrase("start and end must be whole numbers")))
    if not 0 <= start < end:
        raise SpansError(
            field_problem(where, Phrase("[%(start)s, %(end)s) is not a range", {"start": str(start), "end": str(end)}))
        )
    return Fragment(side, start, end)


def bounds(start: int, end: int, tokens: Sequence[Range]) -> tuple[int, int]:
    """The tokens that a range of code points touches, as a half-open range of indices."""
    return bisect_right(tokens, start, key=_END), bisect_left(tokens, end, key=_START)


def touched_tokens(ranges: Iterable[Range], tokens: Sequence[Range]) -> list[range]:
    """The indices of the tokens that `ranges` (of one side) touch, as the fewest ranges of indices, ascending."""
    result: list[range] = []
    for first, end in sorted(bounds(start, end, tokens) for start, end in ranges):
        if first >= end:
            continue
        if result and first <= result[-1].stop:
            result[-1] = range(result[-1].start, max(end, result[-1].stop))
        else:
            result.append(range(first, end))
    return result


def covered_indices(ranges: Iterable[Range], tokens: Sequence[Range]) -> list[int]:
    """The indices of the tokens that `ranges` (of one side) touch, ascending, each once."""
    return list(itertools.chain.from_iterable(touched_tokens(ranges, tokens)))


def count_covered(ranges: Iterable[Range], tokens: Sequence[Range]) -> int:
    """How many tokens `ranges` (of one side) touch, in time that does not depend on that number."""
    return sum(map(len, touched_tokens(ranges, tokens)))


def token_ranges(indices: Iterable[int]) -> list[Range]:
    """Token indices as the fewest half-open ranges of indices: consecutive tokens form one."""
    result: list[Range] = []
    for index in sorted(set(indices)):
        if result and result[-1][1] == index:
            result[-1] = (result[-1][0], index + 1)
        else:
            result.append((index, index + 1))
    return result


def ranges_of(indices: Iterable[int], tokens: Sequence[Range]) -> list[Range]:
    """Token indices as the fewest ranges of code points."""
    return [(tokens[first][0], tokens[end - 1][1]) for first, end in token_ranges(indices)]


def check(spans: Sequence[Span], scheme: Scheme, a: Grid, b: Grid, *, imported: bool = False) -> list[Phrase]:
    """What scheme and texts forbid in `spans`, one phrase each; empty if everything is valid.

    `imported` allows what published files contain but Diptych does not let anyone create: a span without a token, and
    shapes (links, gaps, overlaps) that the scheme would forbid.
    """
    grids = {"a": a, "b": b}
    problems: list[Phrase] = []
    for index, span in enumerate(spans):
        where = f"spans[{index}]"
        if span.label not in scheme.keys:
            problems.append(
                field_problem(
                    f"{where}.label",
                    Phrase(
                        "'%(label)s' is not one of the scheme's labels (%(names)s)",
                        {"label": display_text(span.label), "names": ", ".join(scheme.keys)},
                    ),
                )
            )
        if span.predicted and span.predicted not in scheme.keys:
            problems.append(
                field_problem(
                    f"{where}.predicted",
                    Phrase(
                        "'%(predicted)s' is not one of the scheme's labels (%(names)s)",
                        {"predicted": display_text(span.predicted), "names": ", ".join(scheme.keys)},
                    ),
                )
            )
        problems.extend(_misplaced(span, where, grids))
        if not imported:
            problems.extend(_misshapen(span, where, scheme))
    if not imported and not scheme.overlap and not problems:
        problems.extend(_overlaps(spans))
    return problems


def _misplaced(span: Span, where: str, grids: dict[str, Grid]) -> list[Phrase]:
    problems = []
    for index, fragment in enumerate(span.fragments):
        grid = grids[fragment.side]
        location = f"{where}.fragments[{index}]: [{fragment.start}, {fragment.end}) of side {fragment.side}"
        if fragment.end > grid.length:
            problems.append(
                Phrase(
                    "%(location)s ends beyond its text of %(length)s characters",
                    {"location": str(location), "length": str(grid.length)},
                )
            )
            continue
        first, end = bounds(fragment.start, fragment.end, grid.tokens)
        if first >= end:
            problems.append(Phrase("%(location)s holds no token", {"location": str(location)}))
        elif (whole := (grid.tokens[first][0], grid.tokens[end - 1][1])) != (fragment.start, fragment.end):
            problems.append(
                Phrase(
                    "%(location)s cuts a token; the whole tokens are [%(whole)s, %(whole2)s)",
                    {"location": str(location), "whole": str(whole[0]), "whole2": str(whole[1])},
                )
            )
    for side in SIDES:
        ranges = span.on(side)
        if any(left[1] > right[0] for left, right in itertools.pairwise(ranges)):
            problems.append(
                field_problem(where, Phrase("two of its fragments on side %(side)s overlap", {"side": str(side)}))
            )
    return problems


def _misshapen(span: Span, where: str, scheme: Scheme) -> list[Phrase]:
    problems = []
    if not span.fragments:
        problems.append(field_problem(where, Phrase("a span needs at least one fragment")))
    for side in span.sides:
        if side not in scheme.sides:
            problems.append(
                field_problem(
                    where,
                    Phrase(
                        "side %(side)s may not be marked in the scheme '%(name)s'",
                        {"side": str(side), "name": str(scheme.name)},
                    ),
                )
            )
        if not scheme.discontinuous and len(span.on(side)) > 1:
            problems.append(
                field_problem(where, Phrase("the scheme '%(name)s' has no spans with gaps", {"name": str(scheme.name)}))
            )
    if not scheme.links and len(span.sides) > 1:
        problems.append(
            field_problem(where, Phrase("the scheme '%(name)s' has no spans on both sides", {"name": str(scheme.name)}))
        )
    return problems


def _overlaps(spans: Sequence[Span]) -> list[Phrase]:
    problems = []
    for side in SIDES:
        ranges = sorted((start, end, index) for index, span in enumerate(spans) for start, end in span.on(side))
        for (_, end, one), (start, _, other) in itertools.pairwise(ranges):
            if start < end and one != other:
                problems.append(
                    Phrase(
                        "spans[%(one)s] and spans[%(other)s] overlap on side %(side)s; labels exclude each other here",
                        {"one": str(one), "other": str(other), "side": str(side)},
                    )
                )
    return problems
