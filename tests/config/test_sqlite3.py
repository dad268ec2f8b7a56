"""Threads of a process that write to SQLite wait for each other in a queue, and no longer than SQLite would."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError
from django.db.utils import ConnectionHandler

pytestmark = pytest.mark.django_db


@contextmanager
def connected(path: Path, timeout: float = 60) -> Iterator[Any]:
    options = {"transaction_mode": "IMMEDIATE", "timeout": timeout}
    database = {"ENGINE": "config.sqlite3", "NAME": path, "OPTIONS": options}
    made: Any = ConnectionHandler({"default": database})["default"]
    try:
        yield made
    finally:
        made.close()


def begin(connection: Any) -> None:
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


def end(connection: Any, how: str = "commit") -> None:
    getattr(connection, how)()
    if connection.connection is not None:
        connection.set_autocommit(True)


def test_the_site_uses_it_where_it_runs_on_sqlite() -> None:
    engine = settings.DATABASES["default"]["ENGINE"]
    assert engine in ("config.sqlite3", "config.postgresql")


@pytest.mark.parametrize("how", ["commit", "rollback", "close"])
def test_a_thread_writes_when_the_one_before_has_ended(tmp_path: Path, how: str) -> None:
    happened: list[str] = []
    waiting = threading.Event()

    def write() -> None:
        with connected(tmp_path / "db") as second:
            waiting.set()
            begin(second)
            happened.append("second begins")
            end(second)

    with connected(tmp_path / "db") as first:
        begin(first)
        thread = threading.Thread(target=write)
        thread.start()
        assert waiting.wait(60)
        happened.append("first ends")
        end(first, how)
        thread.join(60)
    assert happened == ["first ends", "second begins"]


def test_a_thread_that_waits_too_long_is_told_that_the_database_is_locked(tmp_path: Path) -> None:
    with connected(tmp_path / "db") as first, connected(tmp_path / "db", timeout=0.1) as second:
        begin(first)
        with pytest.raises(OperationalError, match="locked"):
            begin(second)
        end(first)
        begin(second)
        end(second)


def test_what_runs_after_a_commit_may_write(tmp_path: Path) -> None:
    with connected(tmp_path / "db", timeout=0.1) as first, connected(tmp_path / "db", timeout=0.1) as second:
        begin(first)
        first.commit()
        begin(second)
        end(second)
        first.set_autocommit(True)
