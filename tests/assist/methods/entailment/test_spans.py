"""Spans of a sentence: constituents by function words and punctuation, and runs of two neighbours."""

import pytest

from assist.methods.entailment.spans import MAX_CONTENT_WORDS, constituents, spans
from tests.assist.methods.texts import side

CASES = [
    ("The dog of Anna is old.", "en", ["The dog", "of Anna", "is old."]),
    ("The cat sleeps, the dog barks.", "en", ["The cat sleeps,", "the dog barks."]),
    ("“Old dogs” bark.", "en", ["“Old dogs”", "bark."]),
    ("He goes in.", "en", ["He goes", "in."]),
    ("Das Haus in Bern ist klein.", "de", ["Das Haus", "in Bern", "ist klein."]),
    ("La casa de Ana.", "es", ["La casa", "de Ana."]),
    ("one two three four five six", "xx", ["one two three four", "five six"]),
    ("…", "en", ["…"]),
]


@pytest.mark.parametrize(("text", "language", "wanted"), CASES)
def test_constituents(text: str, language: str, wanted: list[str]) -> None:
    given = side(text, language)
    found = constituents(given, 0, len(given.tokens))
    assert [text[given.tokens[low][0] : given.tokens[high - 1][1]] for low, high in found] == wanted


def test_every_token_is_in_one_constituent_of_its_sentence() -> None:
    given = side("A dog sleeps. The Rhine is cold, and the very old house of Peter in Bern is not small! " * 3, "en")
    found = constituents(given, 4, 30)
    assert [index for low, high in found for index in range(low, high)] == list(range(4, 30))
    words = given.words()
    assert all(
        sum(words[index].isalpha() for index in range(low, high)) <= MAX_CONTENT_WORDS + 6 for low, high in found
    )
    assert constituents(given, 5, 5) == []


def test_spans_are_single_constituents_and_runs_of_two() -> None:
    assert spans([(0, 2), (2, 4), (4, 7)]) == [(0, 2), (2, 4), (4, 7), (0, 4), (2, 7)]
    assert spans([(0, 2)]) == [(0, 2)]
    assert spans([]) == []
