"""The names of languages in names of columns."""

import pytest

from annotation.text.language_names import language_of_name


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("Text (DE)", "de"),
        ("english", "en"),
        ("English text", "en"),
        ("Deutscher Text", "de"),
        ("Deutsche_Fassung", "de"),
        ("texte allemand", "de"),
        ("Testo tedesco", "de"),
        ("Texto alemán", "de"),
        ("Versión alemana", "de"),
        ("Français", "fr"),
        ("version franc\u0327aise", "fr"),
        ("französischer Text", "fr"),
        ("franzoesisch", "fr"),
        ("Testo francese", "fr"),
        ("fr_text", "fr"),
        ("Testo in italiano", "it"),
        ("versione italiana", "it"),
        ("texte italien", "it"),
        ("Texto en español", "es"),
        ("spagnola", "es"),
        ("Portugiesisches Original", "pt"),
        ("Nederlandse tekst", "nl"),
        ("rumantsch", "rm"),
        ("中文", "zh"),
        ("中文文本", "zh"),
        ("हिन्दी", "hi"),
        ("Русский текст", "ru"),
        ("ελληνικά", "el"),
    ],
)
def test_names_of_columns_mention_a_language(name: str, language: str) -> None:
    assert language_of_name(name) == language


@pytest.mark.parametrize("name", ["text", "en-de", "Deutsch/Englisch", "Germania", "China", "Kommentar", "Nr.", ""])
def test_other_names_mention_none_or_several(name: str) -> None:
    assert language_of_name(name) == ""
