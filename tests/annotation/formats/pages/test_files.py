"""Which page in which language a file is, by its path."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.formats.pages.files import has_pages, is_page, language_named, page_files
from annotation.formats.source import Refusals
from tests.annotation.formats.made_pages import page


@pytest.mark.parametrize(
    ("path", "document", "language", "subdomain"),
    [
        ("de/page.html", "page", "de", ""),
        ("DE/a/page.htm", "a/page", "de", ""),
        ("a/de/page.html", "a/page", "de", ""),
        ("deutsch/page.txt", "page", "de", ""),
        ("page.de.html", "page", "de", ""),
        ("a/page.de-CH.html", "a/page", "de-CH", ""),
        ("de/page.de.html", "page", "de", ""),
        ("de/page.fr.html", "de/page", "fr", ""),
        ("zh_hant/page.html", "page", "zh-Hant", ""),
        ("www.town.example/en/page.html", "www.town.example/page", "en", "www.town.example"),
        ("en/town.example/page.html", "town.example/page", "en", ""),
        ("en/v1.2.html", "v1.2", "en", ""),
        ("en/.de.html", None, "", ""),
        ("page.html", None, "", ""),
        ("what-is.html", None, "", ""),
        ("index.min.html", None, "", ""),
    ],
)
def test_a_path_says_document_language_and_subdomain(
    tmp_path: Path, path: str, document: str | None, language: str, subdomain: str
) -> None:
    page(tmp_path / path, "x")
    found, nameless = page_files([tmp_path], Refusals())
    if document is None:
        assert not found and len(nameless) == (0 if "/." in path else 1)
    else:
        assert [(each.document, each.language, each.subdomain) for each in found] == [(document, language, subdomain)]
        assert found[0].where == path


def test_a_folder_given_by_itself_says_the_language_of_pages_that_do_not(tmp_path: Path) -> None:
    page(tmp_path / "en" / "a.html", "x")
    page(tmp_path / "de" / "a.html", "x")
    page(tmp_path / "de" / "b.fr.html", "x")
    found, nameless = page_files([tmp_path / "en", tmp_path / "de"], Refusals())
    assert [(each.document, each.language) for each in found] == [("a", "en"), ("a", "de"), ("b", "fr")]
    assert not nameless


def test_single_files_are_pages_by_the_end_of_their_names(tmp_path: Path) -> None:
    paths = [page(tmp_path / str(n) / f"page.{code}.html", "x") for n, code in enumerate(("en", "de"))]
    found, _nameless = page_files(paths, Refusals())
    assert [(each.document, each.language) for each in found] == [("page", "en"), ("page", "de")]
    assert is_page(paths[0]) and is_page(page(tmp_path / "a.de.txt", "Wort")) and not is_page(tmp_path / "none.de.txt")
    assert not is_page(page(tmp_path / "a.txt", "x")) and not is_page(page(tmp_path / "b.de.txt", '{"id": 1}'))


def test_a_folder_has_pages_if_it_has_html_or_two_languages_and_nothing_else_to_import(tmp_path: Path) -> None:
    page(tmp_path / "de" / "a.txt", "x")
    assert not has_pages(tmp_path)
    page(tmp_path / "en" / "a.txt", "x")
    assert has_pages(tmp_path)
    page(tmp_path / "a.html", "x")
    page(tmp_path / "en" / "a_files" / "style.css", "x")
    assert has_pages(tmp_path)
    page(tmp_path / "labels.json", "[]")
    assert not has_pages(tmp_path)


@pytest.mark.parametrize(
    ("part", "language"),
    [("de", "de"), ("xx", ""), ("e1", ""), ("rm", "rm"), ("de-ch", "de-CH"), ("English", "en"), ("min", ""), ("", "")],
)
def test_a_name_is_a_language_or_not(part: str, language: str) -> None:
    assert language_named(part) == language
