"""Machines: each a network namespace and a data folder of its own, joined to this one by a cable that can be pulled."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.held import KINDS
from tests.paths import ROOT


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@dataclass
class Machine:
    """`here` is this machine's address as seen from there."""

    name: str
    here: str
    folder: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def worker(self, environment: dict[str, str]) -> subprocess.Popen[bytes]:
        command = ["ip", "netns", "exec", self.name, sys.executable, "-m", "celery", "--app", "config", "worker"]
        command += ["--pool", "threads", "--concurrency", "1", "--queues", "cpu,gpu", "--without-mingle"]
        command += ["--without-gossip", "--hostname", f"{self.name}@test", "--include", "tests.faults.held"]
        own = {**environment, "DIPTYCH_DATA": str(self.folder), "TMPDIR": str(self.folder)}
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(command, cwd=ROOT, env=own, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text() if path.exists() else ""

    def hold(self) -> None:
        """Have its worker stop in the middle of every job that it takes from now on."""
        for kind in KINDS:
            (self.folder / f"reached-{kind}").unlink(missing_ok=True)
        (self.folder / "hold").touch()

    def release(self) -> None:
        (self.folder / "hold").unlink()

    def reached(self) -> bool:
        return all((self.folder / f"reached-{kind}").exists() for kind in KINDS)

    def plug(self, *, pulled: bool) -> None:
        _ip("link", "set", self.name, "down" if pulled else "up")


@contextmanager
def machines(folder: Path, count: int) -> Iterator[list[Machine]]:
    """That many machines, whose processes are ended afterwards."""
    made: list[Machine] = []
    # Other processes on this machine may have networks of their own at the same time.
    net = f"10.{64 + os.getpid() // 256 % 64}.{os.getpid() % 256}"
    try:
        for number in range(count):
            name, base = f"dip{os.getpid() % 10**6}x{number}", 4 * number
            machine = Machine(name, f"{net}.{base + 1}", folder / name)
            made.append(machine)
            machine.folder.mkdir()
            _ip("netns", "add", name)
            _ip("link", "add", name, "type", "veth", "peer", "name", "uplink", "netns", name)
            _ip("addr", "add", f"{machine.here}/30", "dev", name)
            _ip("link", "set", name, "up")
            for command in (["addr", "add", f"{net}.{base + 2}/30", "dev", "uplink"], ["link", "set", "uplink", "up"]):
                _ip("-n", name, *command)
            _ip("-n", name, "link", "set", "lo", "up")
        yield made
    finally:
        for machine in made:
            for process in machine.processes:
                process.kill()
                process.wait()
            for what in ("link", "netns"):
                with suppress(subprocess.CalledProcessError):
                    _ip(what, "delete", machine.name)


def until(what: str, happens: Callable[[], bool], seen: Sequence[Machine], patience: float = 90.0) -> None:
    """Wait until a function returns True; fails with the logs of the machines."""
    end = time.monotonic() + patience
    while not happens():
        assert time.monotonic() < end, f"never {what}" + "".join(
            f"\n{each.name}: {each.log()[-3000:]}" for each in seen
        )
        time.sleep(0.05)
