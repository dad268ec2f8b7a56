"""Where terms stand in a text: in other forms, as phrases, in scripts without spaces."""

from __future__ import annotations

import pytest

from annotation.glossaries.matching import Finder
from annotation.text.tokens import tokenize


def found(text: str, language: str, *phrases: str) -> list[tuple[str, int]]:
    tokens = tokenize(text, language)
    finder = Finder([(phrase, number) for number, phrase in enumerate(phrases)], language)
    return [(text[tokens[start][0] : tokens[end - 1][1]], entry) for start, end, entry in finder.find(text, tokens)]


@pytest.mark.parametrize(
    ("language", "text", "phrase", "expected"),
    [
        ("en", "Two Libraries closed.", "library", ["Libraries"]),
        ("de-CH", "Die Vollmachten der Häuser", "Vollmacht", ["Vollmachten"]),
        ("fr", "L’écoles est là", "école", ["écoles"]),
        ("hi", "किताबें यहाँ हैं", "किताब", ["किताबें"]),
        ("en", "POWERS OF ATTORNEY, or", "power of attorney", ["POWERS OF ATTORNEY"]),
        ("en", "power of the attorney", "power of attorney", []),
        ("en", "The US told us so", "US", ["US"]),
        ("en", "a well-known fact", "well-known", ["well-known"]),
        ("zh", "我在图书馆看书。", "图书馆", ["图书馆"]),
        ("zh", "我在图书馆看书。", "书馆", []),
        ("eo", "La libroj", "libroj", ["libroj"]),
    ],
)
def test_terms_are_found_in_their_forms(language: str, text: str, phrase: str, expected: list[str]) -> None:
    assert found(text, language, phrase) == [(each, 0) for each in expected]


def test_the_longest_term_counts_and_terms_do_not_overlap() -> None:
    phrases = ("power", "power of attorney", "attorney general")
    assert found("the power of attorney general", "en", *phrases) == [("power of attorney", 1)]
    assert found("power of love", "en", *phrases) == [("power", 0)]


def test_entries_of_the_same_words_are_all_given() -> None:
    assert found("Houses", "en", "house", "houses", "house") == [("Houses", 0), ("Houses", 1), ("Houses", 2)]


def test_no_term_and_no_text_give_nothing() -> None:
    assert found("", "en", "house") == found("house", "en") == found("house", "en", "") == found("", "zh", "图") == []
