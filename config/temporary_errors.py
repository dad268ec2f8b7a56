"""Whether a database error is temporary: a lock held too long, or a server that does not respond.

The request itself is then valid, nothing of it was stored, and the same request may succeed later.
"""

from __future__ import annotations

from django.db import InterfaceError, OperationalError

RETRY_SECONDS = 3
SQLITE_WORDS = ("database is locked", "database table is locked", "database schema is locked")
POSTGRESQL_STATES = (
    "08",  # connection exceptions
    "40001",  # serialization failure
    "40P01",  # deadlock detected
    "53300",  # too many connections
    "55P03",  # lock not available: lock_timeout
    "57014",  # query cancelled: statement_timeout
    "57P0",  # the server is shutting down or starting
)


def is_busy(error: BaseException | None) -> bool:
    """Whether `error`, or its cause, means that the database is temporarily unavailable."""
    while error is not None:
        if isinstance(error, OperationalError | InterfaceError) and _is_busy(error):
            return True
        error = error.__cause__
    return False


def _is_busy(error: Exception) -> bool:
    driver = error.__cause__
    if driver is None or type(driver).__module__.startswith("sqlite3"):
        return any(words in str(error) for words in SQLITE_WORDS)
    state = getattr(driver, "sqlstate", None)
    # No state: the connection was refused, or it broke before the server could respond.
    return state is None or state.startswith(POSTGRESQL_STATES)
