"""Exports: an import of an export gives the same project, and nothing is put where something else lies."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import datasets
import pytest
from huggingface_hub import DatasetCard

from agreement.gold.services.versions import gold_create
from agreement.publication.card import Terms
from agreement.publication.export import export
from annotation.errors import Conflict, Invalid
from annotation.formats import export_formats
from annotation.models import Annotation, Guideline, Pair, Project
from annotation.selectors.export_records import pair_records, project_aliases
from annotation.services.imports import import_files
from annotation.text.schemes import PRESETS
from tests.annotation.formats.samples import lines, pair, parade, span, swapped, town, town_line
from tests.factories import ProjectFactory
from tests.paths import published

pytestmark = pytest.mark.django_db
MARKED = span("4", ("a", 0, 4), ("b", 9, 14))


def content(slug: str, gold: int | None = 0) -> list[Any]:
    """Everything of a project that an export keeps, comparable."""
    project = Project.objects.get(slug=slug)
    records = list(pair_records(project, gold=gold, names=project_aliases(project), submitted_only=False))
    for record in records:
        record.where = ""
    return [project.scheme, records]


@pytest.fixture
def towns(tmp_path: Path) -> Project:
    work: list[dict[str, Any]] = [
        {"annotator": "annotator1", "spans": [MARKED], "comment": "?", "active_seconds": 9},
        {"annotator": "annotator2", "spans": [span("2", ("b", 0, 8)), span("5", ("a", 8, 15), id="t")]},
    ]
    back = [{**work[0], "spans": [span("4", ("b", 0, 4), ("a", 9, 14))]}]
    path = lines(
        tmp_path / "in" / "pairs.jsonl",
        pair(annotations=work, gold={"spans": [MARKED]}, split="dev", metadata={"topic": "opening"}),
        swapped(pair(), id="p2", annotations=back, gold={"spans": []}, mirror="p1", split="test"),
    )
    import_files(slug="towns", paths=[path], scheme=PRESETS["graded"].to_json())
    return Project.objects.get(slug="towns")


@pytest.mark.parametrize(("to", "name"), [("hub", "set"), ("jsonl", "p.jsonl"), ("csv", "p.csv"), ("csv", "p.tsv")])
def test_an_import_of_an_export_is_the_same_project(towns: Project, tmp_path: Path, to: str, name: str) -> None:
    Guideline.objects.create(project=towns, version=1, text="# Mark what differs")
    export(project=towns, to=to, out=tmp_path / "out" / name)
    import_files(slug="again", paths=[tmp_path / "out" / name], format=to)
    assert content("again") == content("towns")
    if to == "hub":
        assert Guideline.objects.get(project__slug="again").text == "# Mark what differs"


def test_a_published_folder_comes_out_as_it_came_in(tmp_path: Path) -> None:
    root = town(tmp_path / "in", first=[town_line()], second=[], trial=[town_line(score=1)])
    for phase in ("main", "trial"):
        import_files(slug="swiss", paths=[root], format="swissgov", options={"phase": phase})
    export(project=Project.objects.get(), to="swissgov", out=tmp_path / "out")
    for phase in ("main", "trial"):
        import_files(slug="again", paths=[tmp_path / "out"], format="swissgov", options={"phase": phase})
    assert content("again") == content("swiss")


@pytest.mark.parametrize("to", export_formats())
def test_metadata_that_names_a_place_writes_nothing_there(to: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside.html"
    metadata = {"document": "../../../outside", "page_a": str(outside), "page_b": "../../../../outside.html"}
    work = [{"annotator": "../../../outside", "spans": [span("1", ("b", 0, 8))]}]
    path = lines(tmp_path / "in.jsonl", pair(id="../../outside", metadata=metadata, annotations=work, gold=[]))
    import_files(slug="towns", paths=[path], scheme=PRESETS["graded"].to_json())
    project = Project.objects.get()
    if to == "xparade":
        project.scheme = PRESETS["xparade"].to_json()
        Annotation.objects.update(spans={"v": 1, "spans": []})
    out = tmp_path / "deep" / "out" / "set.jsonl"
    written = export(project=project, to=to, out=out)
    found = [each for each in tmp_path.rglob("*") if each.is_file() and each != path]
    assert sorted(found) == sorted(set(written)) and written
    assert all(each.is_relative_to(out.parent) for each in written)


def test_a_link_is_never_replaced_or_followed(towns: Project, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "set").symlink_to(tmp_path / "mine", target_is_directory=True)
    for to in ("hub", "swissgov", "jsonl"):
        with pytest.raises(Conflict, match="already exists"):
            export(project=towns, to=to, out=tmp_path / "set")
    assert (tmp_path / "set").is_symlink() and not list((tmp_path / "mine").iterdir())


def test_xparade_comes_out_with_the_newest_gold(tmp_path: Path) -> None:
    lines(tmp_path / "en-es-dev.json", [parade()])
    import_files(slug="parade", paths=[tmp_path / "en-es-dev.json"], format="xparade")
    project = Project.objects.get()
    gold_create(project=project, rule="xparade", phase="main")
    export(project=project, to="xparade", out=tmp_path / "out")
    import_files(slug="again", paths=[tmp_path / "out"], format="xparade")
    theirs, mine = content("again", gold=0)[1][0].gold, content("parade", gold=1)[1][0].gold
    assert [(one.label, one.fragments) for one in theirs] == [(one.label, one.fragments) for one in mine]


def test_people_are_numbers_in_public_and_the_card_names_nobody(tmp_path: Path) -> None:
    work = [{"annotator": name, "spans": [MARKED]} for name in ("giulietta", "romualdo")]
    import_files(slug="towns", paths=[lines(tmp_path / "p.jsonl", pair(annotations=work))])
    project = Project.objects.get()
    export(project=project, to="hub", out=tmp_path / "set", terms=Terms("cc-by-4.0", "Opening hours."))
    everything = b"".join(path.read_bytes() for path in (tmp_path / "set").rglob("*") if path.is_file())
    assert b"giulietta" not in everything and b"romualdo" not in everything
    card = DatasetCard.load(tmp_path / "set" / "README.md")
    assert card.data.license == "cc-by-4.0"
    for part in (
        "Opening hours.",
        "annotator1",
        "## Agreement, main phase",
        "How these numbers were computed",
        "`cc-by",
        "| train | 1 | 0 | 2 |",
    ):
        assert part in card.text


def test_the_card_says_how_the_gold_was_made_and_what_was_left_out(tmp_path: Path) -> None:
    lines(tmp_path / "en-es-dev.json", [parade()])
    import_files(slug="parade", paths=[tmp_path / "en-es-dev.json"], format="xparade")
    project = Project.objects.get()
    gold_create(project=project, rule="xparade", phase="main")
    project.gold_versions.update(excluded={"en-9": {"code": "rejected", "n": 2}})
    export(project=project, to="hub", out=tmp_path / "set")
    (row,) = datasets.load_dataset(str(tmp_path / "set"), "gold", cache_dir=str(tmp_path / "cache"))["dev"]
    assert row["spans"][-1]["rule"] == "xparade" and row["spans"][-1]["annotators"] == ["0", "1"]
    text = (tmp_path / "set" / "README.md").read_text()
    assert "Version 1, created on" in text and "rule `xparade`" in text
    assert "| dev, new | 2 | 28.6 | 1 |" in text
    assert "| en-9 | found not comparable by 2 annotators |" in text


def test_the_card_carries_the_warnings_of_the_import(tmp_path: Path) -> None:
    path = lines(tmp_path / "en-es-dev.json", [parade()])
    import_files(slug="both", paths=[path], format="xparade", scheme=PRESETS["xparade"].to_json())
    export(project=Project.objects.get(slug="both"), to="hub", out=tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text()
    assert "| spans labelled connotation, imported as inferable: the scheme has no such label | 1 |" in card


def test_an_earlier_export_is_replaced_and_nothing_else_is(towns: Project, tmp_path: Path) -> None:
    for to, out in (("hub", tmp_path / "set"), ("rsd", tmp_path / "gold.jsonl")):
        export(project=towns, to=to, out=out)
    Pair.objects.filter(external_id="p2").delete()
    export(project=towns, to="hub", out=tmp_path / "set")
    export(project=towns, to="rsd", out=tmp_path / "gold.jsonl")
    assert not list((tmp_path / "set").rglob("test-*"))
    assert len((tmp_path / "gold.jsonl").read_text().splitlines()) == 1
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    for to in ("hub", "swissgov", "jsonl"):
        with pytest.raises(Conflict, match="already exists"):
            export(project=towns, to=to, out=tmp_path / "mine")
    assert (tmp_path / "mine" / "letter.txt").read_text() == "dear"


THEIRS = (".git/config", ".git/refs/tags/v1", ".gitattributes", "notes.txt", "gold/notes.txt", "figures/a/one.png")


def with_theirs(folder: Path) -> dict[str, str]:
    """Files of others in a folder, by name."""
    for name in THEIRS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"their {name}")
    (folder / "link").symlink_to("notes.txt")
    (folder / ".git" / "empty").mkdir()
    return names(folder)


def names(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): "" if path.is_dir() else path.read_text(errors="replace")
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize("to", ["hub", "webanno"])
def test_what_no_export_wrote_stays_in_a_folder(towns: Project, tmp_path: Path, to: str) -> None:
    out = tmp_path / "set"
    written = export(project=towns, to=to, out=out)
    before = with_theirs(out)
    Pair.objects.filter(external_id="p2").delete()
    again = export(project=towns, to=to, out=out)
    assert set(again) < set(written), "the pair that is gone had files of its own"
    assert {path for path in out.rglob("*") if path.is_file()} == {*again, *(out / name for name in (*THEIRS, "link"))}
    after = names(out)
    assert {name: before[name] for name in (*THEIRS, ".git/empty")} == {
        name: after.get(name) for name in (*THEIRS, ".git/empty")
    }
    assert (out / "link").is_symlink() and [path.name for path in tmp_path.glob(".*")] == []


@pytest.mark.parametrize("calls", [0, 1, 2, 5])
def test_an_export_that_is_killed_leaves_the_old_files_or_the_new_and_loses_nothing(
    towns: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    out = tmp_path / "set"
    export(project=towns, to="hub", out=out)
    with_theirs(out)
    old = {path.name for path in (out / "annotations").iterdir()}
    Pair.objects.filter(external_id="p2").delete()
    rename, left = Path.rename, iter(range(calls))

    def killed(path: Path, target: Path) -> Path:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return rename(path, target)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path, "rename", killed)
        export(project=towns, to="hub", out=out)
    there = {path.name for path in ((out if out.is_dir() else tmp_path / ".before-set") / "annotations").iterdir()}
    assert there in (old, old - {"test-00000-of-00001.parquet"})
    export(project=towns, to="hub", out=out)
    assert {name: (out / name).read_text() for name in THEIRS} == {name: f"their {name}" for name in THEIRS}
    assert [path.name for path in tmp_path.glob(".before*")] == []


@pytest.mark.parametrize(("to", "scheme"), [("rsd", "xparade"), ("swissgov", "xparade"), ("pdf", "graded")])
def test_what_a_format_cannot_hold_is_refused_and_leaves_nothing(tmp_path: Path, to: str, scheme: str) -> None:
    project = ProjectFactory(scheme=PRESETS[scheme].to_json())
    with pytest.raises(Invalid):
        export(project=project, to=to, out=tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_grades_do_not_go_into_xparades_files(towns: Project, tmp_path: Path) -> None:
    with pytest.raises(Invalid) as caught:
        export(project=towns, to="xparade", out=tmp_path / "out")
    said = re.search(r"pair '([^']+)': X-PARADE files can't hold the label '([^']+)'", str(caught.value))
    assert said, caught.value
    assert towns.pairs.filter(external_id=said[1]).exists() and said[2] in towns.labels.keys


def test_progress_is_told(towns: Project, tmp_path: Path) -> None:
    Pair.objects.bulk_create(
        Pair(project=towns, a=one.a, b=one.b, external_id=f"n{number}", position=number)
        for one in Pair.objects.filter(external_id="p1")
        for number in range(2, 250)
    )
    told: list[int] = []
    export(project=towns, to="jsonl", out=tmp_path / "p.jsonl", on_progress=told.append)
    assert told == [100, 200]


@pytest.mark.data
def test_the_published_data_sets_survive_a_round_trip(tmp_path: Path) -> None:
    folder = published("xparade", "complete_data_es")
    import_files(slug="parade", paths=sorted(folder.glob("en-es-*.json")), format="xparade")
    export(project=Project.objects.get(), to="hub", out=tmp_path / "set")
    import_files(slug="again", paths=[tmp_path / "set"], format="hub")
    assert content("again") == content("parade")
    text = (tmp_path / "set" / "README.md").read_text()
    assert "Krippendorff's α, nominal | 0.657" in text and "62.5 ± 2.9" in text


def test_ratings_survive_a_round_trip(tmp_path: Path) -> None:
    work = [{"annotator": "1", "answers": {"agree": "3"}}, {"annotator": "2", "answers": {"agree": "0"}}]
    statement = {"language": "en", "text": "Both are open.", "tokens": [[0, 4], [5, 8], [9, 13], [13, 14]]}
    path = lines(tmp_path / "in" / "pairs.jsonl", pair(annotations=work, statement=statement))
    import_files(slug="rated", paths=[path], scheme=PRESETS["likert"].to_json())
    for to, name in (("hub", "set"), ("jsonl", "p.jsonl"), ("csv", "p.csv")):
        export(project=Project.objects.get(slug="rated"), to=to, out=tmp_path / "out" / name)
        import_files(slug=f"again-{to}", paths=[tmp_path / "out" / name], format=to)
        assert content(f"again-{to}") == content("rated")
