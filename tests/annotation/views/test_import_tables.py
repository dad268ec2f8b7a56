"""The preview of tables and workbooks: sheets, headers, columns that are remembered, and what is refused."""

from __future__ import annotations

import io
import json
from html import unescape
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Pair, Project, Text
from annotation.models.imports import Import, ImportFile
from annotation.services.import_jobs import imports_run
from tests.annotation.views.test_imports import ask, file, line, new, refused, send
from tests.annotation.work import House, house

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_a_cancelled_import_changes_nothing_and_keeps_no_file() -> None:
    home = house()
    ask(home, file(line("one")), "import")
    row = Import.objects.get()
    cancel = reverse("import-cancel", args=(home.project.slug, row.pk))
    page = home.lead.post(cancel, follow=True).content.decode()
    imports_run()
    assert "Cancelled: nothing was imported." in page and new(home) == []
    assert not ImportFile.objects.exists()
    assert home.lead.post(cancel).status_code == 409


def test_a_refused_import_leaves_nothing_behind() -> None:
    home = house()
    texts = Text.objects.count()
    bad = json.dumps({**json.loads(line("two")), "gold": {"spans": [{"id": "s", "label": "9", "fragments": []}]}})
    response = send(home, file(line("one"), bad), "import")
    assert refused(response) and "pairs.jsonl:2" in response.content.decode()
    assert (new(home), Text.objects.count(), Project.with_staged.filter(staged=True).count()) == ([], texts, 0)
    assert not ImportFile.objects.exists()


def workbook(*rows: tuple[Any, ...]) -> SimpleUploadedFile:
    book, made = openpyxl.Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    for row in rows:
        sheet.append(row)
    book.save(made)
    return SimpleUploadedFile("own.xlsx", made.getvalue())


OWN = (
    ("Nr.", "English", "Deutsch"),
    (1, "The library is open on Sundays for all.", "Die Bibliothek ist am Sonntag für alle offen."),
    (2, "You can borrow ten books.", "Sie können zehn Bücher ausleihen."),
)


def test_a_preview_shows_what_was_understood_before_anything_is_written() -> None:
    home = house()
    response = send(home, workbook(*OWN), "dry")
    preview = response.context["preview"]
    assert preview["format"] == "spreadsheet" and preview["table"]["columns"] == ["Nr.", "English", "Deutsch"]
    assert preview["table"]["mapping"] == {"id": "Nr.", "text_a": "English", "text_b": "Deutsch"}
    assert preview["languages"] == [{"a": "en", "b": "de", "pairs": 2}]
    body = response.content.decode()
    assert "Text A is English, by the column" in body and "The library is open on Sundays" in body
    assert "The first 2 of 2 pairs" in body and new(home) == []


def test_columns_are_chosen_again_without_a_second_upload_and_remembered() -> None:
    home = house()
    row = Import.objects.get(pk=send(home, workbook(*OWN), "dry").context["row"].pk)
    again = {"id_column": "-", "text_a_column": "Deutsch", "text_b_column": "English"}
    languages = {"language_a": "de", "language_b": "en"}
    recheck = reverse("import-recheck", args=(home.project.slug, row.pk))
    home.lead.post(recheck, {**again, **languages, "format": ""})
    imports_run()
    row.refresh_from_db()
    assert (
        row.preview is not None
        and row.status == "done"
        and row.preview["languages"] == [{"a": "de", "b": "en", "pairs": 2}]
    )
    assert row.preview["pairs"][0]["id"].startswith("pair-")
    home.lead.post(reverse("import-start", args=(home.project.slug, row.pk)))
    imports_run()
    assert len(new(home)) == 2 and not ImportFile.objects.exists()
    third = (3, "Children pay nothing on Sundays.", "Kinder zahlen am Sonntag nichts und die anderen auch.")
    later = send(home, workbook(*OWN, third), "dry")
    assert (
        later.context["row"].options == {**again, **languages}
        and "last chosen in this project for such a table" in later.content.decode()
    )
    assert later.context["row"].report["pairs_new"] == 1 and later.context["row"].report["pairs_known"] == 2
    assert home.lead.post(recheck, again).status_code == 409, "its files are gone"


def test_a_refused_table_can_be_read_in_another_way() -> None:
    home = house()
    response = send(home, workbook(("one", "two"), ("a", "b"), ("c", "d")), "dry")
    assert refused(response) and "no column was recognised as text_a, text_b" in response.content.decode()
    assert response.context["options_form"] is not None
    chosen = {"text_a_column": "one", "text_b_column": "two", "language_a": "en", "language_b": "de", "id_column": "-"}
    row = response.context["row"]
    home.lead.post(reverse("import-recheck", args=(home.project.slug, row.pk)), chosen)
    imports_run()
    report = Import.objects.get(pk=row.pk).report
    assert report is not None and report["pairs_new"] == 2
    bad = home.lead.post(reverse("import-recheck", args=(home.project.slug, row.pk)), {"sheet": "x", "format": "csv"})
    assert bad.status_code == 422 and Import.objects.get(pk=row.pk).status == "done"
    assert "this format has no such option" in bad.content.decode()


