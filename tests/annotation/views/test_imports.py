"""Imports from a browser through a worker: checked, refused by line, or imported; the result stays."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.translation import override

from annotation.import_models import Import, ImportFile, ImportFilePart
from annotation.models import Pair, Project, Text
from annotation.services.import_jobs import imports_run
from annotation.workers import presence
from tests.annotation.formats.samples import NAME, town, town_line
from tests.annotation.work import House, house

pytestmark = pytest.mark.django_db


def line(identity: str) -> str:
    side = {"language": "en", "text": "The pool is open."}
    return json.dumps({"id": identity, "a": side, "b": {**side, "language": "de"}})


def file(*lines: str, name: str = "pairs.jsonl") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, "\n".join(lines).encode())


def ask(home: House, files: Any, step: str, **more: Any) -> Any:
    return home.lead.post(
        reverse("import", args=(home.project.slug,)), {"upload": files, "step": step, "format": "", **more}
    )


def send(home: House, files: Any, step: str, **more: Any) -> Any:
    """The page of the result, after a worker ran the import; or the page that refuses to request it."""
    response = ask(home, files, step, **more)
    if response.status_code != 302:
        return response
    imports_run()
    return home.lead.get(response["Location"])


def refused(response: Any) -> bool:
    return "Nothing was imported" in response.content.decode()


def new(home: House) -> list[str]:
    found = Pair.objects.filter(project=home.project).exclude(pk=home.assignment.pair_id)
    return list(found.values_list("external_id", flat=True))


def test_a_dry_run_says_what_would_happen_and_changes_nothing() -> None:
    home = house()
    page = send(home, file(line("one"), line("two")), "dry").content.decode()
    assert "<b>2 pairs</b> would be imported." in page and "already there" not in page.split("<details")[0]
    assert "Dry run: no changes made." in page
    assert new(home) == []


def test_an_import_adds_pairs_and_a_second_one_creates_no_duplicates() -> None:
    home = house()
    for said in ("<b>2 pairs</b> imported.", "<b>No new pairs</b>; 2 already there."):
        page = send(home, [file(line("one")), file(line("two"), name="more.jsonl")], "import").content.decode()
        assert said in page
        assert new(home) == ["one", "two"]


def test_work_on_known_pairs_is_said_in_the_result_and_in_the_list() -> None:
    home = house()
    send(home, [file(line("one"), line("two"))], "import")
    annotations: list[dict[str, Any]] = [
        {"annotator": name, "verdict": "submitted", "spans": []} for name in ("anna", "bruno")
    ]
    work = [json.dumps({**json.loads(line("one")), "annotations": annotations, "gold": {"spans": []}}), line("two")]
    page = send(home, file(*work), "dry").content.decode()
    assert "<b>No new pairs</b>; 2 already there." in page and "Dry run: no changes made." in page
    assert "<b>2 annotations</b> would be imported." in page
    assert "Gold would be imported for <b>1 pair</b>." in page
    page = send(home, file(*work), "import").content.decode()
    assert "<b>2 annotations</b> imported." in page and "Gold imported for <b>1 pair</b>." in page
    page = " ".join(home.lead.get(reverse("import", args=(home.project.slug,))).content.decode().split())
    assert "0 new pairs · 2 new annotations · gold of 1 pair </td>" in page
    page = send(home, file(*work), "import").content.decode()
    assert "<b>No new pairs</b>; 2 already there." in page and "annotation</b>" not in page
    assert "annotations</b>" not in page and "Gold" not in page.split("<details")[0].split("import-result")[1]


def test_a_bad_file_is_refused_whole_with_line_and_reason() -> None:
    home = house()
    response = send(home, file(line("one"), "{"), "import")
    page = response.content.decode()
    assert refused(response) and "pairs.jsonl:2" in page
    assert new(home) == []


def test_reasons_are_shown_in_the_readers_language_whichever_the_worker_spoke() -> None:
    home = house()
    wrong = json.dumps({"id": "two", "a": [], "b": {"language": "de", "text": "Offen."}})
    response = ask(home, file("{}", wrong), "import")
    with override("fr"):
        imports_run()
    page = home.lead.get(response["Location"], headers={"Accept-Language": "de"}).content.decode()
    assert "Nichts wurde importiert: 2 Sachen" in page
    assert "id: fehlt" in page and "a: erwartet wird ein Objekt, nicht eine Liste" in page
    page = home.lead.get(response["Location"]).content.decode()
    assert "id: missing" in page and "a: an object is expected, not a list" in page
    Import.objects.update(rejections=[{"where": "pairs.jsonl:1", "reason": "stored by an earlier version"}])
    assert "stored by an earlier version" in home.lead.get(response["Location"]).content.decode()


def test_an_archive_is_imported_as_its_files() -> None:
    home = house()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("folder/pairs.jsonl", line("packed"))
    upload = SimpleUploadedFile("pairs.zip", packed.getvalue())
    send(home, upload, "import", format="jsonl")
    assert new(home) == ["packed"]


def test_an_archive_that_leads_out_of_itself_is_refused() -> None:
    home = house()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../outside.jsonl", line("outside"))
    response = send(home, SimpleUploadedFile("pairs.zip", packed.getvalue()), "import", format="jsonl")
    assert refused(response) and "leads outside the archive" in response.content.decode()


def test_what_is_no_archive_is_refused() -> None:
    response = send(house(), SimpleUploadedFile("pairs.zip", b"no archive"), "import", format="jsonl")
    assert refused(response) and "not a zip archive" in response.content.decode()


@pytest.mark.parametrize(("options", "words"), [("splendid", "is not key=value"), ("splendid=yes", "splendid")])
def test_options_are_read_by_line_and_unknown_ones_refused(options: str, words: str) -> None:
    home = house()
    response = send(home, file(line("one")), "import", options=options)
    assert response.status_code == 422 and words in response.content.decode()
    assert new(home) == []


def test_rows_of_files_of_one_name_are_told_apart_by_their_archives() -> None:
    home = house()
    first, second = archive(**{"pairs.jsonl": line("one")}), archive(**{"folder__pairs.JSONL": line("one") + "\n{"})
    first.name, second.name = "first.zip", "second.ZIP"
    page = send(home, [first, second], "import", format="jsonl").content.decode()
    assert "second.ZIP/folder/pairs.JSONL:2" in page
    assert new(home) == []
    first, second = archive(**{"pairs.jsonl": line("one")}), archive(**{"pairs.jsonl": line("one")})
    first.name, second.name = "first.zip", "second.zip"
    page = send(home, [first, second], "import", format="jsonl").content.decode()
    assert "second.zip/pairs.jsonl:1" in page and "first in first.zip/pairs.jsonl:1" in page


def archive(**files: str) -> SimpleUploadedFile:
    """A zip archive of files by name (`__` stands for a slash)."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for name, text in files.items():
            target.writestr(name.replace("__", "/"), text)
    return SimpleUploadedFile("upload.zip", packed.getvalue())


