"""A backup, restored into an empty site, is the same site: on the same database and on the other one."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
import threading
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.db.models import QuerySet

from annotation.errors import Conflict, Invalid
from annotation.import_models import Import, ImportFile, ImportFilePart
from annotation.models import User
from operation.backup import archive, tables, write
from operation.backup.archive import Backup
from operation.backup.write import backup_write
from tests.factories import UserFactory
from tests.needs import POSTGRES
from tests.paths import ROOT

EMPTY = {"auth.group", "auth.group_permissions", "annotation.user_groups", "annotation.user_user_permissions"}
"""Tables that Django brings and Diptych does not use."""


@dataclass
class Place:
    """A site of its own: a data folder, and a database in it or elsewhere."""

    data: Path
    database: str = ""

    def run(self, *arguments: str, code: int = 0) -> str:
        unset = ("DATABASE_URL", "DIPTYCH_", "CELERY_")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
        environment |= {"DIPTYCH_DATA": str(self.data), "DJANGO_SETTINGS_MODULE": "config.settings"}
        if self.database:
            environment["DATABASE_URL"] = self.database
        done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout if code == 0 else done.stderr

    def manage(self, *arguments: str, code: int = 0) -> str:
        return self.run("manage.py", *arguments, code=code)

    def rows(self) -> dict[str, list[str]]:
        return dict(json.loads(self.run("-m", "tests.operation.filled", "rows")))

    def insert(self) -> list[int]:
        return list(json.loads(self.run("-m", "tests.operation.filled", "insert")))

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(self.data.glob("publications/*"))}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A filled site on SQLite."""
    made = Place(tmp_path_factory.mktemp("site"))
    made.manage("migrate", "-v0")
    made.run("-m", "tests.operation.filled", "fill")
    made.manage("backup", str(made.data / "site.backup"))
    return made


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[Place]:
    """An empty database on PostgreSQL."""
    import psycopg

    name = f"diptych_backup_{os.getpid()}"
    with psycopg.connect(POSTGRES, autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name}")
        server.execute(f"CREATE DATABASE {name}")
        yield Place(tmp_path / "postgres", urlsplit(POSTGRES)._replace(path=f"/{name}").geturl())
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.takes(20)
def test_every_row_and_file_comes_back(site: Place, tmp_path: Path) -> None:
    again = Place(tmp_path / "again")
    said = again.manage("restore", str(site.data / "site.backup"))
    before = site.rows()
    assert again.rows() == before
    assert {label for label, rows in before.items() if not rows} == EMPTY
    assert again.files() == site.files() != {}
    assert f"Restored {sum(map(len, before.values()))} rows" in said and "1 files" in said
    assert {stat.S_IMODE(path.stat().st_mode) for path in again.data.glob("publications/*")} == {0o600}
    # The next keys are those that the first site would have given, though the newest rows were deleted there.
    keys = again.insert()
    copy = tmp_path / "copy.sqlite3"
    copy.write_bytes((site.data / "diptych.sqlite3").read_bytes())
    assert keys == Place(tmp_path / "copy", f"sqlite:///{copy}").insert()


@pytest.mark.postgres
@pytest.mark.takes(40)
def test_from_one_database_to_the_other_and_back(site: Place, postgres: Place, tmp_path: Path) -> None:
    before = site.rows()
    postgres.manage("restore", str(site.data / "site.backup"))
    assert postgres.rows() == before and postgres.files() == site.files()
    postgres.manage("backup", str(tmp_path / "second.backup"))
    keys = postgres.insert()
    back = Place(tmp_path / "back")
    back.manage("restore", str(tmp_path / "second.backup"))
    assert back.rows() == before and back.files() == site.files()
    assert back.insert() == keys


def test_a_backup_is_private_and_replaces_nothing(site: Place, tmp_path: Path) -> None:
    assert stat.S_IMODE((site.data / "site.backup").stat().st_mode) == 0o600
    (tmp_path / "there").write_text("something else")
    assert "There is a file of this name already" in site.manage("backup", str(tmp_path / "there"), code=1)
    assert (tmp_path / "there").read_text() == "something else"
    assert "cannot be written" in site.manage("backup", str(tmp_path / "no folder" / "x"), code=1)
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_it_holds_no_secrets_of_the_machine(site: Place) -> None:
    with zipfile.ZipFile(site.data / "site.backup") as packed:
        everything = b"".join(packed.read(name) for name in packed.namelist())
        labels = {Path(name).stem for name in packed.namelist() if name.startswith("tables/")}
    assert (site.data / "secret-key").read_bytes() not in everything
    assert not {label for label in labels if label.startswith(("sessions", "axes", "annotation.worker"))}


