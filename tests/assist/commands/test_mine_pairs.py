"""`manage.py mine_pairs`: the command that tells what it would import, and imports it."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Pair, Project
from tests.assist.mining.test_mine import EN, ES

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for language, paragraphs in (("en", EN), ("es", ES)):
        (tmp_path / f"town.{language}.txt").write_text("\n\n".join(paragraphs), encoding="utf-8")
    return tmp_path


def command_output(*args: Any) -> str:
    out = StringIO()
    call_command("mine_pairs", *map(str, args), "--set", "shortest=20", stdout=out)
    return out.getvalue()


def test_a_dry_run_lists_pairs_and_what_was_dropped(folder: Path) -> None:
    out = command_output(folder, "--project", "town", "--dry-run")
    assert "town:2-4" in out and "[enough other pairs from the same article]" in out
    assert "1 articles in en and es: 4 and 4 paragraphs" in out
    assert "of which 1 are kept" in out and "1 and 1 summaries excluded" in out
    assert "Would import into town (new)" in out
    assert not Project.objects.exists()


def test_pairs_are_imported_with_where_they_come_from_and_only_once(folder: Path) -> None:
    out = command_output(folder, "--project", "town", "--set", "per_article=none")
    assert "pairs: 2 new, 0 already there" in out
    pair = Pair.objects.get(external_id="town:2-4")
    assert (pair.a.content, pair.b.content) == (EN[1], ES[3])
    assert pair.metadata["mined"]["article"] == "town"
    assert pair.project.labels.name == "xparade"
    assert "pairs: 0 new, 2 already there" in command_output(folder, "--project", "town", "--set", "per_article=none")
    assert Pair.objects.count() == 2


def test_nothing_kept_imports_nothing(folder: Path) -> None:
    out = command_output(folder, "--project", "town", "--set", "least_similar=0.99")
    assert "of which 0 are kept" in out and "Imported" not in out and not Project.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (["colour=red"], "There is no setting “colour”"),
        (["per_article=0"], "per_article.*at least 1, or none"),
        (["language_a=de"], "The articles are in en, es"),
        (["method=encoder", "model=/nowhere"], "nowhere"),
    ],
)
def test_wrong_settings_are_refused(folder: Path, wrong: list[str], why: str) -> None:
    given = [part for each in wrong for part in ("--set", each)]
    with pytest.raises(CommandError, match=why):
        command_output(folder, "--project", "town", *given)
    assert not Project.objects.exists()


def test_wrong_files_are_all_named(folder: Path) -> None:
    (folder / "nameless.txt").write_text("One.")
    (folder / "more.jsonl").write_text("{}\n")
    with pytest.raises(CommandError) as refused:
        command_output(folder, "--project", "town")
    assert "nameless.txt: its name shows no language" in str(refused.value)
    assert "more.jsonl:1: id: missing" in str(refused.value)