def test_a_folder_of_the_server_cannot_be_named(tmp_path: Path) -> None:
    home = house()
    root = town(tmp_path, first=[town_line()], second=[])
    line = (root / "annotations_raw" / "annotations1" / "de" / f"{NAME}.jsonl").read_text()
    files = {f"annotations_raw__annotations1__de__{NAME}.jsonl": line}
    options = f"language=de\npages={root / 'cut_parsed_pages'}"
    response = send(home, archive(**files), "import", format="swissgov", options=options)
    page = response.content.decode()
    assert response.status_code == 422 and "option pages" in page and new(home) == []
    assert "<code>pages=</code>" not in page and "<code>phase=</code>" in page


def test_nothing_beside_the_upload_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader of SwissGov-RSD folders looks up to two folders above for the pages; those must be the upload's."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    town(tmp_path, first=[town_line()], second=[])
    home = house()
    names = (f"annotations{number}__de__{NAME}.jsonl" for number in (1, 2))
    packed = archive(**dict.fromkeys(names, json.dumps(town_line())))
    packed.name = "annotations_raw.zip"
    packed.seek(0)
    response = send(home, packed, "import", format="swissgov")
    assert refused(response) and "cut_parsed_pages" in response.content.decode()


@pytest.mark.parametrize(
    ("upload", "format", "options"),
    [
        (file("{"), "jsonl", ""),
        (file("x", name="pairs.txt"), "", ""),
        (file("x", name="pairs.txt"), "jsonl", ""),
        (file("x", name="pairs.csv"), "csv", ""),
        (file("id,text_a,text_b\n1,a,b", name="pairs.csv"), "csv", ""),
        (file('{"id": "x", "language": "en", "text": "one"}'), "jsonl", ""),
        (file('{"id": "x", "text_a": "a", "text_b": "b", "labels_a": [0], "labels_b": [0]}'), "rsd", ""),
        (file("[", name="pairs.json"), "xparade", ""),
        (file("x"), "swissgov", ""),
        (file("x"), "hub", ""),
        (file("x"), "jsonl", "pages=/etc"),
        (archive(a="x"), "hub", ""),
        (archive(a="x"), "swissgov", "phase=last"),
        (archive(a="x"), "swissgov", ""),
        (archive(annotations_raw__annotations1__de__a="x"), "swissgov", "language=fr"),
        (archive(annotations_raw__a="x"), "swissgov", "phase=trial"),
    ],
)
def test_a_refusal_shows_neither_server_paths_nor_words_of_the_command_line(
    upload: SimpleUploadedFile, format: str, options: str
) -> None:
    upload.seek(0)
    response = send(house(), upload, "import", format=format, options=options)
    page = response.content.decode().partition("<main")[2].partition("</main")[0]
    assert "Nothing was imported" in page and "<table" in page
    shown = page.partition("<table")[2].partition("</table")[0]
    for secret in (tempfile.gettempdir(), "diptych-import", "--", "import_pairs"):
        assert secret not in shown, shown


