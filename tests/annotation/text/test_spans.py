"""The spans document, and what scheme and texts allow."""

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.schemes import PRESETS
from annotation.text.span_counts import counts
from annotation.text.spans import (
    Fragment,
    Grid,
    Span,
    SpansError,
    check,
    count_covered,
    covered_indices,
    parse_spans,
    ranges_of,
    spans_document,
)
from annotation.text.tokens import Range

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
    assert parse_spans(spans_document(spans)) == spans


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
def test_an_invalid_document_is_refused_with_its_location(data: Any, said: str) -> None:
    with pytest.raises(SpansError, match=said):
        parse_spans(data)


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

    assert re.search(said, str(problems[0])), problems


def test_scheme_limits() -> None:
    parade = PRESETS["xparade"]
    assert check([span(("b", 0, 3), label="new")], parade, GRID, GRID) == []
    assert "side a may not" in check([span(("a", 0, 3), label="new")], parade, GRID, GRID)[0].text()
    both = check(
        [span(("b", 0, 7), label="new"), span(("b", 4, 13), label="inferable", identity="s2")], parade, GRID, GRID
    )
    assert "overlap on side b" in both[0].text()
    narrow = replace(GRADED, links=False, discontinuous=False)
    problems = check([span(("a", 0, 3), ("a", 8, 13), ("b", 0, 3))], narrow, GRID, GRID)
    assert any("gaps" in str(each) for each in problems) and any("both sides" in str(each) for each in problems)


def test_an_import_may_hold_what_no_one_can_create() -> None:
    broken = [span(), span(("a", 0, 7), identity="s2"), span(("a", 4, 13), identity="s3")]
    assert check(broken, replace(GRADED, overlap=False), GRID, GRID, imported=True) == []
    assert check([span(("a", 0, 14))], GRADED, GRID, GRID, imported=True), "but never beyond its text"


@given(st.sets(st.integers(0, 9)))
def test_indices_and_ranges_are_two_ways_to_say_the_same(indices: set[int]) -> None:
    tokens = [(3 * n, 3 * n + 2) for n in range(10)]
    ranges = ranges_of(indices, tokens)
    assert covered_indices(ranges, tokens) == sorted(indices)
    assert len(ranges) == sum(1 for index in indices if index - 1 not in indices)


def cut(spaces: list[int], words: list[int]) -> list[Range]:
    """Tokens of the given lengths, each after so many characters."""
    tokens, at = [], 0
    for space, word in zip(spaces, words, strict=False):
        tokens.append((at + space, at + space + word))
        at += space + word
    return tokens


@given(
    st.lists(st.integers(0, 2), max_size=8),
    st.lists(st.integers(1, 3), max_size=8),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=6),
)
def test_covered_is_every_token_that_shares_a_character(
    spaces: list[int], words: list[int], ranges: list[Range]
) -> None:
    tokens = cut(spaces, words)
    ranges = [(start, end) for start, end in ranges if start < end]
    expected = [index for index, (a, b) in enumerate(tokens) if any(start < b and a < end for start, end in ranges)]
    assert covered_indices(ranges, tokens) == expected
    assert count_covered(ranges, tokens) == len(expected)


@given(
    st.lists(st.integers(0, 2), max_size=8),
    st.lists(st.integers(1, 3), max_size=8),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4),
)
def test_a_fragment_is_checked_against_the_tokens_it_touches(
    spaces: list[int], words: list[int], ranges: list[Range]
) -> None:
    tokens = cut(spaces, words)
    grid = Grid(tokens[-1][1] if tokens else 0, tokens)
    ranges = [(start, end) for start, end in ranges if start < end]
    said = check([span(*(("a", start, end) for start, end in ranges))], GRADED, grid, grid, imported=True)
    expected = []
    for index, (start, end) in enumerate(ranges):
        where = f"spans[0].fragments[{index}]: [{start}, {end}) of side a"
        touched = [(a, b) for a, b in tokens if start < b and a < end]
        if end > grid.length:
            expected.append(f"{where} ends beyond its text of {grid.length} characters")
        elif not touched:
            expected.append(f"{where} holds no token")
        elif (touched[0][0], touched[-1][1]) != (start, end):
            expected.append(f"{where} cuts a token; the whole tokens are [{touched[0][0]}, {touched[-1][1]})")
    assert [each for each in map(str, said) if "fragments[" in each] == expected


class CountingTokens(Sequence[Range]):
    """Tokens that count how often they are read."""

    def __init__(self, tokens: list[Range]) -> None:
        self.tokens, self.reads = tokens, 0

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, index: Any) -> Any:
        self.reads += 1
        return self.tokens[index]


def test_the_time_of_check_and_counts_does_not_grow_with_the_words_in_a_span() -> None:
    tokens = CountingTokens([(2 * n, 2 * n + 1) for n in range(20_000)])
    grid = Grid(39_999, tokens)
    wide = [span(("a", 0, 39_999), ("b", 0, 39_999), identity=f"s{n}") for n in range(100)]
    # Building a set of a span's tokens reads none of them: measure what is created as well as what is read.
    tracemalloc.start()
    assert check(wide, GRADED, grid, grid) == []
    assert counts(wide, grid, grid).tokens == 100 * 2 * 20_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert tokens.reads < 100 * 2 * 100
    assert peak < 500_000
