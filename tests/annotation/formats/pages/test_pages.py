"""Pages in several languages: which are kept, which are dropped and why, and what their pairs are."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation import formats
from annotation.formats.record import FormatError, ParsedSource
from annotation.text.tokens import tokenize
from tests.annotation.formats.made_pages import DROPPED, TEXTS, html, page, paragraphs, town_pages


def read(folder: Path, **options: str) -> ParsedSource:
    assert formats.format_of([folder]) == "pages"
    return formats.read("", [folder], options)


def refused(folder: Path, **options: str) -> str:
    with pytest.raises(FormatError) as caught:
        formats.read("pages", [folder], options)
    return str(caught.value)


def test_a_page_becomes_a_pair_with_english_for_each_other_language(tmp_path: Path) -> None:
    found = read(town_pages(tmp_path / "town"))
    assert [(each.id, each.a.language, each.b.language) for each in found.records] == [
        ("library-de", "en", "de"),
        ("library-fr", "en", "fr"),
    ]
    assert found.records[0].a.text == "\n".join(("Bibliotheca", *TEXTS["en"]))
    assert found.records[1].b.text == "\n".join(("Bibliotheca", *TEXTS["fr"]))
    assert {each.metadata["document"] for each in found.records} == {"library"}


def test_the_report_names_every_page_that_is_dropped_with_its_reason(tmp_path: Path) -> None:
    report = read(town_pages(tmp_path / "town")).documents
    assert report is not None and (report.kept, report.dropped_documents) == (1, 4)
    assert {(each.document, each.language): str(each.phrase) for each in report.dropped} == DROPPED
    assert {each.where for each in report.dropped} == {
        "de/links.html", "de/missing.html", "fr/short.html", "fr/wrong.html"
    }  # fmt: skip


def test_the_statistics_are_those_of_the_kept_texts(tmp_path: Path) -> None:
    report = read(town_pages(tmp_path / "town")).documents
    assert report is not None
    rows = {(row.languages, row.side): row for row in report.sizes}
    tokens = {code: len(tokenize("\n".join(("Bibliotheca", *texts)), code)) for code, texts in TEXTS.items()}
    assert tokens["en"] == 1 + 12 + 9 + 12  # counted by hand, full stops included
    assert rows[("en", "de"), "a"].tokens == rows[("en", "fr"), "a"].tokens == tokens["en"]
    assert (rows[("en", "fr"), "b"].documents, rows[("en", "fr"), "b"].mean) == (1, tokens["fr"])


def test_the_wanted_pairs_are_chosen_and_only_their_languages_are_needed(tmp_path: Path) -> None:
    town = town_pages(tmp_path / "town")
    chosen = read(town, pairs="de-en")
    assert chosen.documents is not None and chosen.documents.languages == ["de", "en"]
    assert [each.id for each in chosen.records] == ["library-en", "missing-en", "short-en", "wrong-en"]
    every = read(town, pairs="all", side_a="fr")
    assert [each.id for each in every.records] == ["library-de", "library-en", "library-de+en"]
    assert "'en-it' is not a pair of the languages found (de, en, fr)" in refused(town, pairs="en-it")
    assert "'it' is not one of the languages found" in refused(town, side_a="it")


def test_how_many_sentences_a_page_needs_is_an_option(tmp_path: Path) -> None:
    town = town_pages(tmp_path / "town")
    assert {each.metadata["document"] for each in read(town, sentences="1").records} == {"library", "short"}
    assert "4 sentences in en: 3 of 3" in refused(town, sentences="4")
    assert "a number from 0 to 999 is expected, not 'many'" in refused(town, sentences="many")


def test_a_page_mostly_in_another_language_is_dropped(tmp_path: Path) -> None:
    town = town_pages(tmp_path / "town")
    page(town / "fr" / "library.html", html(paragraphs([*TEXTS["fr"], *TEXTS["de"] * 3])))
    assert read(town).documents is not None
    page(town / "fr" / "library.html", html(paragraphs([*TEXTS["fr"], *TEXTS["de"] * 3, "Das Amt hat am Montag zu."])))
    assert "most sentences are not in fr: only 3 of 13 are; it looks like de" in refused(town)


def test_without_any_page_left_the_import_is_refused_with_the_reasons(tmp_path: Path) -> None:
    page(tmp_path / "en" / "a.html", html(paragraphs(TEXTS["en"])))
    page(tmp_path / "de" / "b.txt", "Kurz.")
    said = refused(tmp_path)
    assert "'a' is dropped, and no document remains: missing in de" in said
    assert "'b' is dropped, and no document remains: missing in en" in said
    (tmp_path / "de" / "b.txt").unlink()
    assert "texts in at least two languages are needed; found: en" in refused(tmp_path)
    (tmp_path / "en" / "a.html").unlink()
    assert "there is no page (.html, .htm, .xhtml, .txt)" in refused(tmp_path)
    assert "there is no such file or folder" in refused(tmp_path / "nowhere")


def test_pages_in_one_language_alone_are_refused_as_pages(tmp_path: Path) -> None:
    page(tmp_path / "en" / "a.html", "<p>A page.</p>")
    with pytest.raises(FormatError, match="texts in at least two languages are needed; found: en"):
        read(tmp_path)
    with pytest.raises(FormatError, match="texts in at least two languages are needed; found: en"):
        read(tmp_path / "en")


def test_two_files_of_one_page_drop_it_and_files_without_a_language_are_named(tmp_path: Path) -> None:
    town = town_pages(tmp_path / "town")
    page(town / "library.de.txt", "\n".join(TEXTS["de"]))
    page(town / "imprint.html", html("<p>Imprint</p>"))
    said = refused(town)
    assert "two files are this page in de: de/library.html and library.de.txt" in said
    assert "imprint.html: 'imprint.html' is dropped" in said and "says its language" in said


def test_pages_have_their_subdomain_and_addresses(tmp_path: Path) -> None:
    for code, texts in TEXTS.items():
        link = f'<meta charset="utf-8"><link rel="canonical" href="https://www.town.example/{code}/a">'
        page(tmp_path / "p" / code / "stated.html", html(paragraphs(texts), head=link))
        page(tmp_path / "p" / "parks.town.example" / code / "by-folder.txt", "\n".join(texts))
    found = {each.id: each for each in read(tmp_path / "p").records}
    stated, folder = found["stated-de"], found["parks.town.example/by-folder-de"]
    assert stated.metadata == {
        "document": "stated", "subdomain": "town.example", "file_a": "stated.html", "file_b": "stated.html",
        "url_a": "https://www.town.example/en/a", "url_b": "https://www.town.example/de/a",
    }  # fmt: skip
    assert folder.metadata["subdomain"] == "parks.town.example" and "url_a" not in folder.metadata


def test_a_list_says_which_files_are_one_page(tmp_path: Path) -> None:
    for name, code in (("hours", "en"), ("zeiten", "de"), ("heures", "fr")):
        page(tmp_path / "pages" / f"{name}.html", html(paragraphs(TEXTS[code])))
    rows = "document,subdomain,en,de,fr,topic\nopening,town.example,hours.html,zeiten.html,heures.html,books\n"
    page(tmp_path / "diptych-pages.csv", rows.replace("hours", "pages/hours").replace(",z", ",pages/z"))
    listed = tmp_path / "diptych-pages.csv"
    listed.write_text(listed.read_text().replace(",heures", ",pages/heures"))
    found = read(tmp_path)
    assert [each.id for each in found.records] == ["opening-de", "opening-fr"]
    assert found.records[0].metadata["topic"] == "books"
    assert found.documents is not None
    assert [row.subdomain for row in found.documents.sizes] == ["", "town.example"] * 4
    for outside in ("../secret.html", "/etc/hostname", "pages/none.html", "pages/\x1b.html"):
        listed.write_text(f"document,en,de\nx,pages/hours.html,{outside}\n")
        assert "there is no file" in refused(tmp_path)
    listed.write_text("document,en,de\nx,pages/hours.html,diptych-pages.csv\n")
    assert "is neither HTML nor plain text" in refused(tmp_path)


def test_links_that_lead_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    town = town_pages(tmp_path / "town")
    secret = page(tmp_path / "secret", "\n".join(TEXTS["de"]))
    (town / "de" / "evil.html").symlink_to(secret)
    assert refused(town) == "de/evil.html: is a link that leads out of the folder; remove it"
    (town / "de" / "evil.html").unlink()
    (town / "de" / "again.html").symlink_to(town / "de" / "library.html")
    read(town)
    # A folder that is itself a link may be given.
    (tmp_path / "link").symlink_to(town)
    read(tmp_path / "link")
    (town / "diptych-pages.csv").symlink_to(secret)
    assert refused(town) == "diptych-pages.csv: is a link that leads out of the folder; remove it"


def test_names_that_no_pair_can_have_drop_the_page(tmp_path: Path) -> None:
    town = town_pages(tmp_path / "town")
    for code, texts in TEXTS.items():
        page(town / code / "a\u202eb.html", html(paragraphs(texts)))
        deep = "/".join(["folder" * 10] * 5)
        page(town / code / deep / "x.html", html(paragraphs(texts)))
    report = read(town).documents
    assert report is not None and (report.kept, report.dropped_documents) == (1, 6)
    reasons = {str(each.phrase) for each in report.dropped}
    assert {"its name has characters that can't be printed", "its name has more than 227 characters"} <= reasons


def test_a_folder_with_other_data_is_no_folder_of_pages(tmp_path: Path) -> None:
    town = town_pages(tmp_path / "town")
    page(town / "pairs.jsonl", '{"id": "x", "a": {}, "b": {}}\n')
    assert formats.format_of([town]) == "jsonl"
