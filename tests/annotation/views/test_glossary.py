"""The glossary's pages: leads search, edit, upload and download; nobody else sees them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import GlossaryEntry
from annotation.services.glossary import glossary_entry_save
from tests.annotation.glossaries.samples import TSV
from tests.annotation.work import House, house

pytestmark = pytest.mark.django_db
ENTRY = {
    "entry-term": "law",
    "entry-translations": "Recht; Gesetz",
    "entry-note": "as a whole",
    "entry-term_language": "en",
    "entry-translation_language": "de",
}


def address(home: House, name: str = "glossary", *more: Any) -> str:
    return reverse(name, args=(home.project.slug, *more))


def add(home: House, term: str = "law", note: str = "") -> GlossaryEntry:
    return glossary_entry_save(
        project=home.project,
        term_language="en",
        translation_language="de",
        term=term,
        translations=["Recht"],
        note=note,
    )


def upload(home: House, client: Client, text: str = TSV, name: str = "a.tsv", **more: Any) -> Any:
    headers = more.pop("headers", {})
    file = SimpleUploadedFile(name, text.encode())
    body = {"file": file, "term_language": "en", "translation_language": "de", "step": "check", **more}
    return client.post(address(home, "glossary-upload"), body, headers=headers)


def test_a_lead_adds_an_entry_and_finds_it() -> None:
    home = house()
    assert "<b>0 entries</b>" in home.lead.get(address(home)).content.decode()
    assert home.lead.post(address(home), ENTRY).status_code == 302
    add(home, "right")
    page = home.lead.get(address(home), {"q": "gesetz"}).content.decode()
    assert "<b>1 entry</b> found" in page and "Recht; Gesetz" in page and "as a whole" in page and ">right<" not in page


def test_an_entry_that_is_refused_stays_in_the_form() -> None:
    home = house()
    add(home)
    response = home.lead.post(address(home), ENTRY)
    page = response.content.decode()
    assert response.status_code == 422 and "“law” is already in the glossary" in page and "Recht; Gesetz" in page
    response = home.lead.post(address(home), {**ENTRY, "entry-term": "a\u202eb"})
    assert response.status_code == 422 and "U+202E" in response.content.decode()
    assert GlossaryEntry.objects.count() == 1


def test_an_entry_is_changed_and_deleted() -> None:
    home = house()
    entry = add(home, note="old")
    page = home.lead.get(address(home, "glossary-entry", entry.pk)).content.decode()
    assert 'value="law"' in page and 'value="old"' in page
    body = {"term": "law", "translations": "Gesetz", "note": "", "term_language": "en", "translation_language": "de"}
    assert home.lead.post(address(home, "glossary-entry", entry.pk), body).status_code == 302
    entry.refresh_from_db()
    assert (entry.translations, entry.note) == (["Gesetz"], "")
    changed = GlossaryEntry.history.filter(history_type="~").get()
    assert changed.history_user is not None
    refused = home.lead.post(address(home, "glossary-entry", entry.pk), {**body, "translations": ";"})
    assert refused.status_code == 422
    assert home.lead.post(address(home, "glossary-delete", entry.pk)).status_code == 302
    assert not GlossaryEntry.objects.exists()


def test_a_file_is_checked_first_and_changes_nothing() -> None:
    home = house()
    add(home, "library")
    response = upload(home, home.lead, TSV + "no tab\n")
    page = response.content.decode()
    assert response.status_code == 200 and "<b>2 entries</b> were read" in page and "power of attorney" in page
    assert "1 would be added, 1 would get other translations" in " ".join(page.split())
    assert "1 row was rejected" in page and "<td>no tab" in page
    part = upload(home, home.lead, TSV, headers={"HX-Request": "true"}).content.decode()
    assert "<b>2 entries</b>" in part and "<html" not in part
    assert GlossaryEntry.objects.count() == 1


def test_a_file_is_uploaded() -> None:
    home = house()
    assert upload(home, home.lead, step="upload").status_code == 302
    assert sorted(GlossaryEntry.objects.values_list("term", flat=True)) == ["library", "power of attorney"]
    assert set(GlossaryEntry.history.values_list("history_user__username", flat=True)) != {None}
    told = upload(home, home.lead, "law\tRecht\nno tab\n", step="upload", replace="on").content.decode()
    assert "1 new, 0 with other translations, 2 deleted" in told and "<td>no tab" in told
    assert GlossaryEntry.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "more", "reason"),
    [
        ("law\tRecht\n", {"name": "a.pdf"}, ".tsv"),
        ("<html/>", {"name": "a.tbx"}, "not martif or tbx"),
        ("no tab\n", {"step": "upload"}, "The file has no valid row"),
        ("law\tRecht\n", {"term_language": "english"}, "not a language tag"),
        ("law\tRecht\n", {"term_language": ""}, "required"),
    ],
)
def test_a_file_that_is_refused_says_why(text: str, more: dict[str, Any], reason: str) -> None:
    home = house()
    for headers in ({}, {"HX-Request": "true"}):
        page = upload(home, home.lead, text, headers=headers, **more)
        assert reason in page.content.decode() and page.status_code == (200 if headers else 422)
    assert not GlossaryEntry.objects.exists()


def test_the_download_is_a_file_that_can_be_uploaded() -> None:
    home = house()
    upload(home, home.lead, step="upload")
    response = home.lead.get(address(home, "glossary-download", "en", "de"))
    assert response["Content-Disposition"] == f'attachment; filename="{home.project.slug}-en-de.tsv"'
    assert response.content.decode() == (
        "en\tde\tnote\nlibrary\tBibliothek; Bücherei\tthe house\npower of attorney\tVollmacht\t\n"
    )
    assert "2 entries</b> were read" in upload(home, home.lead, response.content.decode()).content.decode()
    assert home.lead.get(address(home, "glossary-download", "en", "fr")).status_code == 404


def test_an_entry_of_another_project_is_not_found() -> None:
    home, other = house(), house()
    entry = add(other)
    for name in ("glossary-entry", "glossary-delete"):
        assert home.lead.post(address(home, name, entry.pk)).status_code == 404
    assert GlossaryEntry.objects.count() == 1


@pytest.mark.parametrize(
    ("who", "expected"),
    [("adjudicator", 403), ("annotator", 403), ("stranger", 404), ("anonymous", 401), ("superuser", 200)],
)
def test_access(who: str, expected: int) -> None:
    home = house()
    entry = add(home)
    client = getattr(home, who)
    assert upload(home, client).status_code == expected
    for name, more in (("glossary-entry", (entry.pk,)), ("glossary-download", ("en", "de"))):
        status = client.get(address(home, name, *more)).status_code
        assert status == (302 if who == "anonymous" else expected)
    deleted = client.post(address(home, "glossary-delete", entry.pk)).status_code
    assert deleted == (302 if who == "superuser" else expected)
    assert GlossaryEntry.objects.count() == (0 if who == "superuser" else 1)
