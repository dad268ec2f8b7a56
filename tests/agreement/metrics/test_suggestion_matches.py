"""Spans that suggestions save, by hand."""

import pytest

from agreement.metrics.suggestion_matches import TokensBySide, count_matched_spans

SPAN: TokensBySide = {"a": {1, 2, 3}, "b": {5}}


@pytest.mark.parametrize(
    ("suggestions", "counts"),
    [
        ([], (0, 0)),
        ([SPAN], (1, 0)),
        ([{"a": {1, 2}, "b": {5}}], (0, 1)),  # an end moved
        ([{"a": {0, 1, 2, 3}, "b": {5}}], (0, 1)),  # by as many words as one likes
        ([{"a": {0, 1, 2, 3, 4}, "b": {5}}], (0, 0)),  # both ends
        ([{"a": {1, 2}, "b": {5, 6}}], (0, 0)),  # one end on each side
        ([{"a": {1, 2, 3}, "b": set()}], (0, 1)),  # a fragment to add
        ([{"a": {1, 2, 3, 9}, "b": {5}}], (0, 1)),  # one to remove
        ([{"a": {1, 2, 3, 9}, "b": set()}], (0, 0)),  # one of each
        ([{"a": {7}, "b": set()}], (0, 0)),
        ([{"a": {5}, "b": {5}}], (0, 0)),  # other words
        ([{"a": {1, 2}, "b": {5}}, SPAN], (1, 0)),
    ],
)
def test_a_span_is_saved_as_it_is_or_by_one_change(suggestions: list[TokensBySide], counts: tuple[int, int]) -> None:
    assert count_matched_spans([SPAN], suggestions) == counts


def test_a_suggestion_saves_one_span_and_exact_ones_come_first() -> None:
    shorter: TokensBySide = {"a": {1, 2}, "b": {5}}
    assert count_matched_spans([shorter, SPAN], [SPAN]) == (1, 0)
    assert count_matched_spans([SPAN, SPAN], [SPAN]) == (1, 0)
    assert count_matched_spans([SPAN, shorter], [shorter, shorter]) == (1, 1)


def test_the_same_words_of_the_other_side_are_another_span() -> None:
    assert count_matched_spans([{"a": {1}, "b": set()}], [{"a": set(), "b": {1}}]) == (0, 0)
