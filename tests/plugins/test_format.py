"""A format in a module of its own is imported and exported, by command and by page, with no change elsewhere."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from agreement.management.commands.export import Command as Export
from annotation.formats import FORMATS
from annotation.management.commands.import_pairs import Command as Import
from annotation.models import Pair, Project
from tests.agreement.access import member
from tests.factories import ProjectFactory
from tests.plugins.conftest import Load

pytestmark = pytest.mark.django_db
CONTENT = "Open on Sundays.\nSonntags offen.\n\nThe pool is warm.\nDas Bad ist warm.\n"


@pytest.fixture(autouse=True)
def plugin(load: Load) -> None:
    assert "two-lines" not in FORMATS
    load("two_lines", FORMATS)


def test_commands_know_it_and_what_goes_in_comes_out(tmp_path: Path) -> None:
    (tmp_path / "towns.2l").write_text(CONTENT, encoding="utf-8")
    call_command("import_pairs", str(tmp_path / "towns.2l"), "--project", "towns", "--set", "prefix=t")
    assert list(Pair.objects.values_list("external_id", flat=True).order_by("external_id")) == ["t1", "t2"]
    out = tmp_path / "out.2l"
    for _ in range(2):  # an earlier export is a file, and replaced
        call_command("export", str(out), "--project", "towns", "--to", "two-lines")
    assert out.read_text(encoding="utf-8") == CONTENT
    assert "what the ids of pairs begin with" in help_of(Import())
    assert "two-lines: the texts of each pair, on two lines" in help_of(Export())


def help_of(command: Any) -> str:
    return " ".join(command.create_parser("manage.py", "x").format_help().split()).replace("- ", "-")


def test_pages_offer_it_and_publish_in_it(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    project: Project = ProjectFactory(slug="towns")
    lead = member(project, "lead")
    page = lead.get(reverse("import", args=["towns"])).content.decode()
    assert '<option value="two-lines">' in page and "two lines a pair" in page and "<code>prefix=</code>" in page
    (tmp_path / "towns.2l").write_text(CONTENT, encoding="utf-8")
    call_command("import_pairs", str(tmp_path / "towns.2l"), "--project", "towns")
    assert "the texts of each pair, on two lines" in lead.get(reverse("publish", args=["towns"])).content.decode()
    body = {"format": "two-lines", "licence": "cc-by-4.0", "description": ""}
    assert lead.post(reverse("publish", args=["towns"]), body).status_code == 302
    fetched = lead.get(reverse("publication", args=["towns", 1]))
    with zipfile.ZipFile(io.BytesIO(b"".join(fetched.streaming_content))) as archive:  # type: ignore[attr-defined]
        assert archive.read("towns-1/towns-1.2l").decode() == CONTENT


def test_one_that_is_only_written_is_not_offered_for_import() -> None:
    FORMATS["two-lines"] = replace(FORMATS["two-lines"], reader=None)
    assert "two-lines" not in help_of(Import())
    assert "two-lines" in help_of(Export())
