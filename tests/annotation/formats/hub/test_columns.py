"""What a published dataset says about its rows beside the content: where it comes from, and SwissGov-RSD's form."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import datasets
import pytest
from django.utils import timezone

from agreement.publication.export import export
from annotation.formats import hub, rsd
from annotation.formats.record import PairRecord, TextRecord
from annotation.models import Annotation, Assignment, Highlight, Project
from annotation.services.imports import import_files
from annotation.text.schemes import PRESETS
from annotation.text.spans import Fragment, Span
from tests.annotation.formats.samples import lines, pair, span
from tests.paths import published


def loaded(folder: Path, config: str) -> list[dict[str, Any]]:
    found = datasets.load_dataset(str(folder), config, cache_dir=str(folder.parent / "cache"))
    return [row for split in found.values() for row in split]


def test_tokens_have_the_released_form(tmp_path: Path) -> None:
    text = TextRecord("en", "Open from 1 000 , daily .", [(0, 4), (5, 9), (10, 15), (16, 17), (18, 23), (24, 25)])
    spans = [Span("x", "5", (Fragment("a", 5, 17),)), Span("y", "2", (Fragment("a", 10, 15),))]
    record = PairRecord("p1", text, TextRecord("de", "Offen .", [(0, 5), (6, 7)]), gold=spans, split="test")
    hub.write([record, PairRecord("p2", text, text)], PRESETS["graded"], tmp_path / "set")
    (row,) = loaded(tmp_path / "set", "tokens")
    assert row == {
        "text_a": "Open from 1\N{NO-BREAK SPACE}000 , daily .",
        "text_b": "Offen .",
        "labels_a": [0.0, 1.0, 0.4, -1.0, 0.0, -1.0],
        "labels_b": [0.0, -1.0],
        "id": "p1",
        "subset": "en-de",
    }
    assert datasets.get_dataset_split_names(str(tmp_path / "set"), "tokens") == ["test"]


def test_a_scheme_without_grades_has_no_tokens(tmp_path: Path) -> None:
    text = TextRecord("en", "Open.", [(0, 4)])
    hub.write([PairRecord("p1", text, text, gold=[])], PRESETS["xparade"], tmp_path / "set")
    assert not (tmp_path / "set" / "tokens").exists()
    assert "config_name: tokens" not in (tmp_path / "set" / "README.md").read_text()


@pytest.mark.django_db
def test_rows_say_where_they_come_from(tmp_path: Path) -> None:
    work = [{"annotator": "1", "spans": [span("4", ("a", 0, 4))]}, {"annotator": "2", "spans": []}]
    import_files(slug="towns", paths=[lines(tmp_path / "p.jsonl", pair(annotations=work))])
    Annotation.objects.filter(assignment__annotator__alias="2").update(revision=7)
    Assignment.objects.filter(annotator__alias="1").update(highlights_shown=True)
    project = Project.objects.get()
    Highlight.objects.create(pair=project.pairs.get(), run="r1", method="m", scores_a=[], scores_b=[])
    Highlight.objects.update(made=timezone.now() - timedelta(days=1))
    export(project=project, to="hub", out=tmp_path / "set")
    (row,) = loaded(tmp_path / "set", "annotations")
    for side, text in (("a", project.pairs.get().a), ("b", project.pairs.get().b)):
        assert row[f"sha256_{side}"] == hashlib.sha256(text.content.encode()).hexdigest()
        assert row[f"tokenizer_{side}"] == text.tokenizer != ""
    first, second = row["annotations"]
    assert (first["highlights"], second["highlights"], second["revision"]) == (True, False, 7)


@pytest.mark.data
def test_the_released_gold_comes_out_as_it_was(tmp_path: Path) -> None:
    """Every label of SwissGov-RSD's gold, value for value."""
    (path,) = published("swissgov", "gold_labels").glob("*.jsonl")
    records = rsd.read([path], {}).records
    hub.write(records, PRESETS["graded"], tmp_path / "set")
    again = {row["id"]: row for row in loaded(tmp_path / "set", "tokens")}
    for given in map(json.loads, path.read_text().splitlines()):
        row = again[given["id"]]
        assert [row["text_a"], row["text_b"]] == [given["text_a"], given["text_b"]]
        assert row["labels_a"] == pytest.approx(given["labels_a"]) and row["labels_b"] == pytest.approx(
            given["labels_b"]
        )
