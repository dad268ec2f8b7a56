"""The folder in which web processes count: a start removes what dead processes left, and nothing of a running site."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import metrics_folder as module
from config.metrics_folder import VARIABLE, metrics_folder
from tests.paths import ROOT

PORT = 8000
OTHER = """
import sys, time
from pathlib import Path
from config import metrics_folder as module
module._MEMORY = Path(sys.argv[1])
with module.metrics_folder(int(sys.argv[2])) as folder:
    print(folder, flush=True)
    time.sleep(600)
"""

FORKING = """
import os, sys
from pathlib import Path
from config import metrics_folder as module
module._MEMORY = Path(sys.argv[1])
with module.metrics_folder(int(sys.argv[2])) as folder:
    if not os.fork():
        sys.exit()
    os.wait()
    print(folder.exists())
"""


@pytest.fixture(autouse=True)
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module, "_MEMORY", tmp_path)
    monkeypatch.setenv(VARIABLE, "")
    return tmp_path


@pytest.fixture
def other_site(memory: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """The folder and the process of a site that runs on the same port."""
    command = [sys.executable, "-c", OTHER, str(memory), str(PORT)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield Path(process.stdout.readline().strip()), process
    process.kill()
    process.wait()


def test_a_folder_is_named_to_what_counts_and_removed_at_the_end(memory: Path) -> None:
    with metrics_folder(PORT) as folder:
        assert os.environ[VARIABLE] == str(folder) and list(memory.iterdir()) == [folder]
        (folder / "counter_1.db").touch()
    assert not list(memory.iterdir())


def test_what_a_running_site_has_stays(other_site: tuple[Path, subprocess.Popen[str]], memory: Path) -> None:
    of_other, _ = other_site
    (of_other / "counter_1.db").touch()
    with metrics_folder(PORT) as folder:
        assert set(memory.iterdir()) == {of_other, folder}
    assert list(memory.rglob("*")) == [of_other, of_other / "counter_1.db"]


@pytest.mark.parametrize("port", [PORT, PORT + 1])
def test_what_a_dead_site_left_is_removed(
    other_site: tuple[Path, subprocess.Popen[str]], memory: Path, port: int
) -> None:
    of_other, process = other_site
    (of_other / "counter_1.db").touch()
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert of_other.exists()
    with metrics_folder(port) as folder:
        assert list(memory.iterdir()) == [folder]


def test_what_is_not_of_this_version_and_user_stays(memory: Path) -> None:
    user = os.getuid()
    names = (f"diptych-metrics-{user}-{PORT}.x", f"diptych-metrics-{user + 1}-{PORT}-x", "kept")
    others = {memory / name for name in names}
    for other in others:
        other.mkdir()
    link = memory / f"diptych-metrics-{user}-{PORT}-x"
    link.symlink_to("kept")
    with metrics_folder(PORT):
        pass
    assert set(memory.iterdir()) == others | {link}


def test_a_forked_process_that_ends_leaves_it(memory: Path) -> None:
    command = [sys.executable, "-c", FORKING, str(memory), str(PORT)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
    assert not list(memory.iterdir())


def test_without_memory_it_is_among_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MEMORY", tmp_path / "none")
    monkeypatch.setattr(module, "gettempdir", lambda: str(tmp_path))
    with metrics_folder(PORT) as folder:
        assert folder.parent == tmp_path
