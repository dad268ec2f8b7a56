"""Where terms occur in a text: in other forms, as phrases, in scripts without spaces."""

from __future__ import annotations

from itertools import product

import pytest

from annotation.glossaries.matching import MAX_ENTRIES_PER_PHRASE, Finder
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
        ("de-CH", "Der Pächter der Pacht, die Pachten", "Pacht", ["Pacht", "Pachten"]),
        ("de", "Die Forderung nach Förderung", "Förderung", ["Förderung"]),
        ("de", "Der öffentliche Verkehr", "Öffentlicher Verkehr", ["öffentliche Verkehr"]),
        ("en", "The tenants' governments govern", "government", ["governments"]),
        ("ar", "في القانون والمكتبة", "قانون", ["القانون"]),
        ("en", "The US told us so", "US", ["US"]),
        ("en", "a well-known fact", "well-known", ["well-known"]),
        ("zh", "我在图书馆看书。", "图书馆", ["图书馆"]),
        ("zh", "我在图书馆看书。", "书馆", []),
        ("eo", "La libroj", "libroj", ["libroj"]),
    ],
)
def test_terms_are_found_in_their_forms(language: str, text: str, phrase: str, expected: list[str]) -> None:
    assert found(text, language, phrase) == [(each, 0) for each in expected]


def test_words_of_one_stem_are_told_apart() -> None:
    phrases = ("Pacht", "Pächter", "Pächterin")
    assert found("Pächter und Pächterinnen zahlen Pachten", "de", *phrases) == [
        ("Pächter", 1), ("Pächterinnen", 2), ("Pachten", 0),
    ]  # fmt: skip
    assert found("Pächterinnen", "de", "Pacht", "Pächter") == [("Pächterinnen", 1)], "if it is no term itself"
    assert found("Pächter des Landes", "de", "Pacht des Landes", "Pächter") == [("Pächter", 1)]


def test_of_the_spellings_of_a_phrase_only_some_are_kept() -> None:
    cases = ["".join(letters) for letters in product(*((each, each.upper()) for each in "lawful"))]
    finder = Finder([(phrase, number) for number, phrase in enumerate(cases)], "en")
    matches = matched(finder, "lawful")
    assert 1 <= len(matches) <= MAX_ENTRIES_PER_PHRASE


def test_the_longest_term_counts_and_terms_do_not_overlap() -> None:
    phrases = ("power", "power of attorney", "attorney general")
    assert found("the power of attorney general", "en", *phrases) == [("power of attorney", 1)]
    assert found("power of love", "en", *phrases) == [("power", 0)]


def test_entries_of_the_same_words_are_all_given() -> None:
    assert found("Houses", "en", "house", "houses", "house") == [("Houses", 0), ("Houses", 1), ("Houses", 2)]


def test_no_term_and_no_text_give_nothing() -> None:
    assert found("", "en", "house") == found("house", "en") == found("house", "en", "") == found("", "zh", "图") == []


def test_of_entries_with_the_same_phrase_only_some_are_found() -> None:
    finder = Finder([("the", number) for number in range(1000)] + [("the house", 1000)], "en")
    matches = matched(finder, "the the house")
    assert len(matches) == MAX_ENTRIES_PER_PHRASE + 1
    assert matches[-1] == (1, 3, 1000)


@pytest.mark.parametrize(("language", "phrases", "text"), [
    ("en", [f"the the {number}" for number in range(500)] + ["the"], "the " * 300),
    ("zh", ["中" * 150 + "国", "中"], "中" * 300),
])  # fmt: skip
def test_phrases_that_begin_alike_do_not_hide_a_shorter_one(language: str, phrases: list[str], text: str) -> None:
    matches = matched(Finder([(phrase, index) for index, phrase in enumerate(phrases)], language), text)
    assert {entry for _, _, entry in matches} == {len(phrases) - 1} and len(matches) == 300


def matched(finder: Finder, text: str) -> list[tuple[int, int, int]]:
    tokens = [(index, index + 1) for index in range(len(text))] if finder.unspaced else tokenize(text, "en")
    return finder.find(text, tokens)
