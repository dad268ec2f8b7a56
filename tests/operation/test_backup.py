"""A backup, restored into an empty site, is the same site: on the same database and on the other one."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import threading
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet

from annotation.errors import Conflict
from annotation.models import User
from annotation.models.imports import Import, ImportFile, ImportFilePart
from operation.backup import tables, write
from operation.backup.archive import Backup
from operation.backup.write import backup_write
from tests.factories import UserFactory
from tests.operation.sites import Site, rewritten

pytestmark = pytest.mark.long

EMPTY = {"auth.group", "auth.group_permissions", "annotation.user_groups", "annotation.user_user_permissions"}
"""Tables that Django brings and Diptych does not use."""


@pytest.mark.takes(20)
def test_every_row_and_file_comes_back(site: Site, tmp_path: Path) -> None:
    again = Site(tmp_path / "again")
    said = again.manage("restore", str(site.data / "site.backup"))
    before = site.rows()
    assert again.rows() == before
    assert {label for label, rows in before.items() if not rows} == EMPTY
    assert before["agreement.publicationpart"] and again.files() == {}
    assert f"Restored {sum(map(len, before.values()))} rows" in said and "0 files" in said
    # The next keys are those that the first site would have given, though the newest rows were deleted there.
    keys = again.insert()
    copy = tmp_path / "copy.sqlite3"
    copy.write_bytes((site.data / "diptych.sqlite3").read_bytes())
    assert keys == Site(tmp_path / "copy", f"sqlite:///{copy}").insert()


@pytest.mark.postgres
@pytest.mark.takes(40)
def test_from_one_database_to_the_other_and_back(
    site: Site, postgres_with_tables: Site, migrated: Path, tmp_path: Path
) -> None:
    before = site.rows()
    postgres_with_tables.manage("restore", str(site.data / "site.backup"))
    assert postgres_with_tables.rows() == before
    postgres_with_tables.manage("backup", str(tmp_path / "second.backup"))
    keys = postgres_with_tables.insert()
    back = Site(tmp_path / "back")
    back.data.mkdir()
    shutil.copy(migrated, back.data)
    back.manage("restore", str(tmp_path / "second.backup"))
    assert back.rows() == before
    assert back.insert() == keys


def test_a_database_without_tables_is_not_backed_up(tmp_path: Path) -> None:
    empty = Site(tmp_path / "empty")
    empty.data.mkdir()
    said = empty.manage("backup", str(tmp_path / "site.backup"), code=1)
    assert "no tables" in said and "Traceback" not in said
    assert not (tmp_path / "site.backup").exists()


def test_a_backup_is_private_and_replaces_nothing(site: Site, tmp_path: Path) -> None:
    assert stat.S_IMODE((site.data / "site.backup").stat().st_mode) == 0o600
    (tmp_path / "there").write_text("something else")
    assert "There is a file of this name already" in site.manage("backup", str(tmp_path / "there"), code=1)
    assert (tmp_path / "there").read_text() == "something else"
    assert "cannot be written" in site.manage("backup", str(tmp_path / "no folder" / "x"), code=1)
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_it_holds_no_secrets_of_the_machine(site: Site) -> None:
    with zipfile.ZipFile(site.data / "site.backup") as packed:
        everything = b"".join(packed.read(name) for name in packed.namelist())
        labels = {Path(name).stem for name in packed.namelist() if name.startswith("tables/")}
    assert (site.data / "secret-key").read_bytes() not in everything
    assert not {label for label in labels if label.startswith(("sessions", "axes", "annotation.worker"))}


def test_a_site_that_is_not_empty_is_left_alone(site: Site) -> None:
    before = site.rows()
    refused = site.manage("restore", str(site.data / "site.backup"), code=1)
    assert "not empty" in refused and "annotation_project" in refused and "DIPTYCH_DATA" in refused
    assert site.rows() == before


@pytest.mark.takes(10)
def test_an_older_backup_is_migrated_and_a_newer_one_refused(migrated: Path, tmp_path: Path) -> None:
    old, ahead = Site(tmp_path / "old"), Site(tmp_path / "ahead")
    for each in (old, ahead):
        each.data.mkdir()
        shutil.copy(migrated, each.data)
    old.manage("migrate", "-v0", "agreement", "0005")
    made = (
        "import django; django.setup(); from django.db import connection as c; k = c.cursor(); "
        'k.execute("insert into annotation_project (slug, name, scheme, settings, created, staged) values '
        "('old', 'Old', '{}', '{}', '2026-01-02 03:04:05.678901', 0)\"); "
        'k.execute("insert into agreement_publication (number, format, licence, description, status, total, done, '
        "problem, file, size, made, project_id, claimed_by, attempts) values (1, 'csv', 'x', '', 'done', 1, 1, '', "
        "'old-1.zip', 4, '2026-01-02 03:04:05', 1, '', 0)\")"
    )
    old.run("-c", made)
    (old.data / "publications").mkdir()
    (old.data / "publications" / "old-1.zip").write_bytes(b"PK..")
    backup = tmp_path / "old.backup"
    old.manage("backup", str(backup))
    new = Site(tmp_path / "new")
    new.manage("restore", str(backup))
    assert "No migrations to apply" in new.manage("migrate")
    (project,) = new.rows()["annotation.project"]
    assert json.loads(project)["created"] == "2026-01-02 03:04:05.678901+00:00"
    assert len(new.rows()["agreement.publication"]) == 1
    # Its file was one of the data folder then, and is in the database now.
    (part,) = new.rows()["agreement.publicationpart"]
    assert json.loads(part)["data"] == b"PK..".hex()
    assert new.files() == old.files() == {"old-1.zip": b"PK.."}
    assert {stat.S_IMODE(path.stat().st_mode) for path in new.data.glob("publications/*")} == {0o600}
    assert "`migrate` has not run" in ahead.manage("restore", str(backup), code=1)
    newer = rewritten(backup, tmp_path / "newer", manifest={"migrations": ["annotation.9999_to_come"]})
    empty = Site(tmp_path / "empty")
    refused = empty.manage("restore", str(newer), code=1)
    assert "newer version" in refused and "annotation.9999_to_come" in refused and "Update Diptych" in refused


@pytest.mark.django_db(transaction=True)
@pytest.mark.takes(8)
def test_large_rows_are_not_all_in_memory(tmp_path: Path) -> None:
    """Parts of uploaded files, of 1 MB each."""
    megabyte = 2**20
    waiting = Import.objects.create(slug="x")
    file = ImportFile.objects.create(to_import=waiting, name="x.jsonl")
    for number in range(40):
        ImportFilePart.objects.create(file=file, number=number, data=os.urandom(megabyte))
    kept = sha256_of(ImportFilePart.objects.order_by("number"))
    tracemalloc.start()
    try:
        backup_write(tmp_path / "out")
        backup = Backup(tmp_path / "out")
        assert tracemalloc.get_traced_memory()[1] < 35 * megabyte
        ImportFilePart.objects.all().delete()
        tracemalloc.reset_peak()
        rows = backup.rows("annotation.importfilepart", backup.manifest.tables["annotation.importfilepart"])
        assert tables.rows_insert(ImportFilePart, next(rows), rows) == 40
        assert tracemalloc.get_traced_memory()[1] < 35 * megabyte
    finally:
        tracemalloc.stop()
    assert sha256_of(ImportFilePart.objects.order_by("number")) == kept


def sha256_of(parts: QuerySet[ImportFilePart]) -> str:
    digest = hashlib.sha256()
    for part in parts.iterator(chunk_size=5):
        digest.update(part.data)
    return digest.hexdigest()


@pytest.mark.django_db(transaction=True)
def test_people_go_on_and_the_backup_is_of_one_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the tables are written someone adds rows: nobody waits, and none of them is in the backup."""
    UserFactory(username="before")
    problems: list[BaseException] = []
    lines = tables.table_lines

    def add() -> None:
        try:
            UserFactory()
        except BaseException as error:
            problems.append(error)
        finally:
            connection.close()

    def slow(model: Any) -> Iterator[bytes]:
        thread = threading.Thread(target=add)
        thread.start()
        thread.join()
        yield from lines(model)

    monkeypatch.setattr(write, "table_lines", slow)
    made = backup_write(tmp_path / "out")
    assert not problems
    assert made.tables["annotation.user"].rows == 1 < User.objects.count()
    if connection.vendor == "sqlite":
        assert connection.transaction_mode == "IMMEDIATE"  # type: ignore[attr-defined]
    assert Backup(tmp_path / "out").manifest == made
    with pytest.raises(Conflict):
        backup_write(tmp_path / "out")
