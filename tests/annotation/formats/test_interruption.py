"""Whoever waits for a reader can end it: each asks again and again whether it is still wanted."""

from __future__ import annotations

import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from annotation import formats
from annotation.formats import parquet_check
from annotation.formats.interruption import check_interruption, check_regularly
from annotation.formats.zip_files import unpack
from tests.fuzz import seeds


class NotWanted(Exception):
    pass


def after(number: int) -> Callable[[], None]:
    """Raises when it is called for the time after `number`."""
    left = iter(range(number))

    def check() -> None:
        if next(left, None) is None:
            raise NotWanted

    return check


@pytest.mark.parametrize("name", seeds.NAMES)
@pytest.mark.parametrize("number", [0, 2])
def test_every_reader_can_be_ended(name: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = seeds.make(name, tmp_path / "seed")
    monkeypatch.setattr(parquet_check, "try_in_subprocess", lambda paths: (0, 0))
    monkeypatch.setattr("annotation.formats.check_records", lambda *_: pytest.fail("all was read"))
    with pytest.raises(NotWanted), check_regularly(after(number)):
        formats.read("hub" if name == "foreign" else name, [source], seeds.options(name))
    check_interruption()  # nobody asks outside of the block


def test_unpacking_can_be_ended(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr("a.jsonl", "x")
    with pytest.raises(NotWanted), check_regularly(after(0)):
        unpack(tmp_path / "a.zip", tmp_path / "a")


def test_the_trial_of_parquet_files_can_be_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 600\n")
    slow.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(slow))
    monkeypatch.setattr(parquet_check, "BETWEEN_CHECKS", 0.05)
    began = time.monotonic()
    with pytest.raises(NotWanted), check_regularly(after(2)):
        parquet_check.try_in_subprocess([tmp_path])
    assert time.monotonic() - began < 300
