"""Archives that were changed by hand or damaged are refused, in words, and change nothing."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import transaction

from annotation.formats.project_archive import MANIFEST
from annotation.models import Annotation, Pair, Project, Text
from annotation.models.messages import Thread
from annotation.services.project_archive.tables import ADDED_LATER
from tests.agreement.publication.archives import ACCOUNTS, archive, bring, counts, demo, tables
from tests.factories import PairFactory
from tests.once import made_once

pytestmark = pytest.mark.django_db

Change = Callable[[dict[str, list[Any]], dict[str, Any]], None]


def forged(source: Path, out: Path, change: Change, *, hashed: bool = True) -> Path:
    """A copy of an archive with other rows; with `hashed` the manifest agrees with them."""
    with zipfile.ZipFile(source) as packed, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy:
        manifest = json.loads(packed.read(MANIFEST))
        rows = {label: [json.loads(line) for line in lines] for label, lines in tables(source).items()}
        change(rows, manifest)
        for label, found in rows.items():
            data = "".join(json.dumps(row) + "\n" for row in found).encode()
            copy.writestr(f"tables/{label}.jsonl", data)
            if hashed and label in manifest["tables"]:
                described = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "rows": len(found) - 1}
                manifest["tables"][label] = described
        copy.writestr(MANIFEST, json.dumps(manifest))
    return out


def put(label: str, column: str, value: Any, row: int = 1) -> Change:
    def change(rows: dict[str, list[Any]], manifest: dict[str, Any]) -> None:
        rows[label][row][rows[label][0].index(column)] = value

    return change


def without(label: str) -> Change:
    def change(rows: dict[str, list[Any]], manifest: dict[str, Any]) -> None:
        del rows[label], manifest["tables"][label]

    return change


def named(key: str, value: Any) -> Change:
    return lambda rows, manifest: manifest.update({key: value})


def more(label: str, row: int) -> Change:
    return lambda rows, manifest: rows[label].append(rows[label][row])


SPANS = {"v": 1, "spans": [{"id": "s", "label": "9", "fragments": []}]}
BEYOND = {"v": 1, "spans": [{"id": "s", "label": "1", "fragments": [{"side": "a", "start": 0, "end": 10**6}]}]}
QUOTED = {"side": "a", "start": 0, "end": 1, "text": "x"}
FORGERIES: dict[str, tuple[Change, str]] = {
    "version": (named("version", 2), "archive version 2 is not supported"),
    "format": (
        named("format", "zip"),
        "diptych-project.json: 'format' is not valid in an archive's manifest; export the",
    ),
    "extra": (named("evil", 1), "diptych-project.json: 'evil' is unknown here; update Diptych"),
    "scheme": (named("project", {"name": "x", "scheme": {"name": "x"}, "settings": {}}), "scheme"),
    "name": (named("project", {"name": ""}), ""),
    "no table": (without("annotation.pair"), "missing from the archive"),
    "reference": (put("annotation.pair", "a_id", 10**9), "refers to a row that is not in the archive"),
    "no reference": (put("annotation.pair", "a_id", None), "a_id: missing"),
    "negative": (put("annotation.pair", "a_id", -1), "refers to a row that is not in the archive"),
    "tokens": (put("annotation.text", "tokens", [[0, 10**6]]), "ends beyond its text"),
    "paragraphs": (put("annotation.text", "paragraphs", [[0, 1]]), "not those of the text"),
    "language": (put("annotation.text", "language", "not a language"), "language"),
    "id": (put("annotation.pair", "external_id", "a\u202eb"), "id"),
    "twice": (more("annotation.pair", 1), "contradict each other"),
    "label": (put("annotation.annotation", "spans", SPANS), "is not one of the scheme's labels"),
    "place": (put("annotation.revision", "spans", BEYOND), "ends beyond its text"),
    "document": (put("annotation.annotation", "spans", {"spans": 7}), ""),
    "number": (put("annotation.annotation", "active_seconds", -5), "active_seconds"),
    "kind": (put("annotation.annotation", "active_seconds", "5"), "another kind"),
    "time": (put("annotation.annotation", "made", "yesterday"), "another kind"),
    "role": (put("annotation.annotator", "role", "owner"), "not one of the allowed values"),
    "alias": (put("annotation.annotator", "alias", "a\u202eb"), "alias"),
    "scores": (put("annotation.highlight", "scores_a", [2]), "the expected form"),
    "provenance": (put("annotation.annotation", "provenance", {"s": 7}), "the expected form"),
    "quoted words": (put("annotation.thread", "quote", [{**QUOTED, "side": "c"}]), "the expected form"),
    "quoted length": (put("annotation.thread", "quote", [{**QUOTED, "text": "x" * 302}]), "the expected form"),
    "message": (put("annotation.message", "text", "x" * 4001), "the expected form"),
    "side of a message": (put("annotation.message", "by", "owner"), "not one of the allowed values"),
    "account": (more(ACCOUNTS, 1), "appears twice"),
    "warnings": (put("annotation.import", "warnings", {"x": "1"}), "the expected form"),
    "report": (put("annotation.import", "report", {"warnings": "x"}), "the expected form"),
    "gold": (put("agreement.goldversion", "excluded", {"A1": {"n": 3}}), "excluded: a stored value does not"),
    "guidelines": (put("annotation.guideline", "text", "Read\tthis.\nRing\x07"), "U+0007"),
    "settings": (lambda rows, manifest: manifest["project"]["settings"].update(highlights_run=5), "another kind"),
}


@pytest.fixture
def genuine(db: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of the demo; the database is as empty as before."""

    def make(folder: Path) -> None:
        with transaction.atomic():
            archive(demo().slug, folder / "genuine.zip")
            transaction.set_rollback(True)

    return made_once(tmp_path_factory, "archive", make) / "genuine.zip"


