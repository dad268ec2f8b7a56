"""Imports in the API: a preview, its result, and the import of what was previewed."""

from __future__ import annotations

import base64
import io
from typing import Any

import openpyxl
import pytest
from django.urls import reverse

from annotation.models import Pair
from annotation.services.import_jobs import imports_run
from tests.annotation.work import House, house

pytestmark = pytest.mark.django_db


def workbook() -> str:
    book, made = openpyxl.Workbook(), io.BytesIO()
    for row in (
        ("English", "Deutsch"),
        ("The library is open on Sundays for all.", "Die Bibliothek ist am Sonntag für alle offen."),
    ):
        book.worksheets[0].append(row)
    book.save(made)
    return base64.b64encode(made.getvalue()).decode()


def post(home: House, name: str, body: Any, *keys: int) -> Any:
    address = reverse(name, args=(home.project.slug, *keys))
    return home.lead.post(address, body, content_type="application/json")


def test_a_spreadsheet_is_previewed_and_then_imported() -> None:
    home = house()
    before = Pair.objects.count()
    made = post(home, "api-imports", {"files": [{"name": "own.xlsx", "base64": workbook()}]}).json()
    assert (made["status"], made["is_preview"], made["preview"]) == ("queued", True, None)
    imports_run()
    found = home.lead.get(reverse("api-import", args=(home.project.slug, made["id"]))).json()
    assert found["status"] == "done" and Pair.objects.count() == before
    assert found["preview"]["table"]["mapping"] == {"text_a": "English", "text_b": "Deutsch"}
    assert found["preview"]["languages"] == [{"a": "en", "b": "de", "pairs": 1}]
    started = post(home, "api-import-start", {}, made["id"])
    assert started.json()["is_preview"] is False
    imports_run()
    assert Pair.objects.count() == before + 1
    assert post(home, "api-import-start", {}, made["id"]).status_code == 409


def test_rejected_rows_are_named() -> None:
    home = house()
    text = "id,language_a,text_a,language_b,text_b\np1,en,,de,x\n"
    made = post(home, "api-imports", {"files": [{"name": "p.csv", "text": text}], "preview": False}).json()
    imports_run()
    found = home.lead.get(reverse("api-import", args=(home.project.slug, made["id"]))).json()
    assert (found["status"], found["rejected"]) == ("refused", 1)
    assert found["rejections"][0]["where"] == "p.csv:2" and "empty" in found["rejections"][0]["reason"]


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ({"name": "p.csv"}, "needs its content as text or in Base64"),
        ({"name": "p.csv", "text": "x", "base64": "eA=="}, "needs its content as text or in Base64"),
        ({"name": "p.xlsx", "base64": "no base64!"}, "The content is not valid."),
        ({"name": "..", "text": "x"}, "“..” is not a valid file name."),
    ],
)
def test_a_file_without_valid_content_is_refused(file: dict[str, str], reason: str) -> None:
    response = post(house(), "api-imports", {"files": [file]})
    assert response.status_code == 422 and reason in response.json()["error"]["message"]


def test_a_name_longer_than_any_file_may_have_is_shortened() -> None:
    text = "id,language_a,text_a,language_b,text_b\np1,en,Open.,de,Offen.\n"
    home = house()
    before = Pair.objects.count()
    sent = {"files": [{"name": "é" * 130 + ".csv", "text": text}], "preview": False}
    assert post(home, "api-imports", sent).json()["status"] == "queued"
    imports_run()
    assert Pair.objects.count() == before + 1


def test_an_unknown_option_is_refused_at_once() -> None:
    body = {"files": [{"name": "p.csv", "text": "a,b\n"}], "options": {"splendid": "yes"}}
    response = post(house(), "api-imports", body)
    assert response.status_code == 422 and "splendid" in response.content.decode()


def test_a_request_may_have_megabytes() -> None:
    text = "id,language_a,text_a,language_b,text_b\n" + "".join(
        f"p{n},en,{'Open on Sundays. ' * 60},de,Sonntags offen.\n" for n in range(2000)
    )
    assert len(text) > 2_000_000
    assert post(house(), "api-imports", {"files": [{"name": "p.csv", "text": text}]}).status_code == 200
