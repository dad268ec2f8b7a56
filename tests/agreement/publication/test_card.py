"""The card says how the dataset was made, in the hub's terms, and no more than is known."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from huggingface_hub import DatasetCard
from pyarrow import parquet

from agreement.gold.services.versions import gold_create
from agreement.publication.card import Terms
from agreement.publication.export import export
from agreement.publication.preview import card_parts
from agreement.publication.services.consent import consent_withdraw
from annotation.models import Annotator, Assignment, Guideline, Highlight, Project
from annotation.services.annotations import annotation_reassign
from annotation.services.highlights import HighlightInput, highlights_write
from annotation.services.imports import import_files
from annotation.text.schemes import PRESETS
from tests.agreement.card_facts import CARD_FACTS, state_card_facts
from tests.annotation.formats.samples import lines, pair, span
from tests.factories import UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
MARKED = span("4", ("a", 0, 4), ("b", 9, 14))


@pytest.fixture
def towns(tmp_path: Path) -> Project:
    work: list[dict[str, Any]] = [
        {"annotator": name, "spans": [MARKED], "active_seconds": 5400} for name in ("giulietta", "romualdo")
    ]
    path = lines(tmp_path / "pairs.jsonl", pair(annotations=work, split="dev"))
    import_files(slug="towns", paths=[path], scheme=PRESETS["graded"].to_json())
    return Project.objects.get(slug="towns")


def card(project: Project, tmp_path: Path, **given: Any) -> Any:
    export(project=project, to="hub", out=tmp_path / "set", terms=Terms("cc-by-4.0"), **given)
    return DatasetCard.load(tmp_path / "set" / "README.md")


def test_it_says_how_the_data_were_made(towns: Project, tmp_path: Path) -> None:
    Guideline.objects.create(project=towns, version=1, text="# Mark\n\n## Licence\n\n```\nopen")
    state_card_facts(towns, homepage="https://town.example/a", source_datasets="town/pages")
    gold_create(project=towns, rule="pick", phase="main", settings={"annotator": "giulietta"})
    found = card(towns, tmp_path)
    assert found.data.annotations_creators == ["expert-generated"]
    assert found.data.source_datasets == ["town/pages"]
    assert found.data.multilinguality == ["multilingual"] and found.data.language == ["de", "en"]
    assert found.data.task_categories == ["token-classification"] and found.data.size_categories == ["n<1K"]
    for said in (
        "| main | 1 | 2 | 2 | 3.0 |",
        "| en-de | 1 | 2 | 2 | 3.0 |",
        "2 people made 2 annotations.",
        "<p>Two <em>translators</em>.</p>",
        "30 francs an hour",
        "No model pre-labelled the pairs.",
        "A row of `gold`",
        '"text_a"',
        "```bibtex\n@misc{towns, title={Two towns}}\n```",
        "Lena, lena@example.org",
        "**Homepage:** <https://town.example/a>",
        "[agreement.json](agreement.json)",
        "| what people stated on this card | revision 1 |",
        "| gold | version 1 |",
        "pairs (0.0%) were decided manually.",
    ):
        assert said in found.text, said
    assert "giulietta" not in found.text and "romualdo" not in found.text
    heads = [line for line in found.text.splitlines() if line.startswith("## ")]
    assert heads.count("## Licence") == 1 and heads[-1] == "## Where the figures come from"
    assert found.text.index("<h4>Licence</h4>") < found.text.index("## Licence")


def test_pre_labels_and_their_effect_are_on_it(towns: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = towns.pairs.all()
    scores = HighlightInput(one, [0.5] * len(one.a.tokens), [0.1] * len(one.b.tokens), [], [], seconds=1)
    highlights_write(run="run-1", method="default.v1", highlights=[scores])
    Highlight.objects.update(made=timezone.now() - timedelta(days=1))
    first = Assignment.objects.first()
    assert first is not None
    Assignment.objects.update(highlights_shown=False)
    first.highlights_shown = True
    first.save()
    assert "Their effect was not measured." in card(towns, tmp_path).text, "one assignment each is too few"
    monkeypatch.setattr("agreement.report.compute.effect.MIN_PAIRS", 1)
    text = card(towns, tmp_path).text
    assert "## Pre-labels" in text
    assert "| default.v1 | run-1 | 1 |" in text, text[text.index("## Pre-labels") :][:900]
    assert "For 1 of 2 annotations" in text
    assert "### Effect, main phase" in text and "Effect of pre-labels" in text


def test_nobody_is_named_by_a_rule_an_excluded_pair_or_reassigned_work(tmp_path: Path) -> None:
    one = {"annotator": "giulietta", "spans": [MARKED]}
    others: list[dict[str, Any]] = [{"annotator": name, "spans": []} for name in ("romualdo", "vera")]
    shut = pair(id="p2", a={"language": "en", "text": "Closed."}, annotations=others)
    path = lines(tmp_path / "p.jsonl", pair(annotations=[one]), shut)
    import_files(slug="towns", paths=[path], scheme=PRESETS["graded"].to_json())
    towns = Project.objects.get()
    leaver = towns.annotators.get(alias="giulietta")
    Annotator.objects.create(project=towns, alias="maria giulietta")
    started = Assignment.objects.create(pair=towns.pairs.get(external_id="p2"), annotator=leaver, phase="main", order=9)
    annotation_reassign(assignment=started, by=None, reason="Reassigned to maria giulietta")
    gold_create(project=towns, rule="pick", phase="main", settings={"annotator": "giulietta"})
    text = card(towns, tmp_path).text
    assert b'"reason": "Reassigned to annotator4"' in content(tmp_path / "set")
    assert "annotator = annotator1" in text, text[text.index("## Gold") :][:700]
    assert "annotator1 was picked but submitted no annotation" in text
    consent_withdraw(annotator=leaver, by=UserFactory())
    text = card(towns, tmp_path).text
    assert text.count("someone who has withdrawn their consent") == 2
    odd = {"annotator": "Giulietta ", "choices": {"p2": "zoe "}}
    gold_create(project=towns, rule="pick", phase="main", settings=odd)
    text = card(towns, tmp_path).text
    assert "annotator = someone who is not in this dataset" in text and "zoe" not in text and "iulietta" not in text
    for to, out in (("hub", "set"), ("tei", "t.xml"), ("webanno", "w")):
        export(project=towns, to=to, out=tmp_path / out, terms=Terms("cc-by-4.0"))
        assert b"giulietta" not in content(tmp_path / out), to


def content(path: Path) -> bytes:
    """What is in a file, or in all files of a folder."""
    parts = []
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.suffix == ".parquet":
            parts.append(json.dumps(parquet.read_table(file).to_pylist(), default=str).encode())
        elif file.is_file():
            parts.append(file.read_bytes())
    return b"".join(parts)


def test_it_says_why_there_is_no_agreement(tmp_path: Path) -> None:
    work: list[dict[str, Any]] = [{"annotator": "one", "spans": [MARKED]}, {"annotator": "other", "spans": []}]
    path = lines(tmp_path / "p.jsonl", pair(annotations=work))
    import_files(slug="towns", paths=[path], scheme=PRESETS["graded"].to_json())
    text = card(Project.objects.get(), tmp_path).text
    assert "## Agreement, main phase" in text and "someone marked nothing" in text
    assert "How these numbers were computed" not in text
    assert json.loads((tmp_path / "set" / "agreement.json").read_text()) == {"phases": {}}


def test_names_of_labels_are_no_links_or_images(tmp_path: Path) -> None:
    scheme = PRESETS["graded"].to_json()
    scheme["labels"][0] |= {
        "name": "![p](https://evil.example/p.png)",
        "description": "[the licence](https://evil.example)",
    }
    import_files(slug="towns", paths=[lines(tmp_path / "p.jsonl", pair())], scheme=scheme)
    html = (
        card_parts((tmp_path / "set" / "README.md").read_text()).html if card(Project.objects.get(), tmp_path) else ""
    )
    assert "evil.example" in html and "<img" not in html and 'href="https://evil' not in html


def test_a_description_that_is_no_text_is_refused(towns: Project, tmp_path: Path) -> None:
    (tmp_path / "d.md").write_bytes(b"\xff\xfe")
    command = [
        "export",
        "--project",
        "towns",
        "--to",
        "hub",
        str(tmp_path / "set"),
        "--describe",
        str(tmp_path / "d.md"),
    ]
    with pytest.raises(CommandError, match="Not valid UTF-8"):
        call_command(*command)


def test_only_a_dataset_is_pushed_and_no_other_file_is_written(
    towns: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_unused")
    with pytest.raises(CommandError, match="Only a dataset folder"):
        call_command("export", "--project", "towns", "--to", "jsonl", str(tmp_path / "x.jsonl"), "--push", "town/hours")
    assert not (tmp_path / "x.jsonl").exists()


def test_without_annotations_nobody_is_described(tmp_path: Path) -> None:
    path = lines(tmp_path / "pairs.jsonl", pair(gold={"spans": [MARKED]}))
    import_files(slug="gold", paths=[path], scheme=PRESETS["graded"].to_json())
    found = card(Project.objects.get(slug="gold"), tmp_path)
    assert found.data.annotations_creators == ["found"]
    assert "No annotations of people are in this dataset." in found.text and "**Pay:**" not in found.text


def test_names_and_languages_cannot_write_metadata(towns: Project, tmp_path: Path) -> None:
    towns.name = "A: [b]\n---\nlicense: mit\n# C <script>"
    towns.save()
    text = towns.pairs.get().a
    text.language = "x-private"
    text.save()
    found = card(towns, tmp_path)
    assert found.data.license == "cc-by-4.0" and found.data.pretty_name == towns.name
    assert found.data.language == ["de"] and found.text.count("\n# ") == 1 and "<script>" not in found.text


def test_the_command_says_what_is_not_stated_and_takes_it(
    towns: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["export", "--project", "towns", "--to", "hub", str(tmp_path / "set")]
    monkeypatch.setenv("HF_TOKEN", "hf_unused")
    call_command(*command)
    assert "Not stated on the card: licence (--licence ID); contact, citation" in capsys.readouterr().err
    with pytest.raises(CommandError, match="Missing: Licence, Contact"):
        call_command(*command, "--push", "town/hours")
    (tmp_path / "facts.json").write_text('{"pay": "none", "contact": "Lena"}', encoding="utf-8")
    given = [f"--fact={name}={value}" for name, value in CARD_FACTS.items() if name not in ("contact", "pay")]
    facts = ["--facts", str(tmp_path / "facts.json"), "--fact", "pay=not paid"]
    call_command(*command, "--licence", "cc0-1.0", *given, *facts)
    assert not capsys.readouterr().err
    text = (tmp_path / "set" / "README.md").read_text()
    assert "**Pay:** not paid" in text and "## Contact\n\nLena\n" in text and "Not stated" not in text
    for wrong in (["--fact", "pay"], ["--fact", "colour=red"], ["--facts", str(tmp_path / "pairs.jsonl")]):
        with pytest.raises(CommandError):
            call_command(*command, *wrong)
