"""Labels from token to token, on texts small enough to see every one."""

from __future__ import annotations

import math
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from assist.methods.base import TextSide
from assist.methods.carry.labels import (
    CarriedLabels,
    carried_tokens,
    carry,
    combine_sources,
    compose_alignments,
    fill_gaps,
    same_language,
)
from tests.assist.methods.texts import side

WEIGHTS = {"1": 0.2, "3": 0.6, "5": 1.0}


def words(count: int, *sentences: tuple[int, int]) -> TextSide:
    """A text of one-letter words, with sentences given as ranges of tokens."""
    text = " ".join("w" * count)
    tokens = [(2 * index, 2 * index + 1) for index in range(count)]
    return TextSide("en", text, tokens, [(2 * low, 2 * high - 1) for low, high in sentences or ((0, count),)])


def test_copies_of_a_text_are_aligned_token_by_token() -> None:
    one = side("A dog, here.", "en")
    assert same_language(one, one) == [(index, index) for index in range(5)]


def test_a_copy_that_is_cut_into_tokens_otherwise_is_aligned_by_its_characters() -> None:
    one = TextSide("en", "don't go", [(0, 5), (6, 8)])
    other = TextSide("en", " don't go", [(1, 3), (3, 6), (7, 9)])
    assert same_language(one, other) == [(0, 0), (0, 1), (1, 2)]
    assert same_language(other, one) == [(0, 0), (1, 0), (2, 1)]


def test_of_two_versions_the_words_that_both_have_are_aligned() -> None:
    old, new = side("The library is open on Sundays.", "en"), side("Our LIBRARY is not open on Mondays.", "en")
    assert same_language(old, new) == [(1, 1), (2, 2), (3, 4), (4, 5), (6, 7)]


def test_alignments_are_joined_through_the_tokens_in_the_middle() -> None:
    assert compose_alignments([(0, 5), (1, 6), (2, 6)], [(6, 0), (6, 3), (7, 1)]) == [(1, 0), (1, 3), (2, 0), (2, 3)]


def test_a_token_gets_the_heaviest_label_of_those_it_is_aligned_with() -> None:
    found = carry([(0, 0), (1, 0), (2, 1)], 3, [0.2, 1.0, 0.0], ["1", "5", ""], WEIGHTS)
    assert (found.values, found.labels, found.known) == ([1.0, 0.0, 0.0], ["5", "", ""], [True, True, False])


def test_a_token_without_a_value_counts_as_much_as_its_label() -> None:
    found = carry([(0, 0), (1, 1)], 2, [math.nan, math.nan], ["3", ""], WEIGHTS)
    assert (found.values, found.labels) == ([0.6, 0.0], ["3", ""])


def test_values_without_labels_are_carried_too() -> None:
    found = carry([(0, 1)], 2, [0.7], None, {})
    assert (found.values, found.labels) == ([0.0, 0.7], ["", ""])


def test_sources_count_like_annotations_where_they_know_a_token() -> None:
    """The third source knows only the last token, the first two all but that."""
    one = CarriedLabels([1.0, 0.2, 0.0, 0.0], ["5", "1", "", ""], [True, True, True, False])
    two = CarriedLabels([0.2, 0.2, 0.6, 0.0], ["1", "1", "3", ""], [True, True, True, False])
    three = CarriedLabels([0.0, 0.0, 0.0, 0.6], ["", "", "", "3"], [False, False, False, True])
    found = combine_sources([one, two, three], 4, WEIGHTS)
    assert found.values == [0.6, 0.2, 0.3, 0.6]
    # '5' and '1' once each, '' and '3' once each: the heaviest.
    assert found.labels == ["5", "1", "3", "3"]
    assert combine_sources([], 2, WEIGHTS) == CarriedLabels([0.0, 0.0], ["", ""], [False, False])


def test_what_most_sources_leave_unmarked_is_unmarked() -> None:
    bare, marked = CarriedLabels([0.0], [""], [True]), CarriedLabels([0.6], ["3"], [True])
    assert combine_sources([bare, marked, bare], 1, WEIGHTS).labels == [""]


def test_tokens_without_a_counterpart_are_filled_between_two_with_the_same_label() -> None:
    known = [True, False, False, True, False, True]
    found = fill_gaps(words(6), CarriedLabels([0.6, 0, 0, 1.0, 0, 0.2], ["3", "", "", "3", "", "1"], known))
    assert found.labels == ["3", "3", "3", "3", "", "1"]
    assert found.values == [0.6, 0.8, 0.8, 1.0, 0, 0.2]


def test_nothing_is_filled_over_the_end_of_a_sentence_nor_at_its_edges() -> None:
    carried = CarriedLabels([0, 0.6, 0, 0.6, 0], ["", "3", "", "3", ""], [False, True, False, True, False])
    assert fill_gaps(words(5, (0, 3), (3, 5)), carried).labels == ["", "3", "", "3", ""]
    assert fill_gaps(words(5), carried).labels == ["", "3", "3", "3", ""]


def test_a_span_is_carried_with_the_tokens_between_its_own() -> None:
    edges = [(0, 0), (1, 3), (5, 4)]
    assert carried_tokens(words(6), edges, [(0, 2)]) == {0, 1, 2, 3}
    assert carried_tokens(words(6), edges, [(0, 1), (5, 6)]) == {0, 4}
    assert carried_tokens(words(6), edges, [(2, 4)]) == set()
    assert carried_tokens(words(6, (0, 2), (2, 6)), edges, [(0, 2)]) == {0, 3}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 3), max_size=12), st.lists(st.integers(1, 3), max_size=12))
def test_every_character_in_both_cuts_of_a_text_makes_an_edge(one: list[int], other: list[int]) -> None:
    """Against the definition: tokens that share a character."""
    size = max(sum(one), sum(other), 1)
    text = "x" * size
    cuts = [list(pairwise([0, *(sum(each[: index + 1]) for index in range(len(each)))])) for each in (one, other)]
    first, second = (TextSide("en", text, each) for each in cuts)
    wanted = [
        (i, j)
        for i, (low, high) in enumerate(cuts[0])
        for j, (start, end) in enumerate(cuts[1])
        if max(low, start) < min(high, end)
    ]
    assert same_language(first, second) == wanted
