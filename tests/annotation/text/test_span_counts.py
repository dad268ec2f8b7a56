"""Counts of a spans document: tokens are summed over spans, so one under two spans counts twice."""

from annotation.text.span_counts import SpanCounts, counts
from annotation.text.spans import Fragment, Grid, Span

A = Grid(11, [(0, 3), (4, 7), (8, 11)])
B = Grid(3, [(0, 3)])


def test_tokens_are_summed_over_spans_and_sides() -> None:
    spans = [
        Span("1", "2", (Fragment("a", 0, 7), Fragment("b", 0, 3))),
        Span("2", "5", (Fragment("a", 4, 11),)),
        Span("3", "2", ()),
    ]
    assert counts(spans, A, B) == SpanCounts(3, 5, {"2": 2, "5": 1})


def test_nothing_marked_counts_nothing() -> None:
    assert counts([], A, B) == SpanCounts(0, 0, {})
