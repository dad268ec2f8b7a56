"""A filled site and an empty database."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

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
def postgres_with_tables(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An empty site on PostgreSQL."""
    from tests.postgres import postgres_database, template

    with postgres_database(template(tmp_path_factory)) as address:
        yield Site(tmp_path / "postgres", address)