def paths(home: House) -> list[tuple[str, str]]:
    """Every URL of imports with its method."""
    ask(home, file(line("one")), "dry")
    row = Import.objects.get()
    named = {"import": "get", "import-result": "get", "import-start": "post", "import-cancel": "post"}
    return [
        (method, reverse(name, args=(home.project.slug, *([] if name == "import" else [row.pk]))))
        for name, method in named.items()
    ]


def test_only_leads_see_imports() -> None:
    home = house()
    for method, path in paths(home):
        assert getattr(home.stranger, method)(path).status_code == 404
        assert getattr(home.annotator, method)(path).status_code == 403
        assert getattr(home.adjudicator, method)(path).status_code == 403
        assert getattr(home.anonymous, method)(path).status_code == (302 if method == "get" else 401)


def test_an_import_of_another_project_is_not_found() -> None:
    home, other = house(), house()
    ask(other, file(line("one")), "dry")
    path = reverse("import-result", args=(home.project.slug, Import.objects.get().pk))
    assert home.lead.get(path).status_code == 404


def test_the_page_waits_and_asks_again_until_the_worker_is_done() -> None:
    home = house()
    address = ask(home, file(line("one")), "import")["Location"]
    waiting = home.lead.get(address).content.decode()
    assert "Waiting for a worker" in waiting and "hx-get" in waiting and new(home) == []
    no_worker = "No worker is running, so nothing will happen yet. Start one with script/worker."
    assert no_worker in waiting
    presence(["cpu"])
    assert no_worker not in home.lead.get(address).content.decode()
    imports_run()
    fragment = home.lead.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<b>1 pair</b> imported." in fragment and "hx-get" not in fragment and "<html" not in fragment
    assert address in home.lead.get(reverse("import", args=(home.project.slug,))).content.decode()


