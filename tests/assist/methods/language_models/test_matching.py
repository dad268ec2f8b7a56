"""Labels find their words, and quotations their words, whatever a model made of them."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assist.methods.language_models.matching import labels_of, locate, longest_common_subsequence, normalised

WORDS = ["The", "dog", "of", "Anna", "is", "old", "."]


def test_labels_of_the_same_words_are_taken_as_they_are() -> None:
    assert labels_of(WORDS, [(word, index) for index, word in enumerate(WORDS)]) == list(range(7))


def test_labels_without_words_are_taken_in_order_and_cut_or_left_out() -> None:
    assert labels_of(WORDS, [(None, 1), (None, 2)]) == [1, 2, None, None, None, None, None]
    assert labels_of(["a"], [(None, 1), (None, 2)]) == [1]


def test_a_word_that_was_left_out_shifts_no_other() -> None:
    entries = [(word, index) for index, word in enumerate(WORDS) if word != "of"]
    assert labels_of(WORDS, entries) == [0, 1, None, 3, 4, 5, 6]


def test_words_that_were_added_or_repeated_are_ignored() -> None:
    entries = [("The", 0), ("very", 9), ("dog", 1), ("of", 2), ("of", 9), ("Anna", 3), ("is", 4), ("old", 5), (".", 6)]
    assert labels_of(WORDS, entries) in ([0, 1, 2, 3, 4, 5, 6], [0, 1, 9, 3, 4, 5, 6])


def test_words_that_were_split_or_joined_are_aligned_by_their_characters() -> None:
    assert labels_of(["don't", "go"], [("do", 3), ("n't", 4), ("go", 5)]) in ([3, 5], [4, 5])
    assert labels_of(["Bundes", "rat", "tagt"], [("Bundesrat", 2), ("tagt", 5)]) == [2, 2, 5]
    assert labels_of(["l’", "acqua"], [("L'acqua", 1)]) == [1, 1]
    assert labels_of(["colour"], [("color", 3)]) == [3]
    assert labels_of(["dog"], [("cat", 3)]) == [None]


def test_plain_has_the_same_length() -> None:
    assert normalised("„Straße“ – İstanbul\n") == '"straße" - İstanbul '.replace("İ", "İ")


@given(st.text())
def test_plain_keeps_the_length_of_any_text(text: str) -> None:
    assert len(normalised(text)) == len(text)


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_a_common_subsequence_is_one_and_the_longest(one: list[str], other: list[str]) -> None:
    found = longest_common_subsequence(one, other)
    assert all(one[i] == other[j] for i, j in found)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(found))
    best = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, x in enumerate(one):
        for j, y in enumerate(other):
            best[i + 1][j + 1] = best[i][j] + 1 if x == y else max(best[i][j + 1], best[i + 1][j])
    assert len(found) == best[-1][-1]


@given(st.lists(st.text(min_size=1, max_size=5), max_size=15), st.data())
def test_every_word_has_its_own_label_or_none(words: list[str], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    entries = [(word, index) for index, word in enumerate(words) if kept[index]]
    labels = labels_of(words, entries)
    assert len(labels) == len(words)
    assert all(label is None or kept[label] for label in labels)
    if all(kept):
        assert labels == list(range(len(words)))


TEXT = "Rosa was born in Cádiz. She was a “painter”. She was born twice, she says."


@pytest.mark.parametrize(
    ("quotation", "found", "exact"),
    [
        ("born in Cádiz", "born in Cádiz", True),
        ("  a “painter”. ", "a “painter”.", True),
        ('a "painter"', "a “painter”", False),
        ("ROSA WAS", "Rosa was", False),
        ("She was a paintor", "She was a “painter", False),
        ("Rosa was born on Cadiz", "Rosa was born in Cádiz", False),
    ],
)
def test_quotations_are_found(quotation: str, found: str, exact: bool) -> None:
    match = locate(TEXT, quotation)
    assert match is not None
    (start, end), verbatim = match
    assert (TEXT[start:end], verbatim) == (found, exact)


@pytest.mark.parametrize("quotation", ["", "  ", "Nació en Cádiz en 1921", "xy", "She", "q" * 500])
def test_what_is_not_there_is_not_found(quotation: str) -> None:
    match = locate(TEXT, quotation)
    assert match is None or quotation == "She"


def test_the_next_place_comes_first() -> None:
    assert locate(TEXT, "was", 6) == ((28, 31), True)
    assert locate(TEXT, "Rosa", 6) == ((0, 4), True)


@given(st.text(alphabet="ab ", min_size=1, max_size=40), st.data())
def test_every_part_of_a_text_is_found_letter_by_letter(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    part = text[start:end].strip()
    match = locate(text, text[start:end])
    assert (match is None) == (not part)
    if match is not None:
        assert match[1] and text[slice(*match[0])] == part


def test_hostile_lengths_take_bounded_time() -> None:
    began = time.process_time()
    assert locate("ab" * 50_000, "ac" * 2_000) is None
    assert labels_of(["a"] * 5_000, [("b", 1)] * 20_000) == [None] * 5_000
    assert labels_of(["a" * 3_000], [("b" * 3_000, 1)]) == [None]
    assert time.process_time() - began < 5
