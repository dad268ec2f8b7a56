"""The database connections of a thread."""

from __future__ import annotations

from django.db import InterfaceError, connections


def reconnect() -> None:
    """Drop this thread's database connections: the next query opens new ones, whatever became of these."""
    for each in connections.all(initialized_only=True):
        if not each.in_atomic_block:
            each.close()


def connection_lost(error: BaseException) -> bool:
    """Whether a database error says that the connection was lost, and nothing of what was asked for.

    PostgreSQL numbers whatever it refuses; an error without a number is one of the connection. 08: connection
    exceptions; 57P: the server was told to end, or to end the connection.
    """
    cause = error.__cause__
    if cause is None:
        return isinstance(error, InterfaceError)
    if not hasattr(cause, "sqlstate"):
        return False
    return cause.sqlstate is None or cause.sqlstate.startswith(("08", "57P"))
