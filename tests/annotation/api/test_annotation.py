"""Saving over the API: 200 with the revision, 409 with the newer work, 422 with the location."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Annotation, User
from annotation.text.scheme_parsing import parse_scheme
from tests.annotation.work import BIBLIOTHEK, LIBRARY, House, doc, house, span

pytestmark = pytest.mark.django_db


def put(home: House, body: Any, client: Client | None = None) -> Any:
    address = reverse("api-annotation", args=(home.assignment.pk,))
    return (client or home.annotator).put(address, body, content_type="application/json")


def test_a_save_answers_with_its_revision() -> None:
    home = house()
    body = {
        "revision": 0,
        "spans": doc(span(LIBRARY, BIBLIOTHEK)),
        "answers": {},
        "comment": " as it is ",
        "read": {"a": [0], "b": []},
        "active_seconds": 9,
        "dismissed": ["p1"],
    }
    response = put(home, body)
    annotation = Annotation.objects.get()
    assert (response.status_code, response.json()["revision"]) == (200, 1)
    assert response.json()["saved"] == annotation.changed.isoformat()
    assert (annotation.spans, annotation.comment, annotation.dismissed) == (body["spans"], " as it is ", ["p1"])
    user = home.assignment.annotator.user
    assert isinstance(user, User) and annotation.revisions.get().made_by == user


def test_only_revision_and_spans_are_needed() -> None:
    assert put(house(), {"revision": 0, "spans": doc()}).status_code == 200


def test_an_empty_answer_in_own_words_is_none_and_to_another_question_is_refused() -> None:
    questions = [{"key": "why", "text": "Why?", "type": "text"}, {"key": "same", "text": "Same?", "type": "yes-no"}]
    scheme = parse_scheme({"name": "asked", "links": False, "questions": questions})
    home = house(scheme=scheme.to_json())
    for revision, (sent, kept) in enumerate(((" As said. ", "As said."), ("", None), (" ", None))):
        body = {"revision": min(revision, 2), "spans": doc(), "answers": {"why": sent, "same": "yes"}}
        assert put(home, body).status_code == 200
        assert Annotation.objects.get().answers == ({"why": kept} if kept else {}) | {"same": "yes"}
    refused = put(home, {"revision": 2, "spans": doc(), "answers": {"why": "", "same": ""}})
    assert (refused.status_code, refused.json()["error"]["where"]) == (422, "answers.same")


def test_a_conflict_carries_the_newer_work() -> None:
    home = house()
    put(home, {"revision": 0, "spans": doc(span(LIBRARY))})
    response = put(home, {"revision": 0, "spans": doc()})
    assert (response.status_code, response.json()["error"]["code"]) == (409, "conflict")
    assert response.json()["annotation"]["revision"] == 1
    assert response.json()["annotation"]["spans"] == doc(span(LIBRARY))


@pytest.mark.parametrize("name", ["api-annotation", "api-submit"])
def test_a_revision_that_was_never_saved_is_a_conflict(name: str) -> None:
    home = house()
    address = reverse(name, args=(home.assignment.pk,))
    body = {"revision": 7, "spans": doc(span(LIBRARY)), "verdict": "submitted"}
    send = home.annotator.put if name == "api-annotation" else home.annotator.post
    response = send(address, body, content_type="application/json")
    assert (response.status_code, response.json()["error"]["code"]) == (409, "conflict")
    assert response.json()["annotation"]["revision"] == 0
    assert not Annotation.objects.exists()


def test_nothing_is_not_saved_on_a_revision_that_was_never_saved() -> None:
    home = house()
    response = put(home, {"revision": 99, "spans": doc()})
    assert (response.status_code, response.json()["error"]["code"]) == (409, "conflict")
    assert not Annotation.objects.exists()


def test_what_cannot_be_stored_is_named() -> None:
    response = put(house(), {"revision": 0, "spans": doc(span({"side": "a", "start": 4, "end": 999}))})
    assert (response.status_code, response.json()["error"]["where"]) == (422, "spans[0].fragments[0]")


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"spans": doc()}, "revision"),
        ({"revision": "new", "spans": doc()}, "revision"),
        ({"revision": -1, "spans": doc()}, "revision"),
        ({"revision": 0}, "spans"),
        ({"revision": 0, "spans": doc(), "read": {"a": ["x"]}}, "read.a[0]"),
        ({"revision": 0, "spans": doc(), "active_seconds": -5}, "active_seconds"),
        ({"revision": 0, "spans": doc(), "comment": None}, "comment"),
        ([], "non_field_errors"),
    ],
)
def test_a_body_in_another_shape_is_refused_by_field(body: Any, where: str) -> None:
    response = put(house(), body)
    assert (response.status_code, response.json()["error"]["where"]) == (422, where)
    assert not Annotation.objects.exists()


def test_a_body_that_is_no_json_is_refused() -> None:
    home = house()
    response = home.annotator.put(
        reverse("api-annotation", args=(home.assignment.pk,)), "{", content_type="application/json"
    )
    assert (response.status_code, response.json()["error"]["code"]) == (400, "parse_error")


@pytest.mark.parametrize("field", ["origin", "label", "predicted"])
def test_a_long_value_is_cut_in_the_refusal(field: str) -> None:
    response = put(house(), {"revision": 0, "spans": doc(span(LIBRARY, **{field: "x" * 5_000}))})
    message = response.json()["error"]["message"]
    assert response.status_code == 422 and "x…" in message and len(message) <= 201
