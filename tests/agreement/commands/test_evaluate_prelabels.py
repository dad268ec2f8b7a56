"""The command prints the shape that other programs rely on."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from tests.agreement.prelabel_eval.test_scores import graded, highlight, row

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("evaluate_prelabels", *arguments, stdout=out)
    return out.getvalue()


def test_json_has_the_agreed_shape(tmp_path: Path) -> None:
    project = graded(tmp_path, row(1), row(2))
    highlight(project, {"p1": ([0.1, 0.2, 0.3, 1.0], [0.4, 0.5]), "p2": ([0.1, 0.9, 0.8, 1.0], [0.2, 0.1])})
    apps.get_model("assist", "Run")._default_manager.create(
        project=project, slug="default-v1", method="default.v1", settings={"target": "any"}
    )
    (printed,) = json.loads(run("--project", "towns", "--format", "json"))["runs"]
    assert {"run", "method", "settings", "spearman", "kendall", "documents", "tokens", "labels", "new"} <= set(printed)
    assert (printed["run"], printed["method"], printed["settings"]) == ("default-v1", "default.v1", {"target": "any"})
    assert set(printed["new"]) >= {"precision", "recall", "f1", "threshold"}
    assert set(printed["labels"]["5"]) == {"precision", "recall", "f1"}
    assert printed["seconds_per_pair"] == 0.5
    assert printed["spearman_ci"][0] <= printed["spearman"] <= printed["spearman_ci"][1]


def test_text_says_how_the_threshold_was_chosen(tmp_path: Path) -> None:
    project = graded(tmp_path, row(1, split="dev"), row(2, split="test"))
    highlight(project, {"p1": ([0.1, 0.2, 0.3, 1.0], [0.4, 0.5]), "p2": ([0.1] * 4, [0.1] * 2)})
    printed = run("--project", "towns")
    assert "2 documents, 10 tokens, 0.500 s per pair" in printed
    assert "chosen on dev, reported on test" in printed


def test_refusals_end_with_code_1(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no project"):
        run("--project", "none")
    graded(tmp_path, row(1))
    with pytest.raises(CommandError, match="Run the prelabel command"):
        run("--project", "towns", "--method", "default")
