"""A database that is temporarily unavailable leads to 503 with Retry-After: in the API, on pages, and in middleware."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import RequestFactory
from django.urls import reverse

from annotation.connections import storage_problem
from annotation.models import Annotation
from annotation.views import home as home_views
from config.errors import server_error
from config.temporary_errors import is_busy
from tests.annotation.work import House, doc, house

pytestmark = pytest.mark.django_db


def raised(error: Exception, cause: BaseException | None = None) -> Exception:
    error.__cause__ = cause
    return error


def postgresql(state: str | None) -> Exception:
    error = psycopg.OperationalError("words of the server, in whichever language")
    error.sqlstate = state
    return raised(OperationalError(str(error)), error)


@pytest.mark.parametrize(
    ("error", "busy"),
    [
        (raised(OperationalError("database is locked"), sqlite3.OperationalError("database is locked")), True),
        (raised(OperationalError("no such table: x"), sqlite3.OperationalError("no such table: x")), False),
        (postgresql(None), True),  # connection refused
        (postgresql("55P03"), True),
        (postgresql("40001"), True),
        (postgresql("40P01"), True),
        (postgresql("57P01"), True),
        (postgresql("53300"), True),
        (postgresql("53100"), False),  # disk full
        (raised(InterfaceError("the connection is closed"), psycopg.InterfaceError("the connection is closed")), True),
        (raised(RuntimeError("in a task"), postgresql("55P03")), True),
        (ValueError("database is locked"), False),
        (None, False),
    ],
)
def test_only_errors_that_pass_are_busy(error: Exception | None, busy: bool) -> None:
    assert is_busy(error) is busy


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (raised(OperationalError("database or disk is full"), sqlite3.OperationalError("x")), "full"),
        (raised(OperationalError("attempt to write a readonly database"), sqlite3.OperationalError("x")), "protected"),
        (raised(OperationalError("unable to open database file"), sqlite3.OperationalError("x")), "protected"),
        (postgresql("53100"), "full"),
        (postgresql("25006"), "protected"),
        (raised(RuntimeError("in a task"), postgresql("53100")), "full"),
        (postgresql("55P03"), ""),
        (postgresql(None), ""),
        (raised(OperationalError("database is locked"), sqlite3.OperationalError("x")), ""),
        (ValueError("database or disk is full"), ""),
        (None, ""),
    ],
)
def test_a_database_without_room_is_told_from_one_that_is_protected(error: Exception | None, problem: str) -> None:
    assert storage_problem(error) == problem


@contextmanager
def locked(annotation: Annotation) -> Iterator[None]:
    """Another connection holds the lock that a save of `annotation` needs, for longer than this database waits."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        other = sqlite3.connect(settings["NAME"], isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 50")
    else:
        named = {"host": settings["HOST"], "port": settings["PORT"], "user": settings["USER"]}
        other = psycopg.connect(dbname=settings["NAME"], password=settings["PASSWORD"], **named)  # type: ignore[assignment]
        other.execute("LOCK TABLE annotation_annotation IN ACCESS EXCLUSIVE MODE")
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 50")
    try:
        yield
    finally:
        other.rollback()
        other.close()
        connection.close()


def saved(home: House) -> Any:
    return home.annotator.put(
        reverse("api-annotation", args=(home.assignment.pk,)),
        {"revision": 0, "spans": doc(), "comment": "Saved."},
        content_type="application/json",
    )


@pytest.mark.django_db(transaction=True)
def test_a_save_that_meets_a_lock_is_told_to_retry_and_then_saved() -> None:
    home = house()
    assert saved(home).status_code == 200
    with locked(Annotation.objects.get()):
        response = home.annotator.put(
            reverse("api-annotation", args=(home.assignment.pk,)),
            {"revision": 1, "spans": doc(), "comment": "Later."},
            content_type="application/json",
        )
    assert response.status_code == 503 and int(response["Retry-After"]) > 0
    assert response.json()["error"]["code"] == "busy"
    assert Annotation.objects.get().comment == "Saved."


def test_a_page_says_that_the_database_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    home = house()

    def locked_out(*_: object) -> None:
        raise raised(OperationalError("database is locked"), sqlite3.OperationalError("database is locked"))

    monkeypatch.setattr(home_views, "memberships_of", locked_out)
    response = home.annotator.get(reverse("home"))
    assert response.status_code == 503 and int(response["Retry-After"]) > 0
    assert "The database is busy" in response.content.decode()


@pytest.mark.parametrize("path", ["/", "/api/preferences/"])
def test_an_error_outside_every_view_is_answered_in_the_same_way(path: str, django_assert_num_queries: Any) -> None:
    """A middleware that loads the user meets the lock; the response itself needs no query."""
    try:
        raise postgresql(None)
    except OperationalError:
        with django_assert_num_queries(0):
            response = server_error(RequestFactory().get(path))
    assert response.status_code == 503 and int(response["Retry-After"]) > 0
    assert ("json" in response["Content-Type"]) == path.startswith("/api/")


def test_an_error_in_a_middleware_is_503_through_the_whole_site(monkeypatch: pytest.MonkeyPatch) -> None:
    home = house()

    def refused(*_: object) -> None:
        raise postgresql(None)

    monkeypatch.setattr("django.contrib.auth.get_user", refused)
    monkeypatch.setattr("django.contrib.auth.middleware.auth.get_user", refused)
    home.annotator.raise_request_exception = False
    assert home.annotator.get(reverse("home")).status_code == 503


def test_an_error_of_ours_stays_an_error() -> None:
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        assert server_error(RequestFactory().get("/")).status_code == 500
