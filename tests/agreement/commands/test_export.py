"""The command writes, says where, and refuses in words."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from huggingface_hub import DatasetCard

from annotation.models.lifecycle import ProjectEvent, ProjectEventType
from tests.agreement.prelabel_eval.test_scores import graded, row

pytestmark = pytest.mark.django_db


def run(*arguments: object) -> list[str]:
    out = io.StringIO()
    call_command("export", *map(str, arguments), stdout=out)
    return out.getvalue().splitlines()


def test_it_writes_and_says_where(tmp_path: Path) -> None:
    graded(tmp_path, row(1))
    (tmp_path / "about.md").write_text("Two towns.")
    out = tmp_path / "set"
    options = ["--licence", "cc0-1.0", "--describe", tmp_path / "about.md"]
    printed = run("--project", "towns", "--to", "hub", out, *options)
    assert sorted(printed) == sorted(str(path) for path in out.rglob("*") if path.is_file())
    card = DatasetCard.load(out / "README.md")
    assert card.data.license == "cc0-1.0" and "Two towns." in card.text


def test_a_reader_that_has_seen_enough_stops_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graded(tmp_path, row(1))
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as out:
        call_command("export", "--project", "towns", "--to", "hub", str(tmp_path / "set"), stdout=out)
    assert (tmp_path / "set" / "README.md").is_file()
    assert ProjectEvent.objects.filter(what=ProjectEventType.EXPORTED).exists()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--project", "none", "--to", "hub", "set"], "There is no project"),
        (["--project", "towns", "--to", "xparade", "set"], "X-PARADE files can't hold"),
        (["--project", "towns", "--to", "hub", "set", "--describe", "nothing.md"], "nothing.md: No such file"),
        (["--project", "towns", "--to", "hub", "set", "--push", "x/y"], "HF_TOKEN"),
        (
            ["--project", "towns", "--to", "hub", "set", "--licence", "mit`"],
            r"licence: “mit`” is not a licence that can be chosen\. Choose one of: unknown, .* cc0-1\.0",
        ),
    ],
)
def test_refusals_end_with_code_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    graded(tmp_path, row(1))
    with pytest.raises(CommandError, match=reason):
        run(*arguments)
