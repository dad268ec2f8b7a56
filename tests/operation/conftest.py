"""A filled site and an empty database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.needs import POSTGRES
from tests.operation.sites import Site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A filled site on SQLite."""
    made = Site(tmp_path_factory.mktemp("site"))
    made.manage("migrate", "-v0")
    made.run("-m", "tests.operation.filled", "fill")
    made.manage("backup", str(made.data / "site.backup"))
    return made


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[Site]:
    """An empty database on PostgreSQL."""
    import psycopg

    name = f"diptych_backup_{os.getpid()}"
    with psycopg.connect(POSTGRES, autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name}")
        server.execute(f"CREATE DATABASE {name}")
        yield Site(tmp_path / "postgres", urlsplit(POSTGRES)._replace(path=f"/{name}").geturl())
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")