def test_a_site_that_is_not_empty_is_left_alone(site: Place) -> None:
    before = site.rows()
    refused = site.manage("restore", str(site.data / "site.backup"), code=1)
    assert "not empty" in refused and "annotation_project" in refused and "DIPTYCH_DATA" in refused
    assert site.rows() == before


@pytest.mark.takes(10)
def test_an_older_backup_is_migrated_and_a_newer_one_refused(tmp_path: Path) -> None:
    old = Place(tmp_path / "old")
    old.manage("migrate", "-v0")
    old.manage("migrate", "-v0", "agreement", "0005")
    made = (
        "import django; django.setup(); from django.db import connection as c; k = c.cursor(); "
        'k.execute("insert into annotation_project (slug, name, scheme, settings, created, staged) values '
        "('old', 'Old', '{}', '{}', '2026-01-02 03:04:05.678901', 0)\"); "
        'k.execute("insert into agreement_publication (number, format, licence, description, status, total, done, '
        "problem, file, size, made, project_id, claimed_by, attempts) values (1, 'csv', 'x', '', 'done', 1, 1, '', '', "
        "0, '2026-01-02 03:04:05', 1, '', 0)\")"
    )
    old.run("-c", made)
    backup = tmp_path / "old.backup"
    old.manage("backup", str(backup))
    new = Place(tmp_path / "new")
    new.manage("restore", str(backup))
    assert "No migrations to apply" in new.manage("migrate")
    (project,) = new.rows()["annotation.project"]
    assert json.loads(project)["created"] == "2026-01-02 03:04:05.678901+00:00"
    assert len(new.rows()["agreement.publication"]) == 1
    ahead = Place(tmp_path / "ahead")
    ahead.manage("migrate", "-v0")
    assert "`migrate` has not run" in ahead.manage("restore", str(backup), code=1)
    newer = rewritten(backup, tmp_path / "newer", manifest={"migrations": ["annotation.9999_to_come"]})
    empty = Place(tmp_path / "empty")
    refused = empty.manage("restore", str(newer), code=1)
    assert "newer version" in refused and "annotation.9999_to_come" in refused and "Update Diptych" in refused


def rewritten(
    backup: Path,
    to: Path,
    *,
    entries: dict[str, bytes] | None = None,
    manifest: dict[str, Any] | None = None,
    hashed: bool = True,
) -> Path:
    """A copy of a backup with other entries; with `hashed` the manifest agrees with them."""
    with zipfile.ZipFile(backup) as source, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as packed:
        described = json.loads(source.read("manifest.json"))
        for name in source.namelist():
            if name == "manifest.json":
                continue
            data = (entries or {}).get(name, source.read(name))
            packed.writestr(name, data)
            if hashed and name.startswith("tables/"):
                table = described["tables"][Path(name).stem]
                table |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "rows": data.count(b"\n") - 1}
        packed.writestr("manifest.json", json.dumps(described | (manifest or {})))
    return to


def added(name: str, data: bytes = b"x", **fields: Any) -> Callable[[Path], None]:
    """Adds an entry that the manifest names as a file."""

    def add(path: Path) -> None:
        with zipfile.ZipFile(path) as source:
            described = json.loads(source.read("manifest.json"))
        described["files"][name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), **fields}
        rewritten(path, path.with_suffix(".new"), manifest=described).replace(path)
        with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr(f"files/{name}", data)

    return add


