"""Sentences: `tests/vectors/sentences.json` holds texts as lists of theirs, by language."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.abbreviations import ABBREVIATIONS, FIRST_WORDS
from annotation.text.sentences import sentences
from tests.paths import ROOT

VECTORS: dict[str, list[list[str]]] = json.loads((ROOT / "tests/vectors/sentences.json").read_text(encoding="utf-8"))


def split(text: str, language: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text, language)]


@pytest.mark.parametrize(("language", "expected"), [(lang, case) for lang, cases in VECTORS.items() for case in cases])
def test_texts_are_split_where_people_would(language: str, expected: list[str]) -> None:
    assert split(("" if language == "zh" else " ").join(expected), language) == expected


def test_no_sentence_crosses_a_paragraph() -> None:
    assert split("One\nand two.\r\n\n Three.", "en") == ["One", "and two.", "Three."]


def test_an_abbreviation_counts_in_its_language_whatever_the_region() -> None:
    assert split("Gemäss Abs. Fünf gilt es.", "de-CH") == ["Gemäss Abs. Fünf gilt es."]
    assert split("She did her abs. Ten sets.", "en-GB") == ["She did her abs.", "Ten sets."]


def test_a_language_without_lists_has_those_of_unicode() -> None:
    assert "ru" not in ABBREVIATIONS
    assert split("Это было в XX в. Москва росла.", "ru")[-1].endswith("Москва росла.")
    assert split("One. Two.", "tlh") == ["One.", "Two."]


def test_a_text_too_long_for_one_sentence_is_still_split() -> None:
    assert len(split("Er kam. Sie ging nach Bern. " * 5_000, "de")) == 10_000


@pytest.mark.parametrize("lists", [ABBREVIATIONS, FIRST_WORDS])
def test_words_are_listed_as_they_are_looked_up(lists: dict[str, frozenset[str]]) -> None:
    assert all(word == word.lower() and not word.endswith(".") for words in lists.values() for word in words)


@given(
    st.text(alphabet=st.sampled_from("ab .!?\n(\"'1é«I"), max_size=60), st.sampled_from(["en", "de", "it", "pt", "zh"])
)
def test_every_visible_character_is_in_exactly_one_sentence(text: str, language: str) -> None:
    owners = [0] * len(text)
    for start, end in sentences(text, language):
        assert "\n" not in text[start:end]
        for index in range(start, end):
            owners[index] += 1
    assert all(owner == 1 for owner, character in zip(owners, text, strict=True) if not character.isspace())
    assert max(owners, default=0) <= 1
