"""Articles read from files: names, languages, JSON lines, and everything that is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.formats.record import FormatError
from assist.mining import articles
from assist.mining.articles import Article, LanguagesError, languages_of, read_articles, versions


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_text_file_has_its_language_in_its_name_or_next_to_it(tmp_path: Path) -> None:
    files = {
        "zurich.en.txt": "Zurich\n\nIt is a city.\n",
        "zurich.de-CH.txt": "Zürich\nEs ist eine Stadt.",
        "bern/en.txt": "Bern",
        "bern/zh-Hant.txt": "伯恩",
        "fr/lausanne.txt": "Lausanne",
        "en/lausanne.txt": "Lausanne",
        "notes.md": "left out",
    }
    found = {(each.id, each.language): each.paragraphs for each in read_articles([written(tmp_path, files)])}
    assert found == {
        ("zurich", "en"): ("Zurich", "It is a city."),
        ("zurich", "de-CH"): ("Zürich", "Es ist eine Stadt."),
        ("bern", "en"): ("Bern",),
        ("bern", "zh-Hant"): ("伯恩",),
        ("lausanne", "fr"): ("Lausanne",),
        ("lausanne", "en"): ("Lausanne",),
    }


def test_lines_of_json_have_their_fields(tmp_path: Path) -> None:
    row = {"id": "zurich", "language": "en", "text": "One.\nTwo.", "url": "https://example.org/en"}
    path = tmp_path / "articles.jsonl"
    path.write_text(json.dumps(row) + "\n")
    expected = Article("zurich", "en", ("One.", "Two."), "articles.jsonl:1", "https://example.org/en")
    assert read_articles([path]) == [expected]


@pytest.mark.parametrize(
    ("name", "text", "where", "why"),
    [
        ("zurich.txt", "One.", "zurich.txt", "its name shows no language"),
        ("en/de.txt", "One.", "de.txt", "could both be the language"),
        ("zurich.en.txt", " \n", "zurich.en.txt", "empty"),
        (f"{'a' * 101}.en.txt", "One.", f"{'a' * 101}.en.txt", "at most 100"),
        ("a.jsonl", '{"id": "x", "language": "english", "text": "One."}', "a.jsonl:1", "not a language tag"),
        ("a.jsonl", '{"id": "x", "language": "en"}', "a.jsonl:1", "text: missing"),
        ("a.jsonl", '{"id": "x", "language": "en", "text": "One.", "txt": 1}', "a.jsonl:1", "txt: unknown"),
        ("a.jsonl", '{"id": 3, "language": "en", "text": "One."}', "a.jsonl:1", "a string is expected"),
        ("a.jsonl", "[]", "a.jsonl:1", "a JSON object is expected"),
        ("a.jsonl", '{"id": "x"', "a.jsonl:1", "character"),
        ("zurich.en.txt", "One\0", "zurich.en.txt:1", "NUL"),
        ("zurich.pdf", "One.", "zurich.pdf", "articles are .txt or .jsonl"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, name: str, text: str, where: str, why: str) -> None:
    written(tmp_path, {name: text})
    with pytest.raises(FormatError) as refused:
        read_articles([tmp_path / name])
    assert [each.where for each in refused.value.rejections] == [where]
    assert why in refused.value.rejections[0].reason


def test_an_article_that_is_there_twice_is_refused_with_both_locations(tmp_path: Path) -> None:
    folder = written(tmp_path, {"zurich.en.txt": "One.", "en/zurich.txt": "Two."})
    with pytest.raises(FormatError, match=r"appears twice; first in zurich\.txt"):
        read_articles([folder])


def test_folders_without_articles_and_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"holds no .txt or .jsonl file"):
        read_articles([tmp_path])
    with pytest.raises(FormatError, match="there is no such file"):
        read_articles([tmp_path / "none.txt"])


@pytest.mark.parametrize(("limit", "value"), [("MAX_PARAGRAPHS", 2), ("MAX_CHARACTERS", 8)])
def test_articles_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int) -> None:
    folder = written(tmp_path, {"zurich.en.txt": "One\nTwo\nSix"})
    assert len(read_articles([folder])) == 1
    monkeypatch.setattr(articles, limit, value)
    with pytest.raises(FormatError, match="articles can have at most"):
        read_articles([folder])


def of(*languages: str) -> list[Article]:
    return [Article("x", language, ("One.",), language) for language in languages]


@pytest.mark.parametrize(
    ("there", "a", "b", "expected"),
    [
        (("de", "en"), "", "", ("en", "de")),
        (("fr", "de-CH"), "", "", ("de", "fr")),
        (("de", "en"), "de", "", ("de", "en")),
        (("de", "en"), "", "en", ("de", "en")),
        (("de", "en", "fr"), "fr", "de-CH", ("fr", "de")),
    ],
)
def test_english_is_side_a_unless_something_else_is_set(
    there: tuple[str, ...], a: str, b: str, expected: tuple[str, str]
) -> None:
    assert languages_of(of(*there), a, b) == expected


@pytest.mark.parametrize(
    ("there", "a", "b", "why"),
    [
        (("de",), "", "", "all in one language, de"),
        (("de", "en", "fr"), "", "", "in de, en, fr. Choose two"),
        (("de", "en", "fr"), "de", "", "Choose two"),
        (("de", "en"), "it", "en", "Choose two"),
        (("de", "en"), "en", "en", "two different languages"),
    ],
)
def test_other_numbers_of_languages_are_refused(there: tuple[str, ...], a: str, b: str, why: str) -> None:
    with pytest.raises(LanguagesError, match=why):
        languages_of(of(*there), a, b)


def test_articles_in_one_language_only_are_told_apart() -> None:
    zurich, zuerich = Article("zurich", "en-GB", ("1",), ""), Article("zurich", "de", ("1",), "")
    bern = Article("bern", "de", ("1",), "")
    assert versions([zurich, bern, zuerich, Article("zurich", "en", ("2",), "")], "en", "de") == (
        [(zurich, zuerich)],
        [bern],
    )
