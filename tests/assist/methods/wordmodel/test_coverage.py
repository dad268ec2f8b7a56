"""Coverage of word lists: what counts as a content word, and shares list by list."""

from collections import Counter

import pytest

from assist.methods.base import WordLists
from assist.methods.lexicon.entries import TermEntry
from assist.methods.wordmodel import coverage as module
from assist.methods.wordmodel.coverage import content, coverage
from tests.assist.methods.texts import side


def test_function_words_numbers_and_punctuation_are_no_content() -> None:
    found = content([side("The schools of 1,200 schools.", "en"), side("A school!", "en")])
    assert found == Counter({"school": 3})


def test_where_function_words_are_not_known_the_most_frequent_stems_count_as_such(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "FREQUENT", 1)
    assert content([side("la la domo", "eo")]) == Counter({"domo": 1})


def test_shares_are_of_running_words_and_phrases_of_the_glossary_count_by_their_words() -> None:
    lists = WordLists({("de", "en"): (TermEntry("Vollmacht", ("zorp of attorney",)),)})
    found = coverage(Counter({"school": 2, "zorp": 1, "of": 1}), "en-GB", "de-CH", lists)
    assert (found.language, found.other, found.words) == ("en", "de", 4)
    assert found.shares["glossary"] == 0.25 and found.shares["core"] >= 0.5 and found.all == found.shares["core"] + 0.25
    assert coverage(Counter(), "en", "de", lists).all == 0.0
