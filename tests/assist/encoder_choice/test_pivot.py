"""Rows translated into a pivot by a model."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from assist.encoder_choice.pivot import with_pivot
from assist.encoder_choice.tables import ClsdRow, Ranked
from assist.methods.base import MethodError

ROWS = [
    ClsdRow(2, Ranked("Der Tee.", "Le thé.", ("Le train.",)), None, ("",)),
    ClsdRow(3, Ranked("Der Tee.", "Un thé.", ("Le train.",)), None, ("",)),
]


class Translator:
    """Writes the language of a sentence before it, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[list[str], str, str]] = []

    def __call__(self, sentences: Sequence[str], source: str, target: str) -> list[str]:
        self.asked.append((list(sentences), source, target))
        return [f"{source}:{text}" for text in sentences]


def test_everything_is_translated_once_and_keeps_its_place() -> None:
    translate = Translator()
    first, second = with_pivot(ROWS, translate, "de", "fr")
    assert first.pivot == Ranked("de:Der Tee.", "fr:Le thé.", ("fr:Le train.",))
    assert second.pivot == Ranked("de:Der Tee.", "fr:Un thé.", ("fr:Le train.",)) and second.direct == ROWS[1].direct
    assert translate.asked == [
        (["Der Tee."], "de", "en"),
        (["Le thé.", "Le train.", "Un thé."], "fr", "en"),
    ]


def test_sentences_in_the_pivots_language_and_rows_with_columns_stay_as_they_are() -> None:
    translate = Translator()
    given = ClsdRow(4, ROWS[0].direct, Ranked("x", "y", ("z",)), ("",))
    first, last = with_pivot([ROWS[0], given], translate, "en-GB", "fr", "en")
    assert first.pivot == Ranked("Der Tee.", "fr:Le thé.", ("fr:Le train.",)) and last == given
    assert [each[1:] for each in translate.asked] == [("fr", "en")]


def test_two_texts_in_the_pivots_language_have_no_pivot() -> None:
    with pytest.raises(MethodError, match="there is nothing to translate"):
        with_pivot(ROWS, Translator(), "en", "en-US", "en")
