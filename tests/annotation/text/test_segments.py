"""Paragraphs and sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.segments import direction, paragraphs, sentences


def test_paragraphs_are_trimmed_lines_that_hold_something() -> None:
    text = "  One.\n\n \nTwo two. \r\nThree"
    assert [text[start:end] for start, end in paragraphs(text)] == ["One.", "Two two.", "Three"]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Dr. Smith came. He left.\nNew one", ["Dr. Smith came.", "He left.", "New one"]),
        ("de", "Am 3. Mai ist z. B. offen. Danach nicht.", ["Am 3. Mai ist z. B. offen.", "Danach nicht."]),
        ("hi", "यह एक परीक्षा है। क्या आप तैयार हैं?", ["यह एक परीक्षा है।", "क्या आप तैयार हैं?"]),
        ("zh", "今天放假。明天上班。", ["今天放假。", "明天上班。"]),
        ("pt", "Hoje é feriado. Amanhã não.", ["Hoje é feriado.", "Amanhã não."]),
    ],
)
def test_sentences(language: str, text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text, language)] == expected


@given(
    st.text(alphabet=st.sampled_from("ab .!?\n(\"'1é"), max_size=60), st.sampled_from(["en", "de", "it", "pt", "zh"])
)
def test_every_visible_character_is_in_exactly_one_sentence(text: str, language: str) -> None:
    owners = [0] * len(text)
    for start, end in sentences(text, language):
        assert "\n" not in text[start:end]
        for index in range(start, end):
            owners[index] += 1
    assert all(owner == 1 for owner, character in zip(owners, text, strict=True) if not character.isspace())
    assert max(owners, default=0) <= 1


def test_direction_follows_the_language_not_the_region() -> None:
    assert [direction(tag) for tag in ("ar-EG", "he", "ur", "en", "de-CH")] == ["rtl", "rtl", "rtl", "ltr", "ltr"]
