"""Words, in every supported script."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.tokens import _jieba, is_ascii_punctuation, tokenize


def words(text: str, language: str) -> list[str]:
    return [text[start:end] for start, end in tokenize(text, language)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "It's 3.50 francs.", ["It's", "3.50", "francs", "."]),
        ("de", "Der E-Mail-Verkehr (vgl. S. 4) …", ["Der", "E-Mail-Verkehr", "(", "vgl", ".", "S", ".", "4", ")", "…"]),
        ("de", "Haus- und Gartenarbeit", ["Haus", "-", "und", "Gartenarbeit"]),
        (
            "fr",
            "Aujourd'hui, l’eau d'Yverdon qu'on boit",
            ["Aujourd'hui", ",", "l’", "eau", "d'", "Yverdon", "qu'", "on", "boit"],
        ),
        ("fr-CH", "jusqu'à l'an", ["jusqu'", "à", "l'", "an"]),
        (
            "it",
            "l'acqua dell'isola, un po' d'oro",
            ["l'", "acqua", "dell'", "isola", ",", "un", "po", "'", "d'", "oro"],
        ),
        ("en", "the l'acqua sign", ["the", "l'acqua", "sign"]),
        ("zh", "北京市政府于2024年发布", ["北京市政府", "于", "2024", "年", "发布"]),
        ("hi", "क्या आप तैयार हैं?", ["क्या", "आप", "तैयार", "हैं", "?"]),
        ("ar", "المكتبة مفتوحة، مجانًا.", ["المكتبة", "مفتوحة", "،", "مجانًا", "."]),
        ("he", "הספרייה פתוחה.", ["הספרייה", "פתוחה", "."]),
        ("en", "👨‍👩‍👧 went 🇨🇭 👍🏽!", ["👨‍👩‍👧", "went", "🇨🇭", "👍🏽", "!"]),
        (
            "fr",
            "5\u202f000 à 17\u00a0000\u00a0000 personnes en 2024\u00a0100",
            ["5\u202f000", "à", "17\u00a0000\u00a0000", "personnes", "en", "2024\u00a0100"],
        ),
        ("fr", "de 5 000 à 12\u00a0mois", ["de", "5", "000", "à", "12", "mois"]),
        ("en", "Wait... what?!", ["Wait", "...", "what", "?", "!"]),
        ("en", "e\u0301t\u200b \u200b\u00a0x", ["e\u0301t", "x"]),
        ("en", "", []),
        ("en", " \n\t\u200b", []),
    ],
)
def test_words(language: str, text: str, expected: list[str]) -> None:
    found = words(text, language)
    assert [word.strip("\u200b") for word in found] == expected


@given(st.text(max_size=80), st.sampled_from(["en", "de", "fr", "it", "es", "hi", "zh", "ar", "th", "und"]))
def test_tokens_are_ordered_disjoint_and_cover_what_is_visible(text: str, language: str) -> None:
    tokens = tokenize(text, language)
    at = 0
    for start, end in tokens:
        assert at <= start < end <= len(text)
        assert not any(unicodedata.category(character)[0] not in "ZC" for character in text[at:start])
        at = end
    assert not any(unicodedata.category(character)[0] not in "ZC" for character in text[at:])


@pytest.mark.parametrize(
    ("word", "expected"), [(".", True), ('"?!', True), ("«", False), ("–", False), ("a.", False), ("", False)]
)
def test_ascii_punctuation_is_what_the_gold_leaves_out(word: str, expected: bool) -> None:
    assert is_ascii_punctuation(word) is expected


def test_chinese_is_split_without_a_file_that_others_could_have_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """jieba itself would trust a cache in the folder of temporary files."""
    (tmp_path / "jieba.cache").write_bytes(b"not a cache")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    _jieba.cache_clear()
    text = "图书馆周一关门。"
    assert [text[start:end] for start, end in tokenize(text, "zh")][:2] == ["图书馆", "周一"]
    assert [path.name for path in tmp_path.iterdir()] == ["jieba.cache"]
