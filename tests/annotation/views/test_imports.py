"""Imports from a browser through a worker: checked, refused by line, or imported; the result stays."""

from __future__ import annotations

import io
import json
import re
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.translation import override

from annotation.models import Pair
from annotation.models.imports import Import, ImportFile, ImportFilePart
from annotation.services.import_jobs import imports_run
from annotation.workers import record_presence
from tests.annotation.formats.samples import NAME, town, town_line
from tests.annotation.work import House, house

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


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
    assert "This is a preview: nothing has been imported yet." in page
    assert new(home) == []


def test_of_two_tabs_the_second_is_told_that_the_import_was_started_already() -> None:
    home = house()
    row = send(home, file(line("one")), "dry").context["row"]
    start = reverse("import-start", args=(home.project.slug, row.pk))
    assert home.lead.post(start).status_code == 302
    second = home.lead.post(start, follow=True)
    assert second.status_code == 200 and "The import of these files was started already" in second.content.decode()
    ImportFile.objects.all().delete()
    other = send(home, file(line("two")), "dry").context["row"]
    ImportFile.objects.filter(to_import=other).delete()
    gone = home.lead.post(reverse("import-start", args=(home.project.slug, other.pk)), follow=True)
    assert "The files of this preview are no longer available" in gone.content.decode()


def test_a_file_called_by_its_ending_alone_is_read() -> None:
    home = house()
    row = send(home, file(line("one"), name=".jsonl"), "dry").context["row"]
    assert row.status == "done" and row.names == ["file.jsonl"] and row.done == row.total


def test_the_first_pairs_are_shown_as_they_will_look() -> None:
    """With the space between two spans next to each other, in their labels' colours."""
    home = house()
    spans = [
        {"id": label, "label": label, "fragments": [{"side": "a", "start": start, "end": end}]}
        for label, start, end in (("3", 0, 3), ("5", 4, 8))
    ]
    whole = {
        "id": "park",
        "a": {"language": "en", "text": "The park is open."},
        "b": {"language": "de", "text": "Der Park ist offen."},
        "gold": {"spans": spans},
    }
    page = send(home, file(json.dumps(whole)), "dry").content.decode()
    (reading,) = re.findall(r'<div class="reading" lang="en".*?</div>', re.sub(r"\s+", " ", page))
    marked = re.findall(r'<mark class="([^"]+)" title="(\d)" >([^<]+)</mark>', reading)
    colours = {label.key: f"c-{label.colour}" for label in home.project.labels.labels}
    assert marked == [(colours["3"], "3", "The"), (colours["5"], "5", "park")]
    assert re.sub("<[^>]+>", "", reading).strip() == "The park is open."


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
    assert (
        "<b>No new pairs</b>; 2 already there." in page and "This is a preview: nothing has been imported yet." in page
    )
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
    record_presence(["cpu"])
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
    assert "was started already" in home.lead.post(start, follow=True).content.decode()
