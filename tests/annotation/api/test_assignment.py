"""The workspace's data: everything it needs, in the documented shape, and nothing it must not know."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Annotation, Guideline, Phase, Source
from annotation.serializers.workspace import AssignmentSerializer
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.highlights import HighlightInput, highlights_write
from tests.annotation.work import BIBLIOTHEK, LIBRARY, House, doc, house, span
from tests.factories import TextFactory

pytestmark = pytest.mark.django_db


def opened(home: House, who: str = "annotator") -> dict[str, Any]:
    data: dict[str, Any] = getattr(home, who).get(reverse("api-assignment", args=(home.assignment.pk,))).json()
    return data


def prelabel(home: House, run: str = "run-1") -> None:
    pair = home.assignment.pair
    proposal = {"label": "3", "fragments": [LIBRARY], "score": 0.8}
    said = HighlightInput(
        pair, [0.5] * len(pair.a.tokens), [0.1] * len(pair.b.tokens), [(1, 1)], [proposal], seconds=0.1
    )
    highlights_write(run=run, method="default.v1", highlights=[said])


def full_house(**settings: Any) -> House:
    home = house(settings=settings)
    Guideline.objects.create(project=home.project, version=1, text="# Mark *differences*")
    pair = home.assignment.pair
    pair.metadata = {"url_a": "https://example.org/en"}
    pair.statement = TextFactory(content="Both are open on Sundays.")
    pair.save()
    prelabel(home)
    work = AnnotationInput(spans=doc(span(LIBRARY, BIBLIOTHEK)), comment="hm", read={"a": [0]}, dismissed=["p1"])
    annotation_save(assignment=home.assignment, by=None, base=0, sent=work)
    return home


def test_the_answer_has_the_shape_that_is_documented() -> None:
    data = opened(full_house())
    assert AssignmentSerializer(data).data == data


def test_an_assignment_that_was_not_started() -> None:
    home = house()
    data = opened(home)
    assert data["annotation"] == {
        "revision": 0,
        "spans": {"v": 1, "spans": []},
        "answers": {},
        "verdict": "",
        "reason": "",
        "comment": "",
        "read": {"a": [], "b": []},
        "active_seconds": 0,
        "dismissed": [],
        "unmarked": [],
        "saved": None,
    }
    assert (data["status"], data["editable"], data["reopen"]) == ("open", True, False)
    assert data["position"] == {"n": 1, "of": 1, "done": 0}
    assert data["paragraph_alignment"] == [[[0], [0]], [[1], [1]]]
    assert (data["highlights"], data["guideline"], data["comparison"]) == (None, None, None)
    assert data["pair"]["a"]["tokens"] == [list(token) for token in home.assignment.pair.a.tokens]


def test_existing_work_is_included() -> None:
    data = opened(full_house())
    assert data["annotation"]["spans"] == doc(span(LIBRARY, BIBLIOTHEK))
    assert (data["annotation"]["comment"], data["annotation"]["read"]) == ("hm", {"a": [0], "b": []})
    assert data["highlights"]["dismissed"] == ["p1"]
    assert data["guideline"] == {"version": 1, "html": "<h1>Mark <em>differences</em></h1>\n"}


@pytest.mark.parametrize(("language", "direction"), [("ar", "rtl"), ("en", "ltr")])
def test_each_text_says_which_way_it_runs(language: str, direction: str) -> None:
    home = house()
    home.assignment.pair.a = TextFactory(language=language)
    home.assignment.pair.save()
    assert opened(home)["pair"]["a"]["direction"] == direction


def test_without_highlights_the_response_is_as_if_no_model_had_run() -> None:
    before = house()
    home = full_house()
    home.assignment.highlights_shown = False
    home.assignment.save()
    data = opened(home)
    assert data["highlights"] is None
    assert set(data) == set(opened(before))
    assert not any(word in str(data) for word in ("run-1", "default.v1"))


@pytest.mark.parametrize(("shown", "run"), [("latest", "run-2"), ("run-1", "run-1"), ("", None), ("gone", None)])
def test_the_lead_chooses_whose_highlights_are_shown(shown: str, run: str | None) -> None:
    home = house(settings={"highlights_run": shown})
    prelabel(home, "run-1")
    prelabel(home, "run-2")
    highlights = opened(home)["highlights"]
    assert (highlights and highlights["run"]) == run


def test_metadata_is_shown_where_the_lead_allows_it() -> None:
    assert opened(full_house())["pair"]["metadata"] == {"url_a": "https://example.org/en"}
    assert opened(full_house(metadata_shown=False))["pair"]["metadata"] == {}


def test_limits_say_how_many_skips_are_left() -> None:
    limits = opened(house(settings={"skip_percent": 100, "verdicts": ["submitted", "skipped"]}))["limits"]
    assert limits == {
        "verdicts": ["submitted", "skipped"],
        "skip_percent": 100,
        "skips_used": 0,
        "skips_left": 1,
        "phase_open": True,
    }


def test_a_lead_reads_and_cannot_edit() -> None:
    data = opened(full_house(), "lead")
    assert (data["editable"], data["reopen"]) == (False, False)


def test_submitted_work_may_be_reopened_until_the_phase_is_closed() -> None:
    home = full_house()
    annotation_submit(assignment=home.assignment, by=None, base=1, verdict="submitted")
    data = opened(home)
    assert (data["status"], data["editable"], data["reopen"]) == ("done", False, True)
    home.project.settings = {"closed_phases": ["main"]}
    home.project.save()
    assert opened(home)["reopen"] is False


@pytest.mark.parametrize(
    ("phase", "submitted", "shown"),
    [(Phase.QUALIFICATION, True, True), (Phase.QUALIFICATION, False, False), (Phase.MAIN, True, False)],
)
def test_the_gold_is_seen_only_after_submitting_a_qualification_pair(phase: str, submitted: bool, shown: bool) -> None:
    home = full_house()
    gold = doc(span(LIBRARY, id="g1", comment="see the rule"))
    Annotation.objects.create(
        source=Source.GOLD,
        verdict="submitted",
        pair=home.assignment.pair,
        gold_version=0,
        spans=gold,
        feedback="Well read.",
    )
    home.assignment.phase = phase
    home.assignment.save()
    if submitted:
        annotation_submit(assignment=home.assignment, by=None, base=1, verdict="submitted")
    data = opened(home)
    expected = {"gold": gold["spans"], "answers": {}, "feedback": "Well read."}
    assert data["comparison"] == (expected if shown else None)
    assert ("see the rule" in str(data)) is shown
