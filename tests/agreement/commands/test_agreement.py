"""`manage.py agreement`."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project
from tests.agreement.work import pair, project, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Project:
    study, (one, two) = project()
    for label in ("1", "3"):
        on = pair(study)
        submit(on, one, [(label, [0, 1], [0])])
        submit(on, two, [(label, [0, 1], [0])])
    return study


def command_output(*arguments: str) -> str:
    out = StringIO()
    call_command("agreement", *arguments, stdout=out)
    return out.getvalue()


def test_json(study: Project) -> None:
    body = json.loads(command_output("--project", study.slug, "--format", "json"))
    assert (body["documents"], body["sides"]["a"]["iou"], body["phase"]) == (2, 1, "main")


def test_text(study: Project) -> None:
    text = command_output("--project", study.slug)
    assert text.startswith(
        "Agreement on where the texts differ is very good: of the words that either of two annotators marked, "
        "both marked 100%."
    )
    assert "IoU, EN" in text and "Krippendorff's α, ordinal" in text
    assert "bootstrap intervals over documents" in text


def test_latex_and_markdown_escape_what_they_must(study: Project) -> None:
    latex = command_output("--project", study.slug, "--format", "latex")
    assert r"\begin{table}" in latex and r"both marked 100\%" in latex and r"IoU $\geq$ 0.50" in latex
    assert "| IoU, EN |" in command_output("--project", study.slug, "--format", "markdown")


def test_another_phase(study: Project) -> None:
    assert json.loads(command_output("--project", study.slug, "--phase", "trial", "--format", "json"))["documents"] == 0


def test_no_such_project() -> None:
    with pytest.raises(CommandError, match="There is no project"):
        command_output("--project", "nowhere")
