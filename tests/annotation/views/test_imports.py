"""Pairs come in from a browser: tried dry, refused whole by line, or for good."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Pair
from tests.annotation.work import House, house

pytestmark = pytest.mark.django_db


def line(identity: str) -> str:
    side = {"language": "en", "text": "The pool is open."}
    return json.dumps({"id": identity, "a": side, "b": {**side, "language": "de"}})


def file(*lines: str, name: str = "pairs.jsonl") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, "\n".join(lines).encode())


def send(home: House, files: Any, step: str, **more: Any) -> Any:
    return home.lead.post(
        reverse("import", args=(home.project.slug,)), {"upload": files, "step": step, "format": "", **more}
    )


def new(home: House) -> list[str]:
    found = Pair.objects.filter(project=home.project).exclude(pk=home.assignment.pair_id)
    return list(found.values_list("external_id", flat=True))


def test_a_dry_run_says_what_would_happen_and_changes_nothing() -> None:
    home = house()
    page = send(home, file(line("one"), line("two")), "dry").content.decode()
    assert "<b>2 pairs</b> would come in" in page and "Tried dry" in page
    assert new(home) == []


def test_an_import_brings_pairs_in_and_a_second_one_makes_no_duplicates() -> None:
    home = house()
    for _ in range(2):
        assert send(home, [file(line("one")), file(line("two"), name="more.jsonl")], "import").status_code == 302
        assert new(home) == ["one", "two"]


def test_a_bad_file_is_refused_whole_with_line_and_reason() -> None:
    home = house()
    response = send(home, file(line("one"), "{"), "import")
    page = response.content.decode()
    assert response.status_code == 422 and "pairs.jsonl:2" in page
    assert new(home) == []


def test_an_archive_comes_in_as_its_files() -> None:
    home = house()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("folder/pairs.jsonl", line("packed"))
    upload = SimpleUploadedFile("pairs.zip", packed.getvalue())
    assert send(home, upload, "import", format="jsonl").status_code == 302
    assert new(home) == ["packed"]


def test_an_archive_that_leads_out_of_itself_is_refused() -> None:
    home = house()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../outside.jsonl", line("outside"))
    response = send(home, SimpleUploadedFile("pairs.zip", packed.getvalue()), "import", format="jsonl")
    assert response.status_code == 422 and "outside itself" in response.content.decode()


def test_what_is_no_archive_is_refused() -> None:
    response = send(house(), SimpleUploadedFile("pairs.zip", b"no archive"), "import")
    assert response.status_code == 422 and "no zip archive" in response.content.decode()


@pytest.mark.parametrize(("options", "words"), [("splendid", "is not key=value"), ("splendid=yes", "splendid")])
def test_options_are_read_by_line_and_unknown_ones_refused(options: str, words: str) -> None:
    home = house()
    response = send(home, file(line("one")), "import", options=options)
    assert response.status_code == 422 and words in response.content.decode()
    assert new(home) == []
