"""Documents in several languages in tables and rows, and which pairs of languages are made of them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from annotation import formats
from annotation.formats.language_pairs import wanted_pairs
from annotation.formats.record import FormatError
from annotation.formats.spreadsheet.sample import write_xlsx
from tests.annotation.formats.made_pages import TEXTS

EN, DE, FR = TEXTS["en"], TEXTS["de"], TEXTS["fr"]
HEADER = ("id", "subdomain", "en", "Deutsch", "text_fr", "topic")
ROWS = (
    ("hours", "a.example", EN[0], DE[0], FR[0], "x"),
    ("cards", "b.example", EN[1], DE[1], "", "x"),
    ("loans", "b.example", EN[2], DE[2], FR[2], "y"),
)


def table(path: Path, *rows: tuple[str, ...]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


@pytest.mark.parametrize(
    ("languages", "options", "pairs"),
    [
        ("de en fr", {}, "en-de en-fr"),
        ("de fr", {}, "de-fr"),
        ("de-CH en-US fr", {}, "en-US-de-CH en-US-fr"),
        ("en-GB de en", {}, "en-en-GB en-de"),
        ("de en fr", {"side_a": "FR"}, "fr-de fr-en"),
        ("de en fr", {"pairs": "all"}, "en-de en-fr de-fr"),
        ("de en fr", {"pairs": "EN-DE, en-fr, en-de"}, "en-de en-fr"),
        ("de-CH en zh-Hant", {"pairs": "de-CH-en,en-zh-hant"}, "de-CH-en en-zh-Hant"),
    ],
)
def test_the_wanted_pairs(languages: str, options: dict[str, str], pairs: str) -> None:
    assert " ".join("-".join(pair) for pair in wanted_pairs(languages.split(), options)) == pairs


@pytest.mark.parametrize("pairs", ["en", "en-en", "en-de-fr", ",", "en-it", "-"])
def test_what_is_no_pair_is_refused(pairs: str) -> None:
    with pytest.raises(FormatError, match="is not a pair of the languages found"):
        wanted_pairs(["en", "de", "fr"], {"pairs": pairs})


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_table_with_one_column_per_language_is_documents(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"t.{kind}"
    if kind == "csv":
        table(path, HEADER, *ROWS)
    else:
        write_xlsx(path, (HEADER, *ROWS))
    found = formats.read("", [path], {})
    assert found.table is not None and found.table.texts == {"en": "en", "de": "Deutsch", "fr": "text_fr"}
    assert [each.id for each in found.records] == ["hours-de", "hours-fr", "loans-de", "loans-fr"]
    assert found.records[0].metadata == {"subdomain": "a.example", "topic": "x", "document": "hours"}
    assert found.documents is not None
    (dropped,) = found.documents.dropped
    assert (dropped.document, dropped.language, str(dropped.phrase)) == ("cards", "fr", "missing in fr")
    assert dropped.where.startswith(f"t.{kind}") and dropped.where.endswith(":3")
    first = found.documents.sizes[:3]
    assert [(row.subdomain, row.documents, row.tokens, row.min_tokens, row.max_tokens) for row in first] == [
        ("", 2, 24, 12, 12),
        ("a.example", 1, 12, 12, 12),
        ("b.example", 1, 12, 12, 12),
    ]


def test_a_table_of_two_languages_is_documents_only_if_pairs_are_named(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", ("id", "en", "de"), ("x", EN[0], DE[0]), ("y", EN[1], DE[1]), ("z", "", DE[2]))
    with pytest.raises(FormatError, match=r"a\.text: empty"):
        formats.read("", [path], {})
    found = formats.read("", [path], {"pairs": "de-en"})
    assert [(each.id, each.a.language) for each in found.records] == [("x-en", "de"), ("y-en", "de")]


def test_chosen_columns_are_sides_and_not_documents(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", HEADER, ROWS[0])
    found = formats.read("", [path], {"text_a_column": "text_fr", "text_b_column": "en"})
    assert [(each.a.language, each.b.language) for each in found.records] == [("fr", "en")]


def test_documents_without_ids_are_named_by_their_texts(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", ("en", "de", "fr"), (EN[0], DE[0], FR[0]))
    (first, second) = formats.read("", [path], {}).records
    assert first.id.startswith("document-") and first.id.endswith("-de")
    assert first.metadata["document"] == second.metadata["document"]
    table(path, ("en", "de", "fr"), (EN[0], DE[0], FR[0]), (EN[0], DE[0], FR[0]))
    with pytest.raises(FormatError, match="appears twice in en"):
        formats.read("", [path], {})


def test_rows_of_single_texts_are_complete_documents_if_pairs_or_sentences_are_named(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    rows = [{"id": "hours", "language": code, "text": " ".join(texts)} for code, texts in TEXTS.items()]
    rows += [{"id": "cards", "language": "en", "text": EN[1]}, {"id": "cards", "language": "de", "text": DE[1]}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    loose = formats.read("", [path], {"side_a": "en"})
    assert [each.id for each in loose.records] == ["hours-de", "hours-fr", "cards-de"] and loose.documents is None
    strict = formats.read("", [path], {"pairs": "all"})
    assert [each.id for each in strict.records] == ["hours-de", "hours-fr", "hours-de+fr"]
    assert strict.documents is not None and strict.documents.dropped_documents == 1
    enough = formats.read("", [path], {"pairs": "en-de", "sentences": "2"})
    assert [each.id for each in enough.records] == ["hours-de"]
