"""The database connections of a thread, and what an error says about the database."""

from __future__ import annotations

from typing import Literal

from django.db import DatabaseError, InterfaceError, connections

_SQLITE_FULL = ("database or disk is full",)
_SQLITE_PROTECTED = ("attempt to write a readonly database", "unable to open database file", "disk I/O error")
_POSTGRESQL_FULL = ("53100",)
_POSTGRESQL_PROTECTED = ("25006", "58030", "58P01")
"""25006: a server that only reads; 58030 and 58P01: its own files."""


def reconnect() -> None:
    """Drop this thread's database connections, whatever their state; the next query opens new ones."""
    for each in connections.all(initialized_only=True):
        if not each.in_atomic_block:
            each.close()


def connection_lost(error: BaseException) -> bool:
    """Whether a database error only means that the connection was lost, not that the query failed.

    PostgreSQL numbers every error it raises; an error without a number comes from the connection. 08: connection
    exceptions; 57P: the server is shutting down or was told to end the connection.
    """
    cause = error.__cause__
    if cause is None:
        return isinstance(error, InterfaceError)
    if not hasattr(cause, "sqlstate"):
        return False
    return cause.sqlstate is None or cause.sqlstate.startswith(("08", "57P"))


def storage_problem(error: BaseException | None) -> Literal["full", "protected", ""]:
    """Whether `error`, or its cause, means that the database has no room, or that its files can't be written."""
    while error is not None:
        if isinstance(error, DatabaseError):
            state = getattr(error.__cause__, "sqlstate", None) or ""
            if state in _POSTGRESQL_FULL or any(words in str(error) for words in _SQLITE_FULL):
                return "full"
            if state in _POSTGRESQL_PROTECTED or any(words in str(error) for words in _SQLITE_PROTECTED):
                return "protected"
        error = error.__cause__
    return ""