MIXED = (
    ("Nr.", "One", "Other"),
    (1, "The library is open on Sundays and it is free.", "Die Bibliothek ist am Sonntag für alle offen."),
    (2, "You can borrow ten books of the library.", "Children of the town are free to borrow the books."),
)


def test_a_language_that_is_not_sure_has_to_be_chosen_before_the_import() -> None:
    home = house()
    response = send(home, workbook(*MIXED), "dry")
    page = " ".join(response.content.decode().split())
    row = response.context["row"]
    assert refused(response) and row.rejected == 1 and "the language of text B could not be determined" in page
    assert "choose it below</a> and read the files again" in page and "Correct these rows" not in page
    assert "The first 2 of 2 pairs" in page and not response.context["can_start"]
    shown = response.context["options_form"].initial
    assert shown["language_a"] == "en" and "language_b" not in shown
    assert again(home, row).status == "refused"
    row = again(home, row, language_b="fr")
    assert row.status == "done" and row.report is not None and row.report["pairs_new"] == 2
    home.lead.post(reverse("import-start", args=(home.project.slug, row.pk)))
    imports_run()
    assert len(new(home)) == 2
    # The same texts in the language of a guess are no contradiction to those in the project.
    response = send(home, workbook(("Id", "One", "Two"), *MIXED[1:]), "import")
    assert refused(response) and response.context["row"].rejected == 1
    assert "Correct these rows" in response.content.decode()


def sheets(**rows: list[tuple[Any, ...]]) -> SimpleUploadedFile:
    """A workbook with these rows by sheet."""
    book, made = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.worksheets[0])
    for name, each in rows.items():
        sheet = book.create_sheet(name)
        for row in each:
            sheet.append(row)
    book.save(made)
    return SimpleUploadedFile("own.xlsx", made.getvalue())


def test_a_preview_says_which_sheets_have_no_table_and_offers_all() -> None:
    home = house()
    response = send(home, sheets(Tabelle1=[("Tabelle1",)], Data=[*OWN]), "dry")
    page = " ".join(response.content.decode().split())
    assert (
        "“Data”, because those before it have no table: Tabelle1." in page
        and "<b>2 pairs</b> would be imported." in page
    )
    assert response.context["options_form"].initial["sheet"] == "Data"
    response = send(home, sheets(One=[*OWN], Two=[*OWN]), "dry")
    page = " ".join(response.content.decode().split())
    assert "Only “One” is imported. These have a table too; import each separately: Two." in page
    response = send(home, sheets(One=[("Title",)], Two=[]), "dry")
    assert refused(response) and [
        name for name, _ in response.context["options_form"].fields["sheet"].widget.choices
    ] == [
        "One",
        "Two",
    ]


def again(home: House, row: Import, **chosen: str) -> Import:
    """A dry run, read again as the form has it with `chosen`."""
    page = home.lead.get(reverse("import-result", args=(home.project.slug, row.pk)))
    form = page.context["options_form"]
    shown = {name: form[name].value() for name in form.fields}
    if "id_column" in shown:
        shown["id_column"] = shown["id_column"] or "-"
    sent = {name: value if value is not None else "" for name, value in shown.items()}
    home.lead.post(reverse("import-recheck", args=(home.project.slug, row.pk)), {**sent, **chosen})
    imports_run()
    row.refresh_from_db()
    return row


def test_the_row_of_the_header_can_be_chosen_below_a_title() -> None:
    home = house()
    response = send(home, workbook(("Texts of the town",), *OWN), "dry")
    assert refused(response) and "row 1 has to name every column" in response.content.decode()
    row = again(home, response.context["row"], header="2")
    assert row.preview is not None and row.options == {"header": "2"} and row.status == "done"
    assert row.preview["table"]["mapping"] == {"id": "Nr.", "text_a": "English", "text_b": "Deutsch"}
    assert again(home, row).options["header"] == "2"
    row = again(home, row, header="1")
    assert row.status == "refused" and "header" not in row.options


def test_another_sheet_is_read_by_its_own_columns() -> None:
    home = house()
    other = [("German", "French"), ("Die Bibliothek ist am Sonntag offen.", "La bibliothèque est ouverte le dimanche.")]
    row = send(home, sheets(One=[*OWN], Two=other), "dry").context["row"]
    row = again(home, row, sheet="Two")
    assert row.preview is not None and row.options == {"sheet": "Two"}
    assert row.preview["languages"] == [{"a": "de", "b": "fr", "pairs": 1}]


