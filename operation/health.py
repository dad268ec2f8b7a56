"""Whether this process can do its work: each check comes to a code, without addresses or names."""

from __future__ import annotations

import tempfile
from functools import cache

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.loader import MigrationLoader

from operation.historical_models import applied_migrations

OK = "ok"


def readiness() -> dict[str, str]:
    """The code of every check: 'ok', 'folder' for a broker that needs no server, or what is wrong."""
    return {"database": _database(), "migrations": _migrations(), "data": _data_folder(), "broker": _broker()}


def is_ready(codes: dict[str, str]) -> bool:
    return all(code in (OK, "folder") for code in codes.values())


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        return "unreachable"
    return OK


def pending_migrations() -> list[str]:
    """The newest migration of each app in which one is missing."""
    applied = set(applied_migrations())
    return [f"{app}.{name}" for app, name in _newest() if (app, name) not in applied]


@cache
def _newest() -> list[tuple[str, str]]:
    return sorted(MigrationLoader(None, ignore_no_migrations=True).graph.leaf_nodes())


def _migrations() -> str:
    try:
        return "pending" if pending_migrations() else OK
    except (DatabaseError, InterfaceError):
        return "unknown"


def _data_folder() -> str:
    """A byte is written, since a full disk still makes empty files."""
    try:
        with tempfile.TemporaryFile(dir=settings.DATA_DIR, buffering=0) as file:
            file.write(b"x")
    except OSError:
        return "not-writable"
    return OK


def _broker() -> str:
    if settings.CELERY_BROKER_URL.startswith("filesystem://"):
        return "folder"
    from config.celery import app

    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=2)
            # Only with a channel has the server answered.
            _ = broker.default_channel
    except Exception:
        # Every transport raises errors of its own.
        return "unreachable"
    return OK
