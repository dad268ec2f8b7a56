"""The database connections of a thread."""

from __future__ import annotations

from django.db import connections


def reconnect() -> None:
    """Drop this thread's database connections: the next query opens new ones, whatever became of these."""
    for each in connections.all(initialized_only=True):
        if not each.in_atomic_block:
            each.close()
