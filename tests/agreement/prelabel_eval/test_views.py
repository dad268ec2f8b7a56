"""Quality of pre-labels: leads alone; runs one by one, and against each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.cache import cache
from django.urls import reverse

from agreement.prelabel_eval import panels
from annotation.models import Project
from tests.agreement.access import member, statuses
from tests.agreement.prelabel_eval.test_scores import graded, highlight, row
from tests.factories import PairFactory

pytestmark = pytest.mark.django_db
LEADS = {"stranger": 404, "annotator": 403, "adjudicator": 403, "lead": 200, "nobody": 302}
GOOD, BAD = ([0.0, 0.4, 1.0, 1.0], [0.0, 0.2]), ([0.9, 0.4, 0.1, 1.0], [0.8, 0.2])


@pytest.fixture
def project(tmp_path: Path) -> Project:
    cache.clear()
    made = graded(tmp_path, row(1), row(2))
    highlight(made, {"p1": GOOD, "p2": GOOD}, run="default-v1")
    highlight(made, {"p1": BAD, "p2": BAD}, run="simalign-v1")
    return made


def address(project: Project) -> str:
    return reverse("prelabels-quality", args=[project.slug])


@pytest.mark.parametrize("part", ["", "?run=default-v1", "?between"])
def test_access(project: Project, part: str) -> None:
    assert statuses(project, address(project) + part) == LEADS


def test_every_run_is_computed_when_it_comes_into_view(project: Project) -> None:
    page = member(project, "lead").get(address(project)).content.decode()
    assert "<b>2 runs</b> scored against the gold" in page
    assert page.count('hx-trigger="revealed"') == 3 and "?run=simalign-v1" in page


def test_a_run_is_said_in_a_sentence_tables_and_a_curve(project: Project) -> None:
    client = member(project, "lead")
    good = client.get(address(project) + "?run=default-v1").content.decode()
    assert "Spearman&#x27;s ρ 100.00" in good and "2 documents, 10 tokens, 0.50 s per pair" in good
    assert "<svg" in good and "By position in the text" in good
    assert client.get(address(project) + "?run=none").status_code == 404


def test_a_panel_is_kept_until_the_highlights_change(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    client = member(project, "lead")
    first = client.get(address(project) + "?run=default-v1").content
    monkeypatch.setattr(panels, "scored_run", None)
    assert client.get(address(project) + "?run=default-v1").content == first
    highlight(project, {"p1": BAD}, run="default-v1")
    with pytest.raises(TypeError):
        client.get(address(project) + "?run=default-v1")


def test_runs_are_compared_with_each_other(project: Project) -> None:
    client = member(project, "lead")
    table = client.get(address(project) + "?between").context["table"]
    texts = [[cell["text"] for cell in row] for row in table["rows"]]
    assert table["columns"] == ["", "simalign-v1", "default-v1"]
    assert texts[0][1] == "100.00" and texts[0][2] == texts[1][1]
    assert client.get(address(project) + "?between").context["table"] == table


def test_without_gold_it_says_so() -> None:
    bare = PairFactory().project
    assert "no gold to compare with" in member(bare, "lead").get(address(bare)).content.decode()
