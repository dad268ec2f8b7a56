"""An archive of a project, imported on an empty site: on the same database and on the other one."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.operation.sites import Site

pytestmark = pytest.mark.long


def tables(path: Path) -> dict[str, list[Any]]:
    """The rows: PostgreSQL doesn't keep the order of keys within a JSON value."""
    with zipfile.ZipFile(path) as packed:
        names = [name for name in packed.namelist() if name.startswith("tables/")]
        return {name: [json.loads(line) for line in packed.read(name).decode().splitlines()] for name in names}


def moved(site: Site, to: Site, folder: Path) -> None:
    """Export, import on an empty site, and export there: every row and the report are the same."""
    folder.mkdir(parents=True, exist_ok=True)
    one, two = folder / "one.zip", folder / "two.zip"
    to.data.mkdir(parents=True, exist_ok=True)
    site.manage("export", "--project", "demo-graded", "--to", "archive", str(one), "--names")
    to.manage("import_pairs", str(one), "--format", "archive", "--project", "demo-graded")
    to.manage("export", "--project", "demo-graded", "--to", "archive", str(two), "--names")
    before, after = tables(one), tables(two)
    # A run that was not done is cancelled.
    name = "tables/assist.run.jsonl"
    before[name] = [["cancelled" if value == "queued" else value for value in row] for row in before[name]]
    assert after == before
    report = ("agreement", "--project", "demo-graded", "--phase", "main", "--format", "json")
    assert to.manage(*report) == site.manage(*report)


def empty(folder: Path, migrated: Path) -> Site:
    folder.mkdir()
    shutil.copy(migrated, folder)
    return Site(folder)


@pytest.fixture
def filled(site: Site, tmp_path: Path) -> Site:
    """A copy of the filled site: an export is recorded in the project, and other tests compare the site's rows."""
    return Site(Path(shutil.copytree(site.data, tmp_path / "filled")))


@pytest.mark.takes(20)
def test_on_an_empty_site(filled: Site, tmp_path: Path, migrated: Path) -> None:
    moved(filled, empty(tmp_path / "again", migrated), tmp_path / "files")


@pytest.mark.postgres
@pytest.mark.takes(40)
def test_from_one_database_to_the_other_and_back(
    filled: Site, postgres_with_tables: Site, tmp_path: Path, migrated: Path
) -> None:
    moved(filled, postgres_with_tables, tmp_path / "there")
    moved(postgres_with_tables, empty(tmp_path / "back", migrated), tmp_path / "back-again")
