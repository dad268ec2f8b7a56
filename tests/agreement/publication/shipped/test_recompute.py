"""The script that comes with a dataset computes the card's figures again, and notices what was changed."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
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
from tests.annotation.formats.samples import lines, pair, span
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


@pytest.mark.long
def test_a_missing_phase_is_noticed_and_none_is_missed(tmp_path: Path) -> None:
    project = demo_load().projects[0]
    folder = published_folder(project, tmp_path / "set")
    figures = json.loads((folder / "agreement.json").read_text())
    assert len(figures["phases"]) > 1
    (folder / "agreement.json").write_text(json.dumps({"phases": {"main": figures["phases"]["main"]}}))
    status, said = recomputed(folder)
    assert status == 1 and "trial: missing in agreement.json" in said, said
    import_files(slug="alone", paths=[lines(tmp_path / "p.jsonl", pair())])
    status, said = recomputed(published_folder(Project.objects.get(slug="alone"), tmp_path / "alone"))
    assert status == 0 and "There are no figures to compute" in said, said


@pytest.mark.long
@pytest.mark.parametrize("damage", ["missing", "invalid", "no phases", "no annotations", "class"])
def test_damaged_files_are_told(tmp_path: Path, damage: str) -> None:
    folder = published_folder(demo_load().projects[0], tmp_path / "set")
    if damage == "missing":
        (folder / "agreement.json").unlink()
    elif damage == "no annotations":
        for path in (folder / "annotations").glob("*"):
            path.unlink()
    elif damage == "class":
        rewritten(folder, lambda rows: [s.update(label=-1) for r in rows for w in r["annotations"] for s in w["spans"]])
    else:
        (folder / "agreement.json").write_text("{" if damage == "invalid" else "{}")
    status, said = recomputed(folder)
    assert status == 1 and ("missing or damaged" in said or "has the class -1" in said), said


def rewritten(folder: Path, change: Any) -> None:
    """Change the rows of the configuration 'annotations'."""
    for path in (folder / "annotations").glob("*.parquet"):
        table = parquet.read_table(path)
        rows = table.to_pylist()
        change(rows)
        parquet.write_table(pyarrow.Table.from_pylist(rows, schema=table.schema), path)


@pytest.mark.long
@pytest.mark.takes(12)
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


def restated(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the figures of the main phase in agreement.json."""
    stated = json.loads((folder / "agreement.json").read_text())
    change(stated["phases"]["main"])
    (folder / "agreement.json").write_text(json.dumps(stated))


def graded(tmp_path: Path) -> Path:
    """A dataset of two people's grades, linked and one-sided, in which one of them marked nothing in a pair."""
    work = [
        [
            [span("4", ("a", 0, 4), ("b", 9, 14)), span("1", ("b", 0, 8), id="t")],
            [span("4", ("a", 0, 4), ("b", 9, 14))],
        ],
        [[span("2", ("a", 0, 4)), span("5", ("b", 9, 14), id="t")], [span("3", ("a", 0, 4), ("b", 0, 8))]],
        [[span("3", ("b", 0, 8))], []],
    ]
    pairs = [
        pair(
            id=f"p{number}",
            annotations=[
                {"annotator": who, "spans": spans, "active_seconds": 9} for who, spans in zip("12", each, strict=True)
            ],
        )
        for number, each in enumerate(work)
    ]
    path = lines(tmp_path / "p.jsonl", *pairs, pair(id="alone", annotations=[{"annotator": "1", "spans": work[2][0]}]))
    import_files(slug="graded", paths=[path], scheme=PRESETS["graded"].to_json())
    return published_folder(Project.objects.get(), tmp_path / "set")


def test_a_changed_figure_is_noticed_and_what_is_left_out_is_listed(tmp_path: Path) -> None:
    folder = graded(tmp_path)
    status, said = recomputed(folder)
    assert status == 0 and "0 differ" in said, said
    count, _, listed = said.splitlines()[-1].partition(" figures of agreement.json are not computed here: ")
    found = dict(re.findall(r"([^,]+) \((\d+)\)(?:, |\.$)", listed))
    assert set(found) == {"intervals (…_ci)", "sentence_alpha", "unitizing"}, listed
    assert sum(map(int, found.values())) == int(count)

    def other(figures: dict[str, Any]) -> None:
        figures["fleiss"] += 0.1
        figures["token_kendall"]["mean"] += 0.1
        figures["annotators"]["1"]["distinct"] += 1
        figures["annotators"]["1"]["labels"]["4"] += 1
        figures["span_kinds"]["linked"]["matched"]["count"] += 1
        figures["with_empty"]["documents"] += 1
        del figures["single"]

    restated(folder, other)
    status, said = recomputed(folder)
    named = {line.split(": ")[1] for line in said.splitlines() if line.startswith("main: ")}
    assert status == 1 and named == {
        "fleiss",
        "token_kendall.mean",
        "annotators.1.distinct",
        "annotators.1.labels.4",
        "span_kinds.linked.matched.count",
        "with_empty.documents",
        "single",
    }


