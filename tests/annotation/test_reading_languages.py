"""Who reads what, by level and by language."""

from __future__ import annotations

import pytest

from annotation.phrases import PhraseError
from annotation.reading_languages import (
    MIN_LEVEL,
    can_read,
    level_of,
    parse_skills,
    readers,
    skills_text,
    unreadable_languages,
)


def test_a_list_of_languages_is_read_and_written_alike() -> None:
    found = parse_skills("de NATIVE, en c1; zh-Hant B1\nfr A2,")
    assert found == {"de": "native", "en": "C1", "zh-Hant": "B1", "fr": "A2"}
    assert parse_skills(skills_text(found)) == found and parse_skills(" , ") == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("German B2", "language tag"),
        ("de", "write it like de B2"),
        ("de B2 well", "write it like de B2"),
        ("de B7", "write one of A1, A2"),
        (", ".join(f"{chr(97 + n // 26)}{chr(97 + n % 26)} B2" for n in range(21)), "at most 20"),
        ("de-" + "-".join(["abcdefgh"] * 4) + " B2", "at most 35"),
    ],
)
def test_what_is_no_language_with_a_level_is_said(text: str, said: str) -> None:
    with pytest.raises(PhraseError, match=said):
        parse_skills(text)


def test_a_region_is_read_by_whoever_reads_the_language_and_its_own_level_comes_first() -> None:
    assert level_of({"de": "C1"}, "de-CH") == "C1" and level_of({"de-CH": "C1"}, "de") == "C1"
    assert level_of({"de": "native", "de-CH": "B1"}, "de-ch") == "B1"
    assert level_of({"de-AT": "A1", "de-CH": "native"}, "de") == "native"
    assert level_of({"de": "C1"}, "en") is None


def test_the_level_that_is_needed_is_enough_and_one_below_is_not() -> None:
    assert MIN_LEVEL == "B2"
    assert can_read({"de": "B2", "en": "native"}, ("en", "de")) and unreadable_languages(
        {"de": "B1", "en": "C2"}, ("en", "de")
    ) == ["de"]
    assert can_read({"de": "B1"}, ("de",), "B1") and not can_read({"de": "C2"}, ("de",), "native")
    assert can_read({}, ("de", "rm")), "who stated nothing is taken to read everything"
    assert unreadable_languages({"de": "C1"}, ("rm", "de", "rm")) == ["rm"]


def test_readers_of_each_pair() -> None:
    skills: dict[int, dict[str, str]] = {1: {"en": "C1", "de": "C1"}, 2: {"en": "C1", "fr": "C1"}, 3: {}}
    found = readers(skills, {10: ("en", "de"), 11: ("fr", "en"), 12: ("rm",)})
    assert found == {10: {1, 3}, 11: {2, 3}, 12: {3}}
