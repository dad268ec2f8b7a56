"""Leftovers of a killed process are removed; folders of a living one are not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import cast

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.services import uploads
from annotation.temporary_folders import UNLOCKED, leftovers_remove, temporary_folder

pytestmark = pytest.mark.processes

HOLD = """
import sys, time
from pathlib import Path
from annotation.temporary_folders import temporary_folder
with temporary_folder(".making-", Path(sys.argv[1])) as folder:
    (folder / "half.zip").write_bytes(bytes(1000))
    print(folder, flush=True)
    time.sleep(600)
"""


def test_a_folder_is_removed_afterwards(tmp_path: Path) -> None:
    with temporary_folder(".x-", tmp_path) as folder:
        assert folder.parent == tmp_path and folder.is_dir()
    assert list(tmp_path.iterdir()) == []


def test_a_living_process_keeps_its_folder_and_a_killed_ones_is_removed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        try:
            assert leftovers_remove(".making-", tmp_path, young=0, unlocked=0) == 0
            assert (folder / "half.zip").is_file()
        finally:
            process.send_signal(signal.SIGKILL)
    assert folder.is_dir()
    assert leftovers_remove(".making-", tmp_path) == 0, "so young, it may be without its lock as yet"
    assert leftovers_remove(".other-", tmp_path, young=0) == 0
    assert leftovers_remove(".making-", tmp_path, young=0) == 1
    assert list(tmp_path.iterdir()) == []


def test_one_without_a_lock_is_removed_after_a_day_and_nothing_else_is(tmp_path: Path) -> None:
    old = tmp_path / ".making-old"
    old.mkdir()
    (tmp_path / ".making-file").touch()
    (tmp_path / ".making-link").symlink_to(old)
    assert leftovers_remove(".making-", tmp_path, young=0) == 0
    day = old.stat().st_mtime - UNLOCKED - 1
    os.utime(old, (day, day))
    assert leftovers_remove(".making-", tmp_path) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [".making-file", ".making-link"]


def test_a_folder_that_is_no_folder_or_cannot_be_read_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert leftovers_remove(".x-", tmp_path / "file") == leftovers_remove(".x-", tmp_path / "nowhere") == 0


def test_an_upload_keeps_the_name_that_its_sender_gave() -> None:
    sent = [SimpleUploadedFile(name, b"x") for name in ("nul.csv", "Why? (2).csv", "Nul.csv")]
    with uploads.unpacked_uploads([cast(uploads.SentFile, file) for file in sent]) as paths:
        assert [path.name for path in paths][:2] == ["nul.csv", "Why? (2).csv"]
        assert len({path.name.lower() for path in paths}) == 3


def test_uploads_of_killed_workers_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with uploads.unpacked_uploads([]):
        (used,) = tmp_path.iterdir()
        left = tmp_path / f"{uploads.UPLOADS}left"
        left.mkdir()
        for folder in (used, left):
            os.utime(folder, (0, 0))
        uploads.uploads_clean()
        assert list(tmp_path.iterdir()) == [used]