@pytest.mark.parametrize("name", ["invented_alpha", "invented_ci"])
@pytest.mark.long
def test_an_invented_figure_is_named(tmp_path: Path, name: str) -> None:
    folder = graded(tmp_path)
    restated(folder, lambda figures: figures.update({name: 0.99}))
    status, said = recomputed(folder)
    assert status == 1 and f"main: {name}: 0.99 in the dataset, a figure that is not known here" in said, said


def test_a_figure_of_no_phase_is_named(tmp_path: Path) -> None:
    folder = graded(tmp_path)
    stated = json.loads((folder / "agreement.json").read_text())
    (folder / "agreement.json").write_text(json.dumps({**stated, "invented_alpha": 0.99}))
    status, said = recomputed(folder)
    assert status == 1 and "'invented_alpha' of agreement.json belongs to no phase" in said, said


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("agreement.json", "[" * 100_000, "agreement.json is nested too deeply"),
        ("agreement.json", '{"phases": []}', "'phases' of agreement.json is not an object"),
        ("agreement.json", '{"phases": {"main": null}}', "'phases.main' of agreement.json is not an object"),
        ("agreement.json", '{"phases": {"main": {"alpha": 1}}}', "main: the annotator"),
        ("diptych.json", '{"scheme": null}', "'scheme' of diptych.json is not an object"),
        ("diptych.json", "[", "diptych.json is not JSON"),
    ],
)
@pytest.mark.long
def test_what_is_damaged_is_said_in_a_sentence(tmp_path: Path, name: str, content: str, sentence: str) -> None:
    folder = graded(tmp_path)
    (folder / name).write_text(content)
    status, said = recomputed(folder)
    assert status == 1 and sentence in said, said


def test_without_labels_nothing_is_compared(tmp_path: Path) -> None:
    folder = graded(tmp_path)
    about = json.loads((folder / "diptych.json").read_text())
    for labels, sentence in (
        ([], "Nothing could be compared"),
        (None, "'scheme.labels' of diptych.json is not a list"),
    ):
        about["scheme"]["labels"] = labels
        (folder / "diptych.json").write_text(json.dumps(about))
        status, said = recomputed(folder)
        assert status == 1 and sentence in said, said


@pytest.mark.long
@pytest.mark.takes(14)
def test_no_json_makes_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every value of the first three levels of both files is replaced by one of each type, and left out."""
    folder = graded(tmp_path)
    script = runpy.run_path(str(folder / "recompute.py"))
    monkeypatch.setattr(sys, "argv", ["recompute.py", str(folder)])
    for name in ("agreement.json", "diptych.json"):
        before = (folder / name).read_text()
        for path in places(json.loads(before), 3):
            if name == "diptych.json" and path[:1] != ["scheme"]:
                continue
            for value in (None, True, -0.5, "x", [], [1], {"a": None}, LEFT_OUT):
                file = json.loads(before)
                inner = file
                for step in path[:-1]:
                    inner = inner[step]
                if value is LEFT_OUT:
                    del inner[path[-1]]
                else:
                    inner[path[-1]] = value
                (folder / name).write_text(json.dumps(file))
                status, said = script["main"](), capsys.readouterr().out
                assert status in (0, 1) and said.count("\n") >= 1 and "Traceback" not in said, (path, value, said)
                if status == 0:
                    assert re.search(r"^[1-9]\d* figures compared, 0 differ", said, re.MULTILINE) or not path, said
        (folder / name).write_text(before)


LEFT_OUT = object()


def places(value: Any, depth: int) -> Iterator[list[Any]]:
    """The paths of the values in nested objects and lists, of a list the first."""
    steps = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for step, inner in steps:
        yield [step]
        yield from ([step, *path] for path in places(inner, depth - 1) if depth > 1)


def test_an_annotator_or_a_label_that_does_not_fit_is_named(tmp_path: Path) -> None:
    folder = graded(tmp_path)
    before = (folder / "agreement.json").read_text()
    restated(folder, lambda figures: figures["annotators"].update(ada=figures["annotators"].pop("1")))
    status, said = recomputed(folder)
    assert status == 1 and "main: the annotator '1' of the annotations is not in agreement.json" in said, said
    (folder / "agreement.json").write_text(before)
    about = (folder / "diptych.json").read_text()
    (folder / "diptych.json").write_text(about.replace('"key": "4"', '"key": "9"'))
    status, said = recomputed(folder)
    assert status == 1 and "main: the label '4' of the annotations is not in the scheme of diptych.json" in said, said


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
    assert "ratings.agree.fleiss" in said and "ratings.agree.people.1.3" in said, said

    restated(folder, lambda figures: figures.update(invented_alpha=0.99))
    assert "main: invented_alpha: 0.99" in recomputed(folder)[1]


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
