"""The database connections of a thread."""

from __future__ import annotations

from django.db import InterfaceError, connections


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
