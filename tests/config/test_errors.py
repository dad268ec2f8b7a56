"""A domain error becomes a response in one module."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client
from rest_framework.exceptions import NotAuthenticated

from annotation.errors import Conflict, DomainError, Invalid, sentences
from config.errors import api_exception_handler


def test_a_refusal_says_what_where_and_what_to_do() -> None:
    response = api_exception_handler(
        Invalid("It ends too late.", where="spans[0]", hint="Shorten it.", code="range"), {}
    )
    assert response is not None and response.status_code == 422
    assert response.data == {
        "error": {"code": "range", "message": "It ends too late.", "where": "spans[0]", "hint": "Shorten it."}
    }


def test_an_errors_payload_is_returned_beside_it() -> None:
    response = api_exception_handler(Conflict("Newer work is there.", payload={"annotation": {"revision": 4}}), {})
    assert response is not None and response.status_code == 409
    assert response.data["annotation"] == {"revision": 4} and response.data["error"]["code"] == "conflict"


def test_the_frameworks_own_refusals_have_the_same_shape() -> None:
    response = api_exception_handler(NotAuthenticated(), {})
    assert response is not None and set(response.data["error"]) == {"code", "message", "where", "hint"}


@pytest.mark.django_db
@pytest.mark.any_database
def test_an_address_that_nothing_has_is_answered_in_the_callers_form() -> None:
    client = Client()
    body = client.get("/api/projects/x/nothing/").json()
    assert body["error"]["code"] == "no-such-address" and body["error"]["hint"].endswith("/api/schema/")
    page = client.get("/nothing/")
    assert page.status_code == 404 and "This page doesn't exist." in unescape(page.content.decode())


def test_an_error_of_ours_is_not_disguised() -> None:
    assert api_exception_handler(ZeroDivisionError(), {}) is None


def test_an_error_reads_as_a_sentence_in_a_terminal() -> None:
    assert str(DomainError("Bad line.", where="x.csv:3", hint="Mend it.")) == "x.csv:3: Bad line. Mend it."


def test_a_place_that_the_message_names_is_named_once() -> None:
    assert str(DomainError("scheme.labels[1].value: missing", where="scheme.labels[1].value")).count("scheme") == 1
    assert str(DomainError("scheme: an object is expected", where="scheme")) == "scheme: an object is expected"
    assert str(DomainError("scheme.name: empty", where="scheme", hint="See there.")) == "scheme.name: empty. See there."
    assert str(DomainError("Schemes differ.", where="scheme")) == "scheme: Schemes differ."


def test_the_message_ends_with_a_full_stop_before_the_hint() -> None:
    error = Invalid("this scheme has no grades", where="towns", hint="Choose another format.")
    assert str(error) == "towns: this scheme has no grades. Choose another format."
    assert sentences("Busy!", "", "Try again") == "Busy! Try again" and sentences("No such pair") == "No such pair"
