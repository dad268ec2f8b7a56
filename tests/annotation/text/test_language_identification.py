"""Sentences in the language that a text is said to be in."""

from __future__ import annotations

import pytest

from annotation.text.language_identification import sentences_in
from annotation.text.tokens import tokenize
from tests.annotation.formats.made_pages import TEXTS


def count(text: str, language: str, *among: str) -> tuple[int, int, str]:
    found = sentences_in(text, language, tokenize(text, language), among)
    return found.sentences, found.right, found.looks_like


@pytest.mark.parametrize("code", TEXTS)
def test_every_sentence_of_a_text_in_its_language_is_right(code: str) -> None:
    assert count(" ".join(TEXTS[code]), code, *TEXTS) == (3, 3, code)
    assert count(" ".join(TEXTS[code]), f"{code}-CH", *TEXTS) == (3, 3, code)


def test_a_text_in_a_language_that_nobody_expected_is_recognised() -> None:
    text = "La biblioteca abre todos los días laborables. Los niños no pagan nada por el carné. Se prestan diez libros."
    assert count(text, "fr", "en", "de") == (3, 0, "es")


def test_headings_and_buttons_are_no_sentences() -> None:
    assert count("Kontakt\nMehr lesen\nDas Amt ist heute offen.\n– – – – –", "de", "en") == (1, 1, "de")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("图书馆每天上午九点开门。孩子们不用付钱。", "zh"),
        ("पुस्तकालय सुबह नौ बजे खुलता है। बच्चों को कुछ नहीं देना पड़ता।", "hi"),
        ("المكتبة مفتوحة كل يوم من الساعة التاسعة. لا يدفع الأطفال شيئا مقابل البطاقة.", "ar"),
        ("הספרייה פתוחה בכל יום מהשעה תשע. ילדים לא משלמים דבר עבור הכרטיס.", "he"),
    ],
)
def test_other_scripts(text: str, code: str) -> None:
    assert count(text, code, "en")[:2] == (2, 2)


def test_a_language_that_the_model_does_not_know_is_only_counted_unless_it_is_another_for_certain() -> None:
    romansh = "Il marcau ha ina biblioteca per tuts. Ils uffants na paian nagut per la carta da la biblioteca."
    found = sentences_in(romansh, "rm", tokenize(romansh, "rm"), ["de"])
    assert (found.sentences, found.right, found.checked) == (2, 2, False)
    german = " ".join(TEXTS["de"])
    assert count(german, "rm", "en") == (3, 0, "de")


@pytest.mark.parametrize("text", ["", " ", "1 2 3 4 5 6", "....", "🧾 🧾 🧾 🧾 🧾"])
def test_a_text_without_words(text: str) -> None:
    assert count(text, "en", "de")[1] <= count(text, "en", "de")[0] <= 1
