"""Which texts an NLI model is given, and how the values of a translation's words are carried back."""

import numpy as np
import pytest

from assist.methods.base import MethodError, PairInput, TextSide
from assist.methods.entailment.texts import can_read_pair, carried_max, carried_sum, languages_read, sides_to_judge
from tests.assist.methods.texts import side

ENGLISH, GERMAN, FRENCH = side("A dog.", "en-GB"), side("Ein Hund.", "de"), side("Un chien.", "fr")
EMPTY = TextSide("de", "", [])
EN = languages_read("en")


def test_languages() -> None:
    assert languages_read("en, de-CH fr") == frozenset(("en", "de", "fr"))
    assert languages_read("any") is None and languages_read("en ANY") is None
    assert can_read_pair("en-GB", "de", EN) and can_read_pair("de", "en", EN) and not can_read_pair("de", "fr", EN)
    assert can_read_pair("de", "fr", None)


def test_texts_are_read_as_they_are_if_the_model_reads_their_languages() -> None:
    a, b = sides_to_judge([PairInput("1", ENGLISH, GERMAN, translations_b=[ENGLISH])], languages_read("en de"), "ab")
    assert (a.name, a.side, a.hypothesis, a.premise, a.translated) == ("a", ENGLISH, ENGLISH, GERMAN, False)
    assert (b.name, b.side, b.hypothesis, b.premise, b.translated) == ("b", GERMAN, GERMAN, ENGLISH, False)


def test_a_text_in_another_language_is_read_in_its_first_translation_that_says_something() -> None:
    blank, first, second = side(" ", "en"), side("A hound.", "en"), side("A dog.", "en")
    pair = PairInput("1", GERMAN, ENGLISH, translations_a=[FRENCH, blank, first, second])
    a, b = sides_to_judge([pair], EN, "ab")
    assert a.hypothesis is first and a.side is GERMAN and a.premise is ENGLISH and a.translated
    assert b.hypothesis is ENGLISH and b.premise is first and not b.translated


def test_only_the_wanted_sides_are_judged() -> None:
    pairs = [PairInput("1", ENGLISH, ENGLISH), PairInput("2", ENGLISH, EMPTY)]
    assert [(each.pair, each.name) for each in sides_to_judge(pairs, EN, ["b"])] == [(0, "b"), (1, "b")]


def test_a_pair_without_the_translation_that_it_needs_is_refused_or_left_out() -> None:
    pairs = [PairInput("1", ENGLISH, GERMAN), PairInput("2", ENGLISH, ENGLISH), PairInput("3", FRENCH, GERMAN)]
    with pytest.raises(MethodError, match=r"text in de has no translation .* \(en\): run the method 'translate' first"):
        sides_to_judge(pairs, EN, "ab")
    assert {each.pair for each in sides_to_judge(pairs, EN, "ab", skip=True)} == {1}


def test_values_are_carried_back_over_the_alignment() -> None:
    # "Der Hund schläft" read as "The dog is sleeping now": 'schläft' is aligned to two words, 'now' to none.
    edges = [(0, 0), (1, 1), (2, 2), (2, 3)]
    values = np.array([0.25, -0.5, 0.5, 0.75, 2.0])
    assert carried_sum(values, edges, 4).tolist() == [0.25, -0.5, 1.25, 0.0]
    assert carried_max(np.abs(values), edges, 4).tolist() == [0.25, 0.5, 0.75, 0.0]
    # Two words for one: each gets the whole value.
    assert carried_sum(np.array([0.5]), [(0, 0), (1, 0)], 2).tolist() == [0.5, 0.5]
