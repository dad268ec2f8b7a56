"""Language tags."""

from __future__ import annotations

import pytest

from annotation.text.languages import language_problem


@pytest.mark.parametrize(
    "tag",
    ["en", "de-CH", "zh-Hant", "zh-Hant-TW", "es-419", "rm", "gsw", "sl-rozaj", "de-1996", "x-own", "en-u-co-phonebk"],
)
def test_a_language_tag_is_accepted(tag: str) -> None:
    assert language_problem(tag) is None and language_problem(tag.upper()) is None


@pytest.mark.parametrize(
    "tag",
    ["", " ", "French!!", "French", "e", "en_US", "en-", "-en", "../en", "/en", "en/de", "en\n", "en de", "dé", "en\0"],
)
def test_anything_else_is_refused_with_what_to_write(tag: str) -> None:
    problem = str(language_problem(tag))
    assert "is not a language tag" in problem and "de-CH" in problem and problem.isprintable()
