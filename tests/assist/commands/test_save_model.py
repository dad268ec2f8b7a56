"""`save_model`: what a run trained goes to another project."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from annotation.models import Annotation, Highlight, JobStatus, Project, Source
from assist.models import Run
from tests.assist.methods.tiny import folder
from tests.assist.model_memory import forget_models
from tests.factories import PairFactory, ProjectFactory, TextFactory

pytestmark = pytest.mark.django_db
WORDS = ("dog", "cat", "house", "new", "old", "runs", "sees", "big")


@pytest.fixture(autouse=True)
def own_models(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings.DATA_DIR = tmp_path / "data"
    monkeypatch.setenv("DIPTYCH_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    folder("untrained", tmp_path / "models")
    forget_models()
    yield
    forget_models()
    torch.set_num_threads(threads)


def project(slug: str, labelled: bool) -> Project:
    made: Project = ProjectFactory(slug=slug, name=f"Town {slug}")
    for number in range(8):
        words = f"{WORDS[number]} city {slug}{number}"
        pair = PairFactory(
            project=made,
            a=TextFactory(content=f"The {words} water runs here."),
            b=TextFactory(content=f"A {words} water sees that."),
            position=number,
        )
        if labelled:
            at = pair.b.content.index("water")
            fragment = {"side": "b", "start": at, "end": at + 5}
            spans = {"v": 1, "spans": [{"id": "s", "label": "5", "fragments": [fragment]}]}
            Annotation.objects.create(source=Source.GOLD, verdict="submitted", pair=pair, gold_version=0, spans=spans)
    return made


def prelabel(slug: str, **settings: Any) -> Run:
    given = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    call_command("prelabel", "--project", slug, "--method", "finetuned", *given, "--wait", stdout=io.StringIO())
    run = Run.objects.get(project__slug=slug)
    assert run.status == JobStatus.DONE, run.error
    return run


def save(slug: str, run: str, out: Path) -> str:
    printed = io.StringIO()
    call_command("save_model", "--project", slug, "--run", run, str(out), stdout=printed)
    return printed.getvalue()


def test_what_one_project_trained_prelabels_another(tmp_path: Path) -> None:
    project("first", labelled=True)
    project("second", labelled=False)
    run = prelabel("first", model="untrained", least=4, folds=2, epochs=1, rate=0.01)
    out = tmp_path / "models" / "mine"
    assert save("first", run.slug, out).startswith(f"{out}: 2 folds, ")
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "# Town first: a trained encoder" in card and "8 documents" in card and str(tmp_path) not in card
    second = prelabel("second", trained="mine")
    assert second.report["documents"] == 8 and second.report["trained"] == "mine"
    scores = [row.scores_a for row in Highlight.objects.filter(pair__project__slug="second")]
    assert len(scores) == 8 and len({str(each) for each in scores}) > 1
    with pytest.raises(CommandError, match="name a folder that does not exist"):
        save("first", run.slug, out)


def test_a_run_without_anything_trained_has_nothing_to_save(tmp_path: Path) -> None:
    project("first", labelled=False)
    run = prelabel("first", model="untrained")
    for slug, name, why in (
        ("first", run.slug, "has nothing to save on this machine"),
        ("first", "other", "other"),
        ("none", run.slug, "none"),
    ):
        with pytest.raises(CommandError, match=why):
            save(slug, name, tmp_path / "out")
    assert not (tmp_path / "out").exists()
