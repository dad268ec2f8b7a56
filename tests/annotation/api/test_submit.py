"""Submitting, reopening and continuing over the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.services.people import person_replace
from tests.annotation.work import House, doc, house
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory

pytestmark = pytest.mark.django_db


def post(home: House, name: str, method: str = "post", **body: Any) -> Any:
    address = reverse(name, args=(home.assignment.pk,))
    return getattr(home.annotator, method)(address, body, content_type="application/json")


def following(home: House, order: int) -> int:
    pair = PairFactory(project=home.project)
    made = AssignmentFactory(pair=pair, annotator=home.assignment.annotator, order=order)
    return int(made.pk)


def test_submitting_returns_the_next_assignment() -> None:
    home = house()
    home.assignment.order = 5
    home.assignment.save()
    before, after = following(home, 4), following(home, 6)
    response = post(home, "api-submit", revision=0, verdict="submitted")
    assert (response.status_code, response.json()) == (200, {"status": "done", "next": after})
    response = home.annotator.get(reverse("api-next", args=(home.project.slug,)))
    assert response.json() == {"assignment": before, "upcoming": [before, after]}


def test_after_the_last_the_first_that_is_open_comes() -> None:
    home = house()
    before = following(home, 0)
    home.assignment.order = 5
    home.assignment.save()
    assert post(home, "api-submit", revision=0, verdict="skipped").json() == {"status": "skipped", "next": before}


def test_when_all_is_done_nothing_comes() -> None:
    home = house()
    assert post(home, "api-submit", revision=0, verdict="rejected").json() == {"status": "done", "next": None}
    response = home.annotator.get(reverse("api-next", args=(home.project.slug,)))
    assert response.json() == {"assignment": None, "upcoming": []}


def test_pairs_of_a_closed_phase_do_not_come() -> None:
    home = house(settings={"closed_phases": ["main"]})
    response = home.annotator.get(reverse("api-next", args=(home.project.slug,)))
    assert response.json() == {"assignment": None, "upcoming": []}


def test_a_flag_without_a_reason_is_refused() -> None:
    response = post(house(), "api-submit", revision=0, verdict="flagged", reason=" ")
    assert (response.status_code, response.json()["error"]["where"]) == (422, "reason")


def test_an_old_revision_is_a_conflict_with_the_newer_work() -> None:
    home = house()
    address = reverse("api-annotation", args=(home.assignment.pk,))
    home.annotator.put(address, {"revision": 0, "spans": doc()}, content_type="application/json")
    response = post(home, "api-submit", revision=0, verdict="submitted")
    assert (response.status_code, response.json()["annotation"]["revision"]) == (409, 1)


def test_reopening_returns_the_work() -> None:
    home = house()
    post(home, "api-submit", revision=0, verdict="submitted")
    response = post(home, "api-reopen")
    assert (response.status_code, response.json()) == (200, {"status": "started", "revision": 2})


def test_reopening_what_is_open_is_refused() -> None:
    response = post(house(), "api-reopen")
    assert (response.status_code, response.json()["error"]["code"]) == (409, "not-submitted")


def test_in_a_closed_phase_a_verdict_is_refused_as_forbidden() -> None:
    response = post(house(settings={"closed_phases": ["main"]}), "api-submit", revision=0, verdict="submitted")
    assert (response.status_code, response.json()["error"]["code"]) == (403, "phase-closed")


def test_a_reassigned_pair_is_refused_with_a_code_of_its_own() -> None:
    home = house()
    untouched = following(home, 9)
    post(home, "api-annotation", "put", revision=0, spans=doc())
    newcomer = AnnotatorFactory(project=home.project)
    person_replace(leaver=home.assignment.annotator, newcomer=newcomer, by=None, end_access=False)
    save = {"revision": 1, "spans": doc(), "comment": "late"}
    for name, method, body in (
        ("api-annotation", "put", save),
        ("api-submit", "post", {"revision": 1, "verdict": "submitted"}),
        ("api-reopen", "post", {}),
    ):
        response = post(home, name, method, **body)
        assert (response.status_code, response.json()["error"]["code"]) == (409, "reassigned")
        address = reverse(name, args=(untouched,))
        response = getattr(home.annotator, method)(address, body, content_type="application/json")
        assert (response.status_code, response.json()["error"]["code"]) == (403, "not-yours")
    shown = home.annotator.get(reverse("api-assignment", args=(home.assignment.pk,))).json()
    assert (shown["status"], shown["editable"], shown["reopen"]) == ("reassigned", False, False)
