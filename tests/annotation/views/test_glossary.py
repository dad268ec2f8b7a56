"""The glossary's pages: leads search, edit, upload and download; nobody else sees them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.glossaries.entries import TermEntry
from annotation.glossaries.formats import read
from annotation.models import User
from annotation.models.glossary import GlossaryEntry
from annotation.services.glossary import glossary_entry_save
from tests.annotation.glossaries.samples import TSV
from tests.annotation.work import House, house

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
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
    assert 'value="law"' in page and ">\nold</textarea>" in page
    languages = {"term_language": "en", "translation_language": "de"}
    body = {"term": "law", "translations": "Gesetz", "note": "", "revision": "1", **languages}
    assert home.lead.post(address(home, "glossary-entry", entry.pk), body).status_code == 302
    entry.refresh_from_db()
    assert (entry.translations, entry.note) == (["Gesetz"], "")
    changed = GlossaryEntry.history.filter(history_type="~").get()
    assert changed.history_user is not None
    refused = home.lead.post(address(home, "glossary-entry", entry.pk), {**body, "translations": ";"})
    assert refused.status_code == 422
    assert home.lead.post(address(home, "glossary-delete", entry.pk), {"revision": "2"}).status_code == 302
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
    assert upload(home, home.lead, "law\tRecht\n" + "no tab\n" * 5, step="upload").status_code == 302
    told = home.lead.get(address(home)).content.decode()
    assert "1 new, 0 with other translations, 0 deleted" in told
    assert "5 rows were rejected: line 2, no tab" in told and "; line 4, no tab" in told and "and 2 more" in told
    by_htmx = upload(home, home.lead, "right\tRecht\n", step="upload", headers={"HX-Request": "true"})
    assert by_htmx["HX-Redirect"] == address(home) and GlossaryEntry.objects.count() == 4


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_file_that_deletes_entries_asks_first(headers: dict[str, str]) -> None:
    home = house()
    for term in ("law", "right"):
        add(home, term)
    response = upload(home, home.lead, step="upload", replace="on", headers=headers)
    page = response.content.decode()
    assert response.status_code == 200 and "Delete 2 entries?" in page and 'name="deletes"' in page
    assert ">law" in page.replace("\n", "").replace(" ", "") and GlossaryEntry.objects.count() == 2
    assert "Delete 2 entries?" in upload(home, home.lead, replace="on", deletes="1").content.decode()
    assert upload(home, home.lead, replace="on", deletes="2").status_code == 302
    assert sorted(GlossaryEntry.objects.values_list("term", flat=True)) == ["library", "power of attorney"]


def test_languages_have_a_column_where_there_are_several() -> None:
    home = house()
    add(home)
    assert ">Languages</th>" not in home.lead.get(address(home)).content.decode()
    glossary_entry_save(
        project=home.project, term_language="en", translation_language="fr", term="law", translations=["droit"]
    )
    page = home.lead.get(address(home)).content.decode()
    assert ">Languages</th>" in page and "<td>en–fr</td>" in page


def test_the_chip_of_the_glossary_is_current_on_all_its_pages() -> None:
    home = house()
    entry = add(home)
    for response in (
        home.lead.get(address(home)),
        upload(home, home.lead),
        home.lead.get(address(home, "glossary-entry", entry.pk)),
        home.lead.post(address(home, "glossary-delete", entry.pk)),
    ):
        page = " ".join(response.content.decode().split())
        assert 'aria-current="page">Glossary</a>' in page


def test_an_entry_that_someone_else_changed_is_shown_in_both_versions() -> None:
    home = house()
    entry = add(home)
    lead = User.objects.get(memberships__project=home.project, memberships__role="lead").username
    form = address(home, "glossary-entry", entry.pk)
    assert 'name="revision" value="1"' in home.lead.get(form).content.decode()
    body = {"term": "law", "note": "", "term_language": "en", "translation_language": "de", "revision": "1"}
    assert home.lead.post(form, {**body, "translations": "Gesetz"}).status_code == 302
    conflict = home.superuser.post(form, {**body, "translations": "Jura"})
    page = " ".join(conflict.content.decode().split())
    assert conflict.status_code == 422 and f"{lead} changed this entry on" in page
    assert "Gesetz" in page and 'value="Jura"' in page and 'name="revision" value="2"' in page
    invalid = home.superuser.post(form, {**body, "term": "", "translations": "Jura"}).content.decode()
    assert 'name="revision" value="1"' in invalid, "what was not shown yet isn't replaced"
    assert home.superuser.post(form, {**body, "translations": "Jura", "revision": "2"}).status_code == 302
    entry.refresh_from_db()
    assert (entry.translations, entry.revision) == (["Jura"], 3)


def test_a_deletion_asks_and_is_of_the_entry_that_was_shown() -> None:
    home = house()
    entry = add(home)
    delete = address(home, "glossary-delete", entry.pk)
    response = home.lead.post(delete)
    assert response.status_code == 200 and "Delete “law”?" in response.content.decode()
    GlossaryEntry.objects.update(revision=2)
    refused = home.lead.post(delete, {"revision": "1"})
    assert refused.status_code == 422 and "was changed by someone else" in refused.content.decode()
    assert 'name="revision" value="2"' in refused.content.decode() and GlossaryEntry.objects.exists()
    assert home.lead.post(delete, {"revision": "2"}).status_code == 302 and not GlossaryEntry.objects.exists()


def test_the_reasons_of_rejected_rows_are_in_the_language_of_the_reader() -> None:
    home = house()
    home.lead.cookies["django_language"] = "de"
    page = upload(home, home.lead, "law\tRecht\nno tab\nbell\x07\tGlocke\n").content.decode()
    assert "Zeile 2" in page and "Tabulator" in page and "U+0007" in page and "is not printed" not in page
    refused = upload(home, home.lead, "<html/>", "a.tbx").content.decode()
    assert "kein TBX" in refused and "not martif" not in refused


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


def test_the_download_as_tbx_is_a_file_that_can_be_uploaded() -> None:
    home = house()
    upload(home, home.lead, step="upload")
    response = home.lead.get(address(home, "glossary-download-tbx", "en", "de"))
    assert response["Content-Disposition"] == f'attachment; filename="{home.project.slug}-en-de.tbx"'
    parsed = read("a.tbx", response.content, "en", "de")
    assert parsed.entries == [
        TermEntry("library", ("Bibliothek", "Bücherei"), "the house"),
        TermEntry("power of attorney", ("Vollmacht",)),
    ]


def test_the_last_deletion_can_be_undone() -> None:
    home = house()
    restore = address(home, "glossary-restore")
    assert "There are no deleted entries" in home.lead.post(restore, follow=True).content.decode()
    entry = add(home)
    history = GlossaryEntry.history.count()
    home.lead.post(address(home, "glossary-delete", entry.pk), {"revision": "1"})
    said = home.lead.get(address(home, "glossary")).content.decode()
    assert f"Last deleted: “{entry.term}”" in said
    said = home.lead.post(restore, follow=True).content.decode()
    assert f"“{entry.term}” was restored." in said and "Last deleted" not in said
    back = GlossaryEntry.objects.get()
    assert (back.pk, back.term, back.translations, back.revision) == (entry.pk, entry.term, entry.translations, 2)
    assert GlossaryEntry.history.count() == history + 2 and back.history.latest().history_type == "+"


def test_what_a_file_deleted_is_restored_together_and_only_what_is_not_back() -> None:
    home = house()
    upload(home, home.lead, step="upload")
    upload(home, home.lead, "law\tRecht\n", step="upload", replace="on", deletes="2")
    assert [each.term for each in GlossaryEntry.objects.all()] == ["law"]
    add(home, "library")
    assert "Last deleted: “power of attorney”" in home.lead.get(address(home, "glossary")).content.decode()
    home.lead.post(address(home, "glossary-restore"))
    assert sorted(each.term for each in GlossaryEntry.objects.all()) == ["law", "library", "power of attorney"]


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
    files = (("glossary-download", ("en", "de")), ("glossary-download-tbx", ("en", "de")))
    for name, more in (("glossary-entry", (entry.pk,)), *files):
        status = client.get(address(home, name, *more)).status_code
        assert status == (302 if who == "anonymous" else expected)
    deleted = client.post(address(home, "glossary-delete", entry.pk), {"revision": "1"}).status_code
    assert deleted == (302 if who == "superuser" else expected)
    assert GlossaryEntry.objects.count() == (0 if who == "superuser" else 1)
    restored = client.post(address(home, "glossary-restore")).status_code
    assert restored == (302 if who == "superuser" else expected)
