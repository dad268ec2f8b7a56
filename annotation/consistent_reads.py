"""Reading the database as it was at one moment, while others go on writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """A transaction that sees nothing of what others commit meanwhile, and keeps nobody from it.

    Only for reading. Inside another transaction, that one decides what is seen.
    """
    if connection.in_atomic_block:
        yield
        return
    if connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                _read(cursor)
            yield
        return
    # Other transactions of the site take the write lock at their beginning; this one must not.
    sqlite: Any = connection
    sqlite.ensure_connection()
    mode, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                _read(cursor)
            yield
    finally:
        sqlite.transaction_mode = mode


def _read(cursor: Any) -> None:
    """The first read fixes the moment."""
    cursor.execute("SELECT count(*) FROM django_migrations")
    cursor.fetchone()
