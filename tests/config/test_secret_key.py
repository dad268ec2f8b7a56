"""The file of the secret key: a damaged one is named, and a new one is on the disk before it is used."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.secret_key import stored_key
from tests.environment import without_settings
from tests.paths import ROOT

DAMAGED = pytest.mark.parametrize(
    "content", [b"", b" \n", bytes(50), b"\xff\xfe" * 25, b"a" * 25 + b"\0" * 25], ids=repr
)


@DAMAGED
def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "secret-key"
    file.write_bytes(content)
    with pytest.raises(ImproperlyConfigured, match="is empty or damaged") as refused:
        stored_key(file)
    assert str(file) in str(refused.value) and "delete the file" in str(refused.value)
    assert file.read_bytes() == content


def test_a_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"{tmp_path} can't be read: Is a directory"):
        stored_key(tmp_path)


def test_a_key_stays_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text("a key with a line end\n")
    assert stored_key(tmp_path / "secret-key") == "a key with a line end\n"


def test_a_new_key_is_on_the_disk_before_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, happened = tmp_path / "secret-key", []
    link, sync = os.link, os.fsync

    def linked(old: Path, new: Path) -> None:
        happened.append("named")
        link(old, new)

    def synced(number: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(number).st_mode)
        assert is_folder or len(Path(f"/proc/self/fd/{number}").read_text()) >= 50
        happened.append("folder" if is_folder else "file")
        sync(number)

    monkeypatch.setattr(os, "link", linked)
    monkeypatch.setattr(os, "fsync", synced)
    key = stored_key(file)
    assert happened == ["file", "named", "folder"]
    assert file.read_text() == key == stored_key(file) and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file] and len(happened) == 3


def test_of_two_processes_at_once_one_makes_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret-key"

    def generated() -> str:
        file.write_text("of the other process")
        return "of this one"

    monkeypatch.setattr("django.core.management.utils.get_random_secret_key", generated)
    assert stored_key(file) == "of the other process" and list(tmp_path.iterdir()) == [file]


@pytest.mark.processes
@pytest.mark.parametrize(
    "command",
    [["manage.py", "migrate"], ["manage.py", "check_production"], ["-m", "config.serving", "--port", "0"]],
    ids=lambda command: command[1],
)
def test_whatever_starts_ends_with_the_sentence(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "secret-key").touch()
    environment = without_settings() | {"DIPTYCH_DATA": str(tmp_path)}
    run = [sys.executable, *command]
    done = subprocess.run(run, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    assert f"The secret key in {tmp_path}/secret-key is empty or damaged" in done.stderr
