"""Two versions of a pair's spans side by side."""

from __future__ import annotations

from agreement.adjudication.span_diff import span_differences
from annotation.text.spans import Grid, Span
from tests.agreement.adjudication.cases import GRID, span

TEXT = Grid(30, GRID)


def kinds(before: list[Span], after: list[Span]) -> list[str]:
    return [change.kind for change in span_differences(before, after, TEXT, TEXT)]


def test_ids_and_order_are_no_change() -> None:
    one, other = span("3", [0, 1], [4]), span("1", [7])
    assert kinds([one, other], [Span("z", "1", other.fragments), Span("y", "3", one.fragments)]) == []


def test_every_kind_of_change_in_the_order_of_the_texts() -> None:
    before = [span("3", [0, 1]), span("2", [3]), span("4", [5, 6]), span("1", [9])]
    after = [span("3", [0]), span("5", [3]), span("3", [5]), span("1", [11])]
    assert kinds(before, after) == ["words", "label", "both", "removed", "added"]


def test_the_most_alike_are_one_change() -> None:
    (first, second) = span_differences([span("3", [0, 1, 2, 3])], [span("3", [0, 1, 2]), span("3", [3, 4])], TEXT, TEXT)
    assert first.before is not None and first.after == span("3", [0, 1, 2])
    assert second.before is None


def test_a_broken_span_comes_and_goes() -> None:
    assert kinds([], [span("3")]) == ["added"]
    assert kinds([span("3")], [span("3")]) == []