@pytest.mark.parametrize(
    # Rows that appear twice are refused by the database.
    "name",
    [pytest.param(name, marks=() if name == "twice" else pytest.mark.any_database) for name in FORGERIES],
)
@pytest.mark.long
def test_a_forgery_is_refused_and_changes_nothing(genuine: Path, tmp_path: Path, name: str) -> None:
    PairFactory()
    change, reason = FORGERIES[name]
    before = counts(), Text.objects.count()
    with pytest.raises(CommandError) as refused:
        bring(forged(genuine, tmp_path / "forged.zip", change), "copy")
    assert reason in str(refused.value) and "Traceback" not in str(refused.value)
    assert (counts(), Text.objects.count()) == before
    assert not Project.with_staged.filter(slug__startswith="~").exists()


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (put("annotation.annotation", "spans", SPANS), "annotation.pair: pair '{}', "),
        (put("annotation.annotation", "answers", {"x": "y"}), "annotation.pair: pair '{}', answer x: "),
    ],
)
def test_a_refusal_names_a_pair_once_by_its_own_id(genuine: Path, tmp_path: Path, change: Change, place: str) -> None:
    rows = tables(genuine)
    header, pairs = (json.loads(line) for line in rows["annotation.annotation"][:2]), rows["annotation.pair"]
    names, first = header
    pair = json.loads(pairs[first[names.index("pair_id")]])[json.loads(pairs[0]).index("external_id")]
    with pytest.raises(CommandError) as refused:
        bring(forged(genuine, tmp_path / "forged.zip", change), "copy")
    assert place.format(pair) in str(refused.value)


def test_counts_are_those_of_the_spans_whatever_the_archive_says(genuine: Path, tmp_path: Path) -> None:
    bring(genuine, "true")
    written = forged(genuine, tmp_path / "forged.zip", put("annotation.annotation", "span_count", 12_345))
    bring(forged(written, tmp_path / "both.zip", put("annotation.annotation", "label_counts", {"x": 7}, row=2)), "copy")
    true, copy = (
        list(
            Annotation.objects.filter(pair__project__slug=slug)
            .order_by("pk")
            .values_list("span_count", "token_count", "label_counts")
        )
        for slug in ("true", "copy")
    )
    assert true and true == copy


def test_an_archive_from_before_some_tables_is_imported(genuine: Path, tmp_path: Path) -> None:
    def older(rows: dict[str, list[Any]], manifest: dict[str, Any]) -> None:
        for label in ADDED_LATER:
            without(label)(rows, manifest)

    bring(forged(genuine, tmp_path / "older.zip", older), "copy")
    assert Pair.objects.filter(project__slug="copy").exists() and not Thread.objects.exists()


def test_damage_bombs_and_names_that_lead_out_are_refused(genuine: Path, tmp_path: Path) -> None:
    damaged = forged(genuine, tmp_path / "damaged.zip", put("annotation.pair", "split", "other"), hashed=False)
    bomb, out, plain = tmp_path / "bomb.zip", tmp_path / "out.zip", tmp_path / "plain.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(MANIFEST, b" " * 50_000_000)
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("../evil.json", "{}")
    plain.write_text("not a zip")
    extra = forged(genuine, tmp_path / "extra.zip", lambda rows, manifest: rows.update({"auth.user": [["x"]]}))
    for path, reason in (
        (damaged, "the archive is damaged"),
        (bomb, "times its size"),
        (out, "leads outside"),
        (plain, "not a zip archive"),
        (extra, "not listed in the manifest"),
    ):
        with pytest.raises(CommandError, match=reason):
            bring(path, "copy")
    assert not Project.with_staged.exclude(slug__in=Project.objects.values("slug")).filter(slug="copy").exists()
    assert not (tmp_path.parent / "evil.json").exists()
