"""Imports of documents in several languages: the report on the page, in the command's output and in the API."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Pair
from annotation.models.imports import Import
from annotation.services.import_jobs import imports_run
from annotation.services.import_report import ImportReport
from tests.annotation.formats.made_pages import DROPPED, html, packed, page, town_pages
from tests.annotation.work import House, house

pytestmark = pytest.mark.django_db


def run(*arguments: object) -> str:
    out = io.StringIO()
    call_command("import_pairs", *map(str, arguments), stdout=out)
    return out.getvalue()


def requested(home: House, path: Path, **more: Any) -> dict[str, Any]:
    """What the API says of a preview of a file."""
    file = {"name": path.name, "base64": base64.b64encode(path.read_bytes()).decode()}
    address = reverse("api-imports", args=(home.project.slug,))
    response = home.lead.post(address, json.dumps({"files": [file], **more}), content_type="application/json")
    imports_run()
    answer = home.lead.get(reverse("api-import", args=(home.project.slug, response.json()["id"])))
    return dict(answer.json())


def test_the_command_prints_what_was_dropped_and_the_statistics(tmp_path: Path) -> None:
    printed = run(town_pages(tmp_path / "town"), "--project", "towns").splitlines()
    assert "  pairs: 2 new, 0 already there" in printed and "  documents: 1 kept, 4 dropped" in printed
    for (document, language), reason in DROPPED.items():
        assert f"    {document} {language}: {reason}" in printed
    assert "  en-de, en: 1 documents, 34 tokens (34 to 34, mean 34.0)" in printed
    again = run(tmp_path / "town", "--project", "towns")
    assert "  pairs: 0 new, 2 already there" in again and Pair.objects.count() == 2


def test_the_command_refuses_pages_of_which_none_is_left(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no document remains: missing in en"):
        page(tmp_path / "de" / "a.txt", "Ein Satz hat vier Wörter.")
        page(tmp_path / "en" / "b.txt", "A sentence has four words.")
        run(tmp_path, "--project", "towns", "--format", "pages")
    assert not Pair.objects.exists()


def test_the_api_has_the_report_of_a_preview_and_of_the_import(tmp_path: Path) -> None:
    home = house()
    found = requested(home, packed(town_pages(tmp_path / "town"), tmp_path / "town.zip"))
    assert (found["status"], found["format"] or found["preview"]["format"]) == ("done", "pages")
    documents = found["report"]["documents"]
    assert (documents["kept"], documents["dropped_documents"], documents["pairs"]) == (1, 4, ["en-de", "en-fr"])
    assert {(each["document"], each["language"]): each["reason"] for each in documents["dropped"]} == DROPPED
    assert {each["where"] for each in documents["dropped"]} >= {"town.zip/de/links.html"}
    assert documents["statistics"][0]["tokens"] == 34


def test_the_pages_of_the_preview_and_the_import_show_it(tmp_path: Path) -> None:
    home = house()
    path = packed(town_pages(tmp_path / "town"), tmp_path / "town.zip")
    found = requested(home, path)
    address = reverse("import-result", args=(home.project.slug, found["id"]))
    preview = home.lead.get(address).content.decode()
    for words in (
        "<b>1 document</b> has all the selected languages.",
        "4 were dropped:",
        "only links",
        "it looks like de",
    ):
        assert words in " ".join(preview.split()), words
    assert 'name="pairs"' in preview and 'name="sentences"' in preview and 'name="text_a_column"' not in preview
    home.lead.post(
        reverse("import-recheck", args=(home.project.slug, found["id"])), {"pairs": "de-en", "sentences": "3"}
    )
    imports_run()
    again = home.lead.get(address).content.decode()
    assert "<b>4 documents</b> have all the selected languages." in " ".join(again.split()) and 'value="de-en"' in again
    home.lead.post(reverse("import-recheck", args=(home.project.slug, found["id"])), {"pairs": "de-it"})
    imports_run()
    wrong = home.lead.get(address).content.decode()
    assert "is not a pair of the languages found" in wrong and 'value="de-it"' in wrong
    home.lead.post(reverse("import-recheck", args=(home.project.slug, found["id"])), {"pairs": "de-en"})
    imports_run()
    home.lead.post(reverse("import-start", args=(home.project.slug, found["id"])))
    imports_run()
    done = home.lead.get(address).content.decode()
    assert "<b>4 pairs</b> imported" in done and "have all the selected languages" in done
    assert Pair.objects.filter(project=home.project, metadata__document="library").count() == 1


def test_a_table_with_one_column_per_language_offers_its_pairs(tmp_path: Path) -> None:
    home = house()
    text = "id,en,de,fr\nx,The library is open.,Die Bibliothek ist offen.,La bibliothèque est ouverte.\n"
    path = page(tmp_path / "t.csv", text)
    found = requested(home, path)
    assert found["preview"]["table"]["texts"] == {"en": "en", "de": "de", "fr": "fr"}
    shown = home.lead.get(reverse("import-result", args=(home.project.slug, found["id"]))).content.decode()
    assert 'name="pairs"' in shown and 'name="id_column"' in shown and 'name="text_a_column"' not in shown
    assert found["report"]["documents"]["kept"] == 1 and found["report"]["pairs_new"] == 2


def test_reports_of_earlier_versions_have_no_documents() -> None:
    stored = ImportReport("towns").to_json()
    del stored["documents"]
    assert ImportReport.from_json(stored).documents is None
    assert not Import.objects.exists()


def test_hostile_names_and_texts_are_shown_as_text(tmp_path: Path) -> None:
    home = house()
    town = town_pages(tmp_path / "town")
    page(town / "en" / "<b>x</b>.html", html("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"))
    found = requested(home, packed(town, tmp_path / "town.zip"))
    shown = home.lead.get(reverse("import-result", args=(home.project.slug, found["id"]))).content.decode()
    assert "&lt;b&gt;x&lt;/b&gt;" in shown and "<b>x</b>" not in shown
