"""Databases on PostgreSQL that tests make and drop."""

from __future__ import annotations

import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests import needs
from tests.environment import without_settings
from tests.once import basetemp, made_once
from tests.paths import ROOT

TEMPLATE = "postgres-tables"


def unique_name() -> str:
    return f"diptych_{uuid.uuid4().hex[:12]}"


def address_of(name: str) -> str:
    return urlsplit(needs.POSTGRES)._replace(path=f"/{name}").geturl()


def execute(statement: str) -> None:
    """Run a statement outside any transaction, as CREATE DATABASE needs it."""
    with psycopg.connect(needs.POSTGRES, autocommit=True) as server:
        server.execute(statement.encode())


def template(factory: pytest.TempPathFactory) -> str:
    """The name of a database with all tables and no rows, which others are copied from; made once in a run."""

    def make(folder: Path) -> None:
        name = unique_name()
        (folder / "name").write_text(name)
        execute(f'CREATE DATABASE "{name}"')
        environment = without_settings() | {"DIPTYCH_DATA": str(folder), "DATABASE_URL": address_of(name)}
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)

    return (made_once(factory, TEMPLATE, make) / "name").read_text()


def drop_template(factory: pytest.TempPathFactory) -> None:
    """At the end of a run, in the process that started the others."""
    name = basetemp(factory) / TEMPLATE / "name"
    if name.exists():
        execute(f'DROP DATABASE IF EXISTS "{name.read_text()}" WITH (FORCE)')


@contextmanager
def postgres_database(template: str = "") -> Iterator[str]:
    """The address of a database of one's own, dropped at the end: empty, or a copy of `template`."""
    name = unique_name()
    execute(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{template}"' if template else ""))
    try:
        yield address_of(name)
    finally:
        execute(f'DROP DATABASE "{name}" WITH (FORCE)')
