"""The habits of a checkout: set up, serve, end; quick the second time, and clear about what failed."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.paths import ROOT

PATIENCE = 240.0
BASH = ("setup", "test", "worker", "bench", "messages")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`script/server` in a process, with what it has said so far."""

    def __init__(self, data: Path, port: int) -> None:
        self.output = data / "said"
        environment = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "CI")}
        environment |= {"DIPTYCH_DATA": str(data)}
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [str(ROOT / "script" / "server"), "--port", str(port)],
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    @property
    def said(self) -> str:
        return self.output.read_text()

    def until(self, text: str) -> None:
        """Wait until it has said so."""
        began = time.monotonic()
        while text not in self.said:
            assert time.monotonic() - began < PATIENCE, self.said
            assert self.process.poll() is None or text in self.said, self.said
            time.sleep(0.1)

    def children(self) -> list[int]:
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True)
        return [int(pid) for pid in listed.stdout.split()]


@contextmanager
def server(data: Path, port: int) -> Iterator[Server]:
    running = Server(data, port)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.terminate()
        running.process.wait(timeout=60)


def gone(pids: list[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


def rows(data: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(data / "diptych.sqlite3", timeout=20)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def test_the_demo_is_served_and_pre_labelled_and_a_second_start_changes_nothing(tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path, port) as first:
        first.until("Diptych is at")
        assert f"http://127.0.0.1:{port}/" in first.said
        assert "lena" in first.said
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/login/") as page:
            assert page.status == 200
        (pairs,) = rows(tmp_path, "SELECT count(*) FROM annotation_pair")[0]
        end = time.monotonic() + PATIENCE
        query = "SELECT count(*) FROM annotation_highlight WHERE method LIKE 'default.v%'"
        while rows(tmp_path, query) != [(pairs,)]:
            assert time.monotonic() < end, (tmp_path / "logs" / "worker.log").read_text()
            time.sleep(0.5)
        children = first.children()
        assert len(children) == 2
        first.process.send_signal(signal.SIGINT)
        assert first.process.wait(timeout=60) == 0
        assert gone(children)
    before = rows(tmp_path, "SELECT id, made FROM annotation_highlight ORDER BY id")
    with server(tmp_path, port) as second:
        second.until("Diptych is at")
        assert "was there already" in second.said
        assert "setup:" not in second.said
        time.sleep(5)
    assert rows(tmp_path, "SELECT id, made FROM annotation_highlight ORDER BY id") == before
    assert rows(tmp_path, "SELECT count(*) FROM annotation_pair") == [(pairs,)]


@pytest.mark.parametrize("victim", ["web", "worker"])
def test_one_that_dies_ends_the_other_and_is_named(tmp_path: Path, victim: str) -> None:
    with server(tmp_path, free_port()) as running:
        running.until("Diptych is at")
        children = running.children()
        commands = {pid: Path(f"/proc/{pid}/cmdline").read_text() for pid in children}
        wanted = "uvicorn" if victim == "web" else "celery"
        os.kill(next(pid for pid, command in commands.items() if wanted in command), signal.SIGKILL)
        assert running.process.wait(timeout=60) == 1
        assert f"the {victim} process ended" in running.said
        assert gone(children)


def test_a_port_in_use_is_said_at_once(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with server(tmp_path, port) as running:
            assert running.process.wait(timeout=20) == 1
            assert f"port {port} cannot be used" in running.said
            assert "--port" in running.said


def checkout(folder: Path, requirements: str) -> Path:
    """A checkout of the setup script alone, with other requirements."""
    (folder / "script").mkdir()
    shutil.copy(ROOT / "script" / "setup", folder / "script" / "setup")
    (folder / "requirements.txt").write_text(requirements)
    (folder / "requirements-dev.txt").write_text("-r requirements.txt\n")
    return folder / "script" / "setup"


def setup(script: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(script)], env={**os.environ, **environment}, capture_output=True, text=True)


def test_setup_makes_the_environment_once(tmp_path: Path) -> None:
    script = checkout(tmp_path, "")
    first = setup(script)
    assert first.returncode == 0, first.stderr
    assert "making .venv" in first.stdout
    second = setup(script)
    assert (second.returncode, second.stdout) == (0, "")
    (tmp_path / "requirements.txt").write_text("# changed\n")
    assert "installing" in setup(script).stdout


def test_setup_says_which_step_failed_and_why(tmp_path: Path) -> None:
    script = checkout(tmp_path, "no-such-package-at-all==1\n")
    failed = setup(script, PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)
    assert failed.returncode == 1
    assert "no-such-package-at-all" in failed.stderr
    assert "pip could not install requirements.txt" in failed.stderr
    assert not list((tmp_path / ".venv").glob("installed-*"))


def test_setup_without_a_fitting_python_says_what_to_do(tmp_path: Path) -> None:
    failed = setup(checkout(tmp_path, ""), DIPTYCH_PYTHON="/bin/false")
    assert failed.returncode == 1
    assert "no Python 3.11 found" in failed.stderr


@pytest.mark.parametrize("name", [*(f"script/{name}" for name in BASH), ".ci/run"])
def test_scripts_are_sound_and_can_be_run(name: str) -> None:
    path = ROOT / name
    assert os.access(path, os.X_OK)
    assert subprocess.run(["bash", "-n", str(path)]).returncode == 0
