"""A worker that is killed while it writes gold: nothing of it is there, and the next worker writes all of it once."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.assist.site import PATIENCE, Site
from tests.faults.commands import PAIRS
from tests.faults.held import ROWS
from tests.paths import ROOT

pytestmark = [pytest.mark.processes, pytest.mark.long, pytest.mark.takes(10)]


class Lab(Site):
    commands = "tests.faults.commands"

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        command = [sys.executable, "-m", "celery", "--app", "config", "worker", "--pool", "threads"]
        command += ["--concurrency", "1", "--queues", "cpu", "--without-mingle", "--without-gossip"]
        command += ["--include", "tests.faults.held"]
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def wait(self, what: str, happens: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not happens():
            assert time.monotonic() < end, f"never {what}\n{(self.folder / 'log').read_text()[-5000:]}"
            time.sleep(0.05)


def test_a_killed_worker_leaves_no_gold_and_the_next_one_makes_it(tmp_path: Path, migrated: Path) -> None:
    lab = Lab(tmp_path, migrated)
    with lab:
        lab.do("fill", "library")
        (tmp_path / ROWS).touch()
        lab.do("request_gold", "library")
        with lab.worker() as first:
            lab.wait("in the middle of writing", (tmp_path / f"reached-{ROWS}").exists)
            first.send_signal(signal.SIGKILL)
            first.wait()
        assert lab.do("gold", "library") == {
            "status": "running",
            "attempts": 1,
            "version": None,
            "versions": [],
            "rows": [],
        }
        (tmp_path / ROWS).unlink()
        with lab.worker():
            lab.wait("done", lambda: lab.do("gold", "library")["status"] == "done")
        assert lab.do("gold", "library") == {
            "status": "done",
            "attempts": 2,
            "version": 1,
            "versions": [1],
            "rows": [1] * PAIRS,
        }
