"""`training_files`: a project's gold as prompts and answers."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Annotation, Project, Source
from assist.management.commands.training_files import files
from tests.assist.methods.texts import pair
from tests.factories import PairFactory, ProjectFactory, TextFactory

pytestmark = pytest.mark.django_db
SPANS = {"v": 1, "spans": [{"id": "s", "label": "5", "fragments": [{"side": "b", "start": 0, "end": 3}]}]}


@pytest.fixture
def library() -> Project:
    """Twelve pairs of different texts with gold; two of the split 'test', and one without gold."""
    project: Project = ProjectFactory(slug="library")
    for number in range(13):
        made = PairFactory(
            project=project,
            a=TextFactory(content=f"Room {number} opens at {number} on day {number}."),
            b=TextFactory(language="de", content=f"Raum {number} öffnet um {number} am Tag {number}."),
            split="test" if number < 2 else "",
            position=number,
        )
        if number < 12:
            Annotation.objects.create(source=Source.GOLD, verdict="submitted", pair=made, gold_version=0, spans=SPANS)
    return project


def write(out: Path, *more: str) -> str:
    printed = io.StringIO()
    call_command("training_files", "--project", "library", *more, str(out), stdout=printed)
    return printed.getvalue()


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def asked(example: dict[str, Any]) -> str:
    found: str = json.loads(example["messages"][-2]["content"])["A"]["words"][1]
    return found


def test_gold_is_written_in_two_files_without_test_pairs(library: Project, tmp_path: Path) -> None:
    out = tmp_path / "files"
    said = write(out)
    train, dev = lines(out / "train.jsonl"), lines(out / "dev.jsonl")
    assert f"train.jsonl: {len(train)} examples" in said and f"dev.jsonl: {len(dev)} examples" in said
    assert sorted(int(asked(each)) for each in [*train, *dev]) == list(range(2, 12))
    assert dev and len(train) > len(dev)
    answer = json.loads(train[0]["messages"][-1]["content"])
    assert answer["B"][0] == {"word": "Raum", "similarity": 0} and answer["B"][2]["similarity"] == 5


def test_a_split_dev_is_the_validation_file(library: Project, tmp_path: Path) -> None:
    library.pairs.filter(position__in=(3, 4)).update(split="Dev")
    write(tmp_path / "files")
    assert sorted(asked(each) for each in lines(tmp_path / "files" / "dev.jsonl")) == ["3", "4"]


def test_what_cannot_be_written_is_said_and_nothing_is_changed(library: Project, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(CommandError, match="name a folder that does not exist"):
        write(tmp_path / "there")
    with pytest.raises(CommandError, match="“unit”"):
        write(tmp_path / "new", "--set", "unit=chapter")
    Annotation.objects.all().delete()
    with pytest.raises(CommandError, match="annotate some first"):
        write(tmp_path / "new")
    assert not (tmp_path / "new").exists() and list((tmp_path / "there").iterdir()) == []


def test_pairs_that_share_a_sentence_are_in_one_file() -> None:
    pairs = [pair(f"Room {n} opens at nine.", f"Raum {n // 2} öffnet um neun Uhr.", str(n)) for n in range(40)]
    found = files(pairs)
    assert {*found} == {"train", "dev"}
    assert all(found[n] == found[n + 1] for n in range(0, 40, 2))
