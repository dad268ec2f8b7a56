"""A data folder that can't be made is named in a sentence, by whatever starts with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.data_folder import ensure_folder
from tests.environment import without_settings
from tests.paths import ROOT


def test_it_is_made_once(tmp_path: Path) -> None:
    for _ in range(2):
        assert ensure_folder(tmp_path / "srv" / "town").is_dir()


def test_one_that_can_not_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match=rf"The folder {tmp_path}/file/town can't be made: Not a directory"):
        ensure_folder(tmp_path / "file" / "town")


@pytest.mark.processes
@pytest.mark.parametrize(
    "command", [["script/web", "--port", "1"], ["script/worker"], ["manage.py", "migrate"]], ids=str
)
def test_a_command_ends_with_the_sentence(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "file").touch()
    environment = without_settings() | {"DIPTYCH_DATA": str(tmp_path / "file" / "town")}
    program = [sys.executable, *command] if command[0].endswith(".py") else command
    done = subprocess.run(program, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    said = done.stdout + done.stderr
    assert done.returncode and "can't be made: Not a directory" in said and "Traceback" not in said, said
