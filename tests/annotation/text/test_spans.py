"""The spans document, and what scheme and texts allow."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.schemes import PRESETS
from annotation.text.spans import Fragment, Grid, Span, SpansError, check, covered, document, parse_document, ranges_of

# "one two three" on both sides
GRID = Grid(13, [(0, 3), (4, 7), (8, 13)])
GRADED = PRESETS["graded"]


def span(*fragments: tuple[str, int, int], label: str = "3", identity: str = "s1") -> Span:
    return Span(identity, label, tuple(Fragment(side, start, end) for side, start, end in fragments))  # type: ignore[arg-type]


def test_a_document_comes_back_as_it_went() -> None:
    spans = [
        span(("a", 0, 7), ("b", 0, 3), ("b", 8, 13)),
        replace(span(("a", 0, 3), identity="s2"), origin="edited", comment="hm"),
    ]
    assert parse_document(document(spans)) == spans


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"v": 2, "spans": []}, "version 2"),
        ({"v": 1}, "list of spans is missing"),
        ([1], r"spans\[0\]: an object"),
        ([{"fragments": []}], r"spans\[0\].label"),
        ([{"label": "1"}], r"spans\[0\].fragments"),
        ([{"label": "1", "fragments": [{"side": "c", "start": 0, "end": 1}]}], "neither 'a' nor 'b'"),
        ([{"label": "1", "fragments": [{"side": "a", "start": 0.0, "end": 1}]}], "whole numbers"),
        ([{"label": "1", "fragments": [{"side": "a", "start": True, "end": 2}]}], "whole numbers"),
        ([{"label": "1", "fragments": [{"side": "a", "start": 3, "end": 3}]}], "not a range"),
        ([{"label": "1", "fragments": [], "origin": "guess"}], "origin"),
        ([{"id": "x", "label": "1", "fragments": []}, {"id": "x", "label": "1", "fragments": []}], "appears twice"),
    ],
)
def test_what_is_no_document_is_refused_with_its_place(data: Any, said: str) -> None:
    with pytest.raises(SpansError, match=said):
        parse_document(data)


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        (span(("a", 0, 3), label="6"), "not one of the scheme's labels"),
        (span(("a", 0, 14)), "beyond its text"),
        (span(("a", 3, 4)), "holds no token"),
        (span(("a", 1, 7)), r"cuts a token; the whole tokens are \[0, 7\)"),
        (span(("a", 0, 4)), "cuts a token"),
        (span(("a", 0, 7), ("a", 4, 13)), "overlap"),
        (span(), "at least one fragment"),
    ],
)
def test_what_the_texts_forbid_is_named(marked: Span, said: str) -> None:
    problems = check([marked], GRADED, GRID, GRID)
    assert problems
    import re

    assert re.search(said, problems[0]), problems


def test_scheme_limits() -> None:
    parade = PRESETS["xparade"]
    assert check([span(("b", 0, 3), label="new")], parade, GRID, GRID) == []
    assert "side a may not" in check([span(("a", 0, 3), label="new")], parade, GRID, GRID)[0]
    both = check(
        [span(("b", 0, 7), label="new"), span(("b", 4, 13), label="inferable", identity="s2")], parade, GRID, GRID
    )
    assert "overlap on side b" in both[0]
    narrow = replace(GRADED, links=False, discontinuous=False)
    problems = check([span(("a", 0, 3), ("a", 8, 13), ("b", 0, 3))], narrow, GRID, GRID)
    assert any("gaps" in problem for problem in problems) and any("both sides" in problem for problem in problems)


def test_an_import_may_hold_what_nobody_can_make() -> None:
    broken = [span(), span(("a", 0, 7), identity="s2"), span(("a", 4, 13), identity="s3")]
    assert check(broken, replace(GRADED, overlap=False), GRID, GRID, imported=True) == []
    assert check([span(("a", 0, 14))], GRADED, GRID, GRID, imported=True), "but never beyond its text"


@given(st.sets(st.integers(0, 9)))
def test_indices_and_ranges_are_two_ways_to_say_the_same(indices: set[int]) -> None:
    tokens = [(3 * n, 3 * n + 2) for n in range(10)]
    ranges = ranges_of(indices, tokens)
    assert covered(ranges, tokens) == sorted(indices)
    assert len(ranges) == sum(1 for index in indices if index - 1 not in indices)