def test_the_result_says_what_comes_next_until_the_pairs_are_assigned() -> None:
    home = house()
    people, plan = (f'href="{reverse(name, args=(home.project.slug,))}">' for name in ("people", "plan"))
    dry = send(home, file(line("one")), "check").content.decode()
    done = send(home, file(line("one")), "import")
    page = done.content.decode()
    assert f"{plan}Assign pairs" in page and f"{plan}Assign pairs" not in dry
    address = done.request["PATH_INFO"]
    home.project.annotators.filter(role="annotator").update(role="adjudicator")
    page = home.lead.get(address).content.decode()
    assert f"{people}Add people" in page and f"{plan}Assign pairs" not in page
    home.project.pairs.exclude(pk=home.assignment.pair_id).delete()
    page = home.lead.get(address).content.decode()
    assert "Add people" not in page and "Assign pairs" not in page


def test_a_dry_run_can_be_imported_with_one_click_which_removes_its_files() -> None:
    home = house()
    send(home, file(line("one")), "dry")
    row = Import.objects.get()
    start = reverse("import-start", args=(home.project.slug, row.pk))
    assert start in home.lead.get(reverse("import-result", args=(home.project.slug, row.pk))).content.decode()
    home.lead.post(start)
    imports_run()
    assert new(home) == ["one"] and not ImportFile.objects.exists() and not ImportFilePart.objects.exists()
    assert home.lead.post(start).status_code == 409


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
        and "last import of such a table" in later.content.decode()
    )
    assert later.context["row"].report["pairs_new"] == 1 and later.context["row"].report["pairs_known"] == 2
    assert home.lead.post(recheck, again).status_code == 409, "its files are gone"


def test_a_refused_table_can_be_read_in_another_way() -> None:
    home = house()
    response = send(home, workbook(("one", "two"), ("a", "b"), ("c", "d")), "dry")
    assert refused(response) and "no column was recognised as text_a, text_b" in response.content.decode()
    assert response.context["reading"] is not None
    chosen = {"text_a_column": "one", "text_b_column": "two", "language_a": "en", "language_b": "de", "id_column": "-"}
    row = response.context["row"]
    home.lead.post(reverse("import-recheck", args=(home.project.slug, row.pk)), chosen)
    imports_run()
    report = Import.objects.get(pk=row.pk).report
    assert report is not None and report["pairs_new"] == 2
    bad = home.lead.post(reverse("import-recheck", args=(home.project.slug, row.pk)), {"sheet": "x", "format": "csv"})
    assert bad.status_code == 302 and Import.objects.get(pk=row.pk).status == "done"
    assert "this format has no such option" in home.lead.get(bad["Location"]).content.decode()


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
    assert response.context["reading"].initial["sheet"] == "Data"
    response = send(home, sheets(One=[("Title",)], Two=[]), "dry")
    assert refused(response) and [name for name, _ in response.context["reading"].fields["sheet"].widget.choices] == [
        "One",
        "Two",
    ]


def again(home: House, row: Import, **chosen: str) -> Import:
    """A dry run, read again as the form has it with `chosen`."""
    page = home.lead.get(reverse("import-result", args=(home.project.slug, row.pk)))
    form = page.context["reading"]
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


def test_choices_are_remembered_although_rows_were_refused() -> None:
    home = house()
    key, first, second = OWN[0], OWN[1], OWN[2]
    twice = (key, first, (1, *second[1:]))
    row = again(home, send(home, workbook(*twice), "dry").context["row"], id_column="Nr.")
    assert row.status == "refused" and "appears twice" in row.rejections[0]["reason"]
    # Still refused: what was remembered is said and kept.
    response = send(home, workbook(*twice, (1, "Children pay nothing.", "Kinder zahlen nichts.")), "dry")
    assert refused(response) and response.context["row"].options["id_column"] == "Nr."
    assert "last import of such a table" in response.content.decode()
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
