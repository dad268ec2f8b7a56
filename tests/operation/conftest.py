"""A filled site and an empty database."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.needs import POSTGRES
from tests.once import made_once
from tests.operation.sites import Site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Site:
    """A filled site on SQLite, with a backup of itself in its data folder."""

    def make(folder: Path) -> None:
        shutil.copy(migrated, folder)
        made = Site(folder)
        made.run("-m", "tests.operation.filled", "fill")
        made.manage("backup", str(folder / "site.backup"))

    return Site(made_once(tmp_path_factory, "site", make))


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
