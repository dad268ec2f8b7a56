"""A kept connection to PostgreSQL is checked without a statement, and given up once the server has ended it.

The server keeps the statements that are built once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import environ
import pytest
from django.db.utils import ConnectionHandler

from tests.needs import POSTGRES

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@contextmanager
def connected() -> Iterator[Any]:
    database = {**environ.Env.db_url_config(POSTGRES), "ENGINE": "config.postgresql", "CONN_MAX_AGE": None}
    made: Any = ConnectionHandler({"default": {**database, "CONN_HEALTH_CHECKS": True}})["default"]
    try:
        yield made
    finally:
        made.close()


def number(connection: Any) -> int:
    """The number of the server's process for this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_a_connection_that_is_alive_is_kept_without_asking_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    with connected() as connection:
        before = number(connection)
        monkeypatch.setattr(
            "django.db.backends.postgresql.base.DatabaseWrapper.is_usable", lambda _: pytest.fail("asked")
        )
        for _request in range(2):
            connection.close_if_unusable_or_obsolete()
            assert number(connection) == before


def test_a_connection_that_the_server_has_ended_is_replaced() -> None:
    with connected() as connection, connected() as other:
        before = number(connection)
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [before])
        until = time.monotonic() + 10
        while connection.is_usable() and time.monotonic() < until:
            time.sleep(0.01)
        connection.close_if_unusable_or_obsolete()
        assert number(connection) != before


def test_statements_that_are_built_once_are_kept_by_the_server_whatever_their_values() -> None:
    with connected() as connection:
        for value in (1, 300, 70_000, 2**40, 5):
            with connection.prepared_cursor() as cursor:
                cursor.execute("SELECT %s + 1, %s::text", [value, "Übersicht"])
                assert cursor.fetchone() == (value + 1, "Übersicht")
        with connection.cursor() as cursor:
            cursor.execute("SELECT statement FROM pg_prepared_statements")
            assert cursor.fetchall() == [("SELECT $1 + 1, $2::text",)]


def test_other_statements_are_not_kept() -> None:
    with connected() as connection:
        for _time in range(5):
            with connection.cursor() as cursor:
                cursor.execute("SELECT %s + 1", [1])
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_prepared_statements")
            assert cursor.fetchone() == (0,)


def test_a_kept_statement_outlives_a_transaction_that_failed_and_a_column_that_came() -> None:
    with connected() as connection:
        with connection.cursor() as cursor:
            cursor.execute("CREATE TEMPORARY TABLE kept (a integer, b text)")
            cursor.execute("INSERT INTO kept VALUES (1, 'x')")

        def read() -> Any:
            with connection.prepared_cursor() as cursor:
                cursor.execute("SELECT b FROM kept WHERE a = %s", [1])
                return cursor.fetchone()

        assert [read() for _time in range(4)] == [("x",)] * 4
        connection.set_autocommit(False)
        assert read() == ("x",)
        connection.rollback()
        connection.set_autocommit(True)
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE kept ADD COLUMN c integer")
        assert [read() for _time in range(4)] == [("x",)] * 4
