"""Archives and exports have people's public names where their names are stored, and change nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agreement.models import GoldVersion
from agreement.publication.export import export
from annotation.models import Annotation, Annotator, Assignment, Pair, Project, Status, Verdict
from annotation.models.imports import Import
from annotation.selectors.export_records import published_aliases
from annotation.services.imports import import_files
from annotation.services.person_renames import person_rename
from tests.agreement.publication.archives import archive, bring, tables
from tests.annotation.formats.samples import lines, pair, parade

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def towns(tmp_path: Path, *people: str) -> Project:
    """A pair 'A1' that these people annotated."""
    work: list[dict[str, Any]] = [{"annotator": name, "spans": []} for name in people]
    import_files(slug="towns", paths=[lines(tmp_path / "p.jsonl", pair(id="A1", annotations=work))])
    return Project.objects.get(slug="towns")


def copied(tmp_path: Path) -> Project:
    bring(archive("towns", tmp_path / "one.zip"), "copy")
    return Project.objects.get(slug="copy")


def test_names_of_people_are_only_where_the_gold_has_people(tmp_path: Path) -> None:
    project = towns(tmp_path, "A1", "code", "higher", "name", "reliability", "annotator")
    GoldVersion.objects.create(
        project=project,
        number=1,
        rule="pick",
        phase="main",
        parameters={"ties": "higher", "annotator": "higher", "choices": {"A1": "code"}},
        excluded={"A1": {"code": "picked-absent", "name": "higher"}, "code": {"code": "other", "text": "A1"}},
        counts={"pairs": 0, "reliability": {"A1": 0.5}},
    )
    public = published_aliases(project)
    version = GoldVersion.objects.get(project=copied(tmp_path))
    assert version.parameters == {"ties": "higher", "annotator": public["higher"], "choices": {"A1": public["code"]}}
    assert version.excluded == {
        "A1": {"code": "picked-absent", "name": public["higher"]},
        "code": {"code": "other", "text": "A1"},
    }
    assert version.counts == {"pairs": 0, "reliability": {public["A1"]: 0.5}}


def test_people_may_be_called_like_columns_of_a_report(tmp_path: Path) -> None:
    towns(tmp_path, "spans", "project", "towns")
    report = Import.objects.get(project=copied(tmp_path), format="").report or {}
    assert report["annotators_new"] == ["annotator1", "annotator2", "annotator3"]
    assert report["project"] == "towns" and report["spans"] == 0


def test_reasons_in_an_annotators_own_words_are_kept(tmp_path: Path) -> None:
    project = towns(tmp_path, "A1", "A2", "A3")
    first, second, third = (Annotation.objects.get(assignment__annotator__alias=name) for name in ("A1", "A2", "A3"))
    for row, reason in ((first, "Not the same page, says A2"), (second, "Reassigned to A3"), (third, "As told by A1")):
        row.verdict, row.reason = Verdict.REJECTED if row == first else Verdict.SKIPPED, reason
        row.save()
    moved = Assignment.objects.filter(pk__in=[second.assignment_id, third.assignment_id])
    moved.update(status=Status.REASSIGNED)
    new = published_aliases(project)["A3"]
    reasons = Annotation.objects.filter(pair__project=copied(tmp_path)).values_list("reason", flat=True)
    assert set(reasons) == {"Not the same page, says A2", f"Reassigned to {new}", "As told by A1"}


def test_options_of_imports_have_no_names(tmp_path: Path) -> None:
    project = towns(tmp_path, "Zaphod Beeblebrox")
    chosen = {"annotator": "Zaphod Beeblebrox", "layer": "Zaphod Beeblebrox"}
    Import.objects.filter(project=project).update(format="webanno", options=chosen)
    person_rename(annotator=project.annotators.get(), alias="Ford")
    assert Import.objects.get(project=copied(tmp_path), format="webanno").options == {
        **chosen,
        "annotator": "annotator1",
    }
    Import.objects.filter(project=project).update(options={"annotator": "Somebody Else"})
    assert "Somebody" not in "\n".join(tables(archive("towns", tmp_path / "two.zip"))["annotation.import"])


def commented(tmp_path: Path) -> Project:
    """An X-PARADE project in which Zaphod's comment is an empty text, and Trillian's none."""
    item = parade()
    for person, (name, comment) in zip(item["annotations"], (("Zaphod", ""), ("Trillian", None)), strict=True):
        person["annotator_id"], person["comment"] = name, comment
    (tmp_path / "en-es-adj-test.json").write_text(json.dumps([item]))
    import_files(slug="towns", paths=[tmp_path / "en-es-adj-test.json"], format="xparade")
    return Project.objects.get(slug="towns")


def comments(project: Project, out: Path) -> dict[str, str | None]:
    (written,) = export(project=project, to="xparade", out=out)
    (item,) = json.loads(written.read_text())
    return {person["annotator_id"]: person["comment"] for person in item["annotations"]}


@pytest.mark.parametrize(
    ("to", "ending"), [("hub", ""), ("tei", ".xml"), ("webanno", ""), ("archive", ".zip"), ("xparade", "")]
)
def test_whose_comment_was_empty_is_no_name_in_any_format(tmp_path: Path, to: str, ending: str) -> None:
    project = commented(tmp_path)
    person_rename(annotator=project.annotators.get(alias="Zaphod"), alias="Beeblebrox")
    out = tmp_path / f"out{ending}"
    written = export(project=project, to=to, out=out)
    content = "\n".join("\n".join(rows) for rows in tables(out).values()) if to == "archive" else ""
    content += "".join(path.read_bytes().decode("utf-8", "replace") for path in written)
    assert "Zaphod" not in content and "Beeblebrox" not in content


def test_an_empty_comment_is_one_in_x_parade_again_and_after_a_copy(tmp_path: Path) -> None:
    project = commented(tmp_path)
    public = published_aliases(project)
    wanted = {public["Zaphod"]: "", public["Trillian"]: None}
    assert comments(project, tmp_path / "out") == wanted
    assert comments(copied(tmp_path), tmp_path / "again") == wanted
    export(project=project, to="hub", out=tmp_path / "hub")
    import_files(slug="third", paths=[tmp_path / "hub"], format="hub")
    assert comments(Project.objects.get(slug="third"), tmp_path / "third") == wanted
    pair_row = Pair.objects.get(project__slug="towns")
    Pair.objects.filter(pk=pair_row.pk).update(metadata={**pair_row.metadata, "empty_comments": ["Nobody", ["x"], 5]})
    export(project=project, to="jsonl", out=tmp_path / "out.jsonl")
    assert "empty_comments" not in (tmp_path / "out.jsonl").read_text()
    assert Annotator.objects.filter(project=project).count() == 2