def test_texts_keep_their_language_when_their_columns_are_swapped() -> None:
    home = house()
    row = send(home, workbook(*OWN), "dry").context["row"]
    guessed = {"language_a": "en", "language_b": "de"}
    swapped = {"text_a_column": "Deutsch", "text_b_column": "English"}
    row = again(home, row, **swapped, **guessed)
    assert row.preview is not None and row.preview["languages"] == [{"a": "de", "b": "en", "pairs": 2}]
    # Chosen together with the columns, languages are as they were chosen.
    row = again(home, row, text_a_column="English", text_b_column="Deutsch", language_a="en-GB", language_b="de-CH")
    assert row.preview is not None and row.preview["languages"] == [{"a": "en-GB", "b": "de-CH", "pairs": 2}]
    # A column that had no language before is recognised.
    row = again(home, row, text_a_column="English", text_b_column="Nr.", language_a="en-GB", language_b="de-CH")
    chosen = {"text_a_column": "English", "text_b_column": "Nr.", "id_column": "Nr.", "language_a": "en-GB"}
    assert row.options == chosen


def test_a_language_that_is_none_is_refused_at_once_and_never_remembered() -> None:
    home = house()
    row = send(home, workbook(*OWN), "dry").context["row"]
    response = home.lead.post(
        reverse("import-recheck", args=(home.project.slug, row.pk)), {"language_a": "English", "language_b": "de"}
    )
    assert response.status_code == 422
    (error,) = response.context["options_form"].errors["language_a"]
    assert error.startswith("'English' is not a language tag") and error in unescape(response.text)
    assert response.context["options_form"]["language_b"].value() == "de", "what was chosen is still there"
    assert not response.context["can_start"], "it would be imported as it was read before"
    later = send(home, workbook(*OWN), "dry").context["row"]
    assert later.status == "done" and later.options == {}


def test_what_was_only_previewed_is_not_imported_with_those_choices_unseen() -> None:
    home = house()
    swapped = {"text_a_column": "Deutsch", "text_b_column": "English", "id_column": "Nr."}
    row = again(home, send(home, workbook(*OWN), "dry").context["row"], **swapped)
    assert send(home, workbook(*OWN), "dry").context["row"].options == row.options, "another preview shows them"
    assert send(home, workbook(*OWN), "import").context["row"].options == {}
    assert Pair.objects.get(external_id=new(home)[0]).a.language == "en"
    home.lead.post(reverse("import-start", args=(home.project.slug, row.pk)))
    imports_run()
    third = (3, "Children pay nothing on Sundays.", "Kinder zahlen am Sonntag nichts und die anderen auch.")
    assert send(home, workbook(OWN[0], third), "import").context["row"].options == row.options


def test_choices_are_remembered_although_rows_were_refused() -> None:
    home = house()
    key, first, second = OWN[0], OWN[1], OWN[2]
    twice = (key, first, (1, *second[1:]))
    row = again(home, send(home, workbook(*twice), "dry").context["row"], id_column="Nr.")
    assert row.status == "refused" and "appears twice" in row.rejections[0]["reason"]
    # Still refused: what was remembered is said and kept.
    response = send(home, workbook(*twice, (1, "Children pay nothing.", "Kinder zahlen nichts.")), "dry")
    assert refused(response) and response.context["row"].options["id_column"] == "Nr."
    assert "last chosen in this project for such a table" in response.content.decode()
    later = send(home, workbook(*OWN), "dry").context["row"]
    assert later.status == "done" and later.options["id_column"] == "Nr."
    assert later.preview["table"]["mapping"]["id"] == "Nr." and later.preview["remembered"]


def test_a_header_below_a_title_is_remembered_for_tables_with_that_title() -> None:
    home = house()
    title = ("Texts of the town",)
    again(home, send(home, workbook(title, *OWN, OWN[1]), "dry").context["row"], header="2", id_column="Nr.")
    later = send(home, workbook(title, *OWN), "dry").context["row"]
    assert later.status == "done" and later.options["header"] == "2" and later.options["id_column"] == "Nr."
    # Without the title, two rows would be lost.
    later = send(home, workbook(*OWN), "dry").context["row"]
    assert "header" not in later.options and later.report["pairs_new"] == 2


def test_choices_by_which_no_texts_were_found_are_not_remembered() -> None:
    home = house()
    both = {"text_a_column": "English", "text_b_column": "English"}
    row = again(home, send(home, workbook(*OWN), "dry").context["row"], **both)
    assert row.status == "refused" and "is chosen twice" in row.rejections[0]["reason"]
    later = send(home, workbook(*OWN), "dry").context["row"]
    assert later.status == "done" and later.options == {}


def test_a_refusal_says_what_to_do_next() -> None:
    home = house()
    correct = f'<a href="{reverse("import", args=(home.project.slug,))}">choose the files again</a>'
    for step, below in (("dry", True), ("import", False)):
        page = send(home, file(line("one"), "{"), step).content.decode()
        assert "1 problem found" in page and correct in page
        assert ('<a href="#preview">' in page, 'id="preview"' in page) == (below, below)
    assert correct not in send(home, file(line("one")), "dry").content.decode()


def test_a_broken_workbook_is_to_be_saved_again() -> None:
    whole = workbook(*OWN).read()
    response = send(house(), SimpleUploadedFile("own.xlsx", whole[: len(whole) // 2]), "dry")
    page = response.content.decode()
    assert refused(response) and "open it and save it again" in page and "pack it" not in page
