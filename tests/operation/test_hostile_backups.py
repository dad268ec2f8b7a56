"""Damaged and hostile files are refused, and nothing is written."""

from __future__ import annotations

import hashlib
import json
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.errors import Invalid
from operation.backup import archive
from operation.backup.archive import Backup
from tests.operation.sites import Site, rewritten

EMPTY = {"auth.group", "auth.group_permissions", "annotation.user_groups", "annotation.user_user_permissions"}
"""Tables that Django brings and Diptych does not use."""


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
    "leads outside": (added("publications/../../../evil"), "not a path for a file"),
    "absolute": (added("/tmp/evil"), "not a path for a file"),
    "another folder": (added("static/evil.js"), "not a path for a file"),
    "hidden": (added("publications/.making-x"), "not a path for a file"),
    "backslash": (added("publications/..\\evil"), "not a path for a file"),
    "repeated": (repeated, "twice"),
    "unnamed": (unnamed, "does not name it"),
    "link": (linked, "no ordinary file"),
    "longer than it says": (added("publications/x.zip", b"x" * 5000, bytes=4999), "longer than the manifest says"),
    "shorter than it says": (added("publications/x.zip", b"x", bytes=5000), "does not match the manifest"),
    "changed": (changed, "does not match the manifest"),
    "cut off": (cut_off, "not a zip archive"),
    "another zip": (without_manifest, "no manifest.json"),
    "no zip": (no_zip, "not a zip archive"),
}


@pytest.fixture
def copied(site: Site, tmp_path: Path) -> Path:
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
    monkeypatch.setattr(archive, "MAX_ROW_BYTES", 100)
    with pytest.raises(Invalid, match="longer than 100 bytes"):
        list(backup.rows("annotation.text", backup.manifest.tables["annotation.text"]))


UNFIT: tuple[tuple[str, Callable[[bytes], bytes], str], ...] = (
    ("annotation.referenceview", lambda data: data.replace(b",1]", b",777777]"), "do not fit"),  # no such pair
    ("annotation.user", lambda data: data + b"[1,2]\n", "do not fit"),
    ("annotation.user", lambda data: data + b"{}\n", "is no row"),
    ("annotation.user", lambda data: data.replace(b'"lena"', b'["lena"]', 1), "list instead of str"),
    ("annotation.user", lambda data: data.replace(b'"lena"', b'"lena\\u0000"', 1), "or with a NUL"),
    ("annotation.user", lambda data: data.replace(b'"lena"', b'"%s"' % (b"l" * 200), 1), "longer than 150"),
    ("annotation.user", lambda data: data.replace(b"[1,", b"[1.5,", 1), "float instead of int"),
    ("annotation.guideline", lambda data: data.replace(b"202", b"a time", 1), "do not fit"),
)


RESTORES = """
import sys, django
django.setup()
from django.core.management import CommandError, call_command
for path in sys.argv[1:]:
    try:
        call_command("restore", path)
    except CommandError as refused:
        print(" ".join(str(refused).split()))
"""


@pytest.mark.long
@pytest.mark.takes(10)
def test_rows_that_do_not_fit_leave_the_site_empty(copied: Path, site: Site, migrated: Path, tmp_path: Path) -> None:
    other = Site(tmp_path / "other")
    other.data.mkdir()
    shutil.copy(migrated, other.data)
    paths = []
    for number, (label, change, _reason) in enumerate(UNFIT):
        name = f"tables/{label}.jsonl"
        with zipfile.ZipFile(copied) as source:
            before = source.read(name)
        assert change(before) != before
        paths.append(rewritten(copied, tmp_path / f"forged{number}", entries={name: change(before)}))
    refused = other.run("-c", RESTORES, *map(str, paths)).splitlines()
    for said, (_label, _change, reason) in zip(refused, UNFIT, strict=True):
        assert reason in said
    assert other.files() == {}
    assert not any(other.rows().values())
    other.manage("restore", str(copied))
    assert other.rows() == site.rows()


@pytest.mark.parametrize("name", ["diptych", "made"])
def test_a_manifest_that_would_write_to_the_terminal_is_refused(name: str, copied: Path, tmp_path: Path) -> None:
    forged = rewritten(copied, tmp_path / "forged", manifest={name: "\x1b]0;a title\x07"})
    with pytest.raises(Invalid) as refused:
        Backup(forged)
    assert "\x1b" not in str(refused.value)


@pytest.mark.long
@pytest.mark.takes(10)
def test_a_file_in_the_way_is_not_overwritten(copied: Path, site: Site, migrated: Path, tmp_path: Path) -> None:
    other = Site(tmp_path / "other")
    added("publications/x-1.zip", b"published")(copied)  # as older backups have them
    path = other.data / "publications" / "x-1.zip"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"something else")
    shutil.copy(migrated, other.data)
    assert "already another file where" in other.manage("restore", str(copied), code=1)
    assert path.read_bytes() == b"something else"
    path.write_bytes(b"published")  # what an attempt that was killed leaves
    visited = (
        "import django; django.setup(); from django.test import Client; from axes.models import AccessAttempt; "
        "Client().post('/login/', {'username': 'x', 'password': 'y'}); Client().session.save(); "
        "assert AccessAttempt.objects.exists()"
    )
    other.run("-c", visited)  # a site that only strangers have seen is empty
    other.manage("restore", str(copied))
    assert other.files() == {"x-1.zip": b"published"}