def repeated(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as packed, pytest.warns(UserWarning, match="Duplicate name"):
        packed.writestr("manifest.json", b"{}")


def unnamed(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr("../../evil", b"x")


def linked(path: Path) -> None:
    added("publications/x.zip")(path)
    data = path.read_bytes()
    with zipfile.ZipFile(path) as packed:
        mode = packed.getinfo("files/publications/x.zip").external_attr
    (path).write_bytes(data.replace(mode.to_bytes(4, "little"), ((stat.S_IFLNK | 0o777) << 16).to_bytes(4, "little")))


def changed(path: Path) -> None:
    name = "tables/annotation.user.jsonl"
    with zipfile.ZipFile(path) as source:
        data = source.read(name).replace(b"lena", b"Lena")
    rewritten(path, path.with_suffix(".new"), entries={name: data}, hashed=False).replace(path)


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def no_zip(path: Path) -> None:
    path.write_bytes(b"PK")


def without_manifest(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("something", b"")


HOSTILE: dict[str, tuple[Callable[[Path], None], str]] = {
    "leads outside": (added("publications/../../../evil"), "no place for a file"),
    "absolute": (added("/tmp/evil"), "no place for a file"),
    "another folder": (added("static/evil.js"), "no place for a file"),
    "hidden": (added("publications/.making-x"), "no place for a file"),
    "backslash": (added("publications/..\\evil"), "no place for a file"),
    "repeated": (repeated, "twice"),
    "unnamed": (unnamed, "does not name it"),
    "link": (linked, "no ordinary file"),
    "longer than it says": (added("publications/x.zip", b"x" * 5000, bytes=4999), "longer than the manifest says"),
    "shorter than it says": (added("publications/x.zip", b"x", bytes=5000), "not what the manifest says"),
    "changed": (changed, "not what the manifest says"),
    "cut off": (cut_off, "no zip archive"),
    "another zip": (without_manifest, "no manifest.json"),
    "no zip": (no_zip, "no zip archive"),
}


@pytest.fixture
def copied(site: Place, tmp_path: Path) -> Path:
    path = tmp_path / "copied.backup"
    path.write_bytes((site.data / "site.backup").read_bytes())
    return path


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_damaged_or_hostile_is_refused_before_anything_is_written(kind: str, copied: Path) -> None:
    change, reason = HOSTILE[kind]
    Backup(copied)
    change(copied)
    with pytest.raises(Invalid, match=reason):
        Backup(copied)


def test_a_bomb_is_refused_by_what_it_claims_and_by_what_it_is(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    added("publications/x.zip", b"x", bytes=2**50)(copied)
    with pytest.raises(Invalid, match="claims to unpack"):
        Backup(copied)
    monkeypatch.setattr(archive, "UNCHECKED_SIZE", 2**60)
    with pytest.raises(Invalid, match=r"MB are free"):
        Backup(copied)


def test_an_endless_row_is_not_read_to_its_end(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backup = Backup(copied)
    monkeypatch.setattr(archive, "LONGEST_ROW", 100)
    with pytest.raises(Invalid, match="longer than 100 bytes"):
        list(backup.rows("annotation.text", backup.manifest.tables["annotation.text"]))


UNFIT: tuple[tuple[str, Callable[[bytes], bytes], str], ...] = (
    ("annotation.referenceview", lambda data: data.replace(b",1]", b",777777]"), "do not fit"),  # no such pair
    ("annotation.user", lambda data: data + b"[1,2]\n", "do not fit"),
    ("annotation.user", lambda data: data + b"{}\n", "is no row"),
    ("annotation.guideline", lambda data: data.replace(b"202", b"a time", 1), "do not fit"),
)


@pytest.mark.takes(20)
def test_rows_that_do_not_fit_leave_the_site_empty(copied: Path, site: Place, tmp_path: Path) -> None:
    place = Place(tmp_path / "place")
    for label, change, reason in UNFIT:
        name = f"tables/{label}.jsonl"
        with zipfile.ZipFile(copied) as source:
            before = source.read(name)
        assert change(before) != before
        forged = rewritten(copied, tmp_path / "forged", entries={name: change(before)})
        assert reason in place.manage("restore", str(forged), code=1)
        assert place.files() == {}
    assert not any(place.rows().values())
    place.manage("restore", str(copied))
    assert place.rows() == site.rows()


def test_a_file_in_the_way_is_not_overwritten(copied: Path, site: Place, tmp_path: Path) -> None:
    place = Place(tmp_path / "place")
    (name,) = site.files()
    path = place.data / "publications" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(b"something else")
    assert "another file in the place" in place.manage("restore", str(copied), code=1)
    assert path.read_bytes() == b"something else"
    path.write_bytes(site.files()[name])  # what an attempt that was killed leaves
    visited = (
        "import django; django.setup(); from django.test import Client; from axes.models import AccessAttempt; "
        "Client().post('/login/', {'username': 'x', 'password': 'y'}); Client().session.save(); "
        "assert AccessAttempt.objects.exists()"
    )
    place.manage("migrate", "-v0")
    place.run("-c", visited)  # a site that only strangers have seen is empty
    place.manage("restore", str(copied))
    assert place.files() == site.files()


@pytest.mark.django_db(transaction=True)
@pytest.mark.takes(8)
def test_large_rows_are_not_all_in_memory(tmp_path: Path) -> None:
    """Parts of uploaded files, of 1 MB each."""
    megabyte = 2**20
    waiting = Import.objects.create(slug="x")
    file = ImportFile.objects.create(to_import=waiting, name="x.jsonl")
    for number in range(60):
        ImportFilePart.objects.create(file=file, number=number, data=os.urandom(megabyte))
    kept = sha256_of(ImportFilePart.objects.order_by("number"))
    tracemalloc.start()
    try:
        backup_write(tmp_path / "out")
        backup = Backup(tmp_path / "out")
        assert tracemalloc.get_traced_memory()[1] < 40 * megabyte
        ImportFilePart.objects.all().delete()
        tracemalloc.reset_peak()
        rows = backup.rows("annotation.importfilepart", backup.manifest.tables["annotation.importfilepart"])
        assert tables.rows_insert(ImportFilePart, next(rows), rows) == 60
        assert tracemalloc.get_traced_memory()[1] < 40 * megabyte
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
    """While the tables are written somebody adds rows: nobody waits, and none of them is in the backup."""
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
