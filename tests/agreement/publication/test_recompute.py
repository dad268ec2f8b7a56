"""The script that comes with a dataset computes the card's figures again, and notices what was changed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as parquet
import pytest

from agreement.publication.export import export
from annotation.models import Project
from annotation.services.demo import demo_load
from annotation.services.imports import import_files
from annotation.text.schemes import PRESETS
from tests.annotation.formats.samples import lines, pair
from tests.paths import published

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]


def recomputed(folder: Path) -> tuple[int, str]:
    """The exit status and output of the script, run apart from this project."""
    run = [sys.executable, "-I", str(folder / "recompute.py")]
    made = subprocess.run(run, cwd=folder.parent, capture_output=True, text=True, check=False)
    assert not made.stderr, made.stderr
    return made.returncode, made.stdout


def published_folder(project: Project, out: Path) -> Path:
    export(project=project, to="hub", out=out)
    return out


def rewritten(folder: Path, change: Any) -> None:
    """Change the rows of the configuration 'annotations'."""
    for path in (folder / "annotations").glob("*.parquet"):
        table = parquet.read_table(path)
        rows = table.to_pylist()
        change(rows)
        parquet.write_table(pyarrow.Table.from_pylist(rows, schema=table.schema), path)


def test_the_demos_figures_come_out_again_and_a_changed_label_is_noticed(tmp_path: Path) -> None:
    for project in demo_load().projects:
        folder = published_folder(project, tmp_path / project.slug)
        status, said = recomputed(folder)
        assert status == 0 and "0 differ" in said, said
        figures = json.loads((folder / "agreement.json").read_text())["phases"]["main"]
        assert figures["alpha"]["nominal"] is not None and int(said.split()[0]) > 40

        def relabel(rows: list[dict[str, Any]]) -> None:
            several = [row for row in rows if sum(bool(work["spans"]) for work in row["annotations"]) > 1]
            span = next(span for work in several[0]["annotations"] for span in work["spans"])
            span["label"] = 1 if span["label"] == 0 else 0

        rewritten(folder, relabel)
        status, said = recomputed(folder)
        assert status == 1 and "alpha.nominal" in said, said


def test_answers_are_recomputed_too(tmp_path: Path) -> None:
    given = [("3", "3"), ("0", "1"), ("4", "4"), ("2", "0")]
    said_of = {"language": "en", "text": "Both are open."}
    pairs = [
        pair(
            id=f"p{number}",
            statement=said_of,
            annotations=[{"annotator": who, "answers": {"agree": answer}} for who, answer in work],
        )
        for number, work in enumerate([zip("12", answers, strict=True) for answers in given])
    ]
    import_files(slug="rated", paths=[lines(tmp_path / "p.jsonl", *pairs)], scheme=PRESETS["likert"].to_json())
    folder = published_folder(Project.objects.get(), tmp_path / "set")
    status, said = recomputed(folder)
    assert status == 0 and "0 differ" in said, said

    def other_answer(rows: list[dict[str, Any]]) -> None:
        rows[0]["annotations"][0]["answers"][0]["answer"] = "0"

    rewritten(folder, other_answer)
    status, said = recomputed(folder)
    assert status == 1 and "ratings.agree.alpha.nominal" in said, said


@pytest.mark.data
@pytest.mark.long
@pytest.mark.takes(20)
def test_the_papers_figures_come_out_again(tmp_path: Path) -> None:
    import_files(slug="parade", paths=sorted(published("xparade", "complete_data_es").glob("es-en-*.json")))
    root = published("swissgov", "annotations_raw").parent
    for phase in ("main", "trial"):
        import_files(slug="swiss", paths=[root], format="swissgov", options={"language": "de", "phase": phase})
    for slug, alpha in (("parade", 0.693), ("swiss", None)):
        folder = published_folder(Project.objects.get(slug=slug), tmp_path / slug)
        status, said = recomputed(folder)
        assert status == 0 and "0 differ" in said, said
        stated = json.loads((folder / "agreement.json").read_text())["phases"]["main"]["alpha"]["nominal"]
        assert alpha is None or round(stated, 3) == alpha
