"""A separate Diptych server with its own folder, for measuring it and for killing it in tests."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


class Server:
    """A web server on an empty data folder. It can be killed and restarted on the same port."""

    def __init__(self, data: Path, processes: int = 1) -> None:
        database = f"sqlite:///{data / 'diptych.sqlite3'}"
        self.environment = {**os.environ, "DIPTYCH_DATA": str(data), "DATABASE_URL": database}
        # Where it is set, every start compiles the whole program.
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.port, self.processes = 0, processes
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def manage(self, *arguments: str) -> str:
        """Run a management command on the server's data. Raises CalledProcessError."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, check=True, capture_output=True, text=True)
        return done.stdout

    def command(self, port: int) -> list[str]:
        return [sys.executable, "-m", "config.serving", "--port", str(port), "--processes", str(self.processes)]

    def start(self) -> None:
        """Start and wait until it responds: on any free port, the next time on the same one. Raises TimeoutError."""
        self.port = self.port or free_port()
        self.process = subprocess.Popen(
            self.command(self.port), cwd=ROOT, env=self.environment, stdout=subprocess.DEVNULL
        )
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.url}/healthz", timeout=2).close()
                return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.1)
        self.kill()
        raise TimeoutError(f"no answer from {self.url}")

    def kill(self) -> None:
        """End it abruptly, like a crash or a power cut."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None
            self._wait_for_children()

    def _wait_for_children(self) -> None:
        """The processes that answer requests end by themselves when their parent is gone; until then the port is used.

        Raises TimeoutError.
        """
        end = time.monotonic() + 10
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)):
                    return
            time.sleep(0.05)
        raise TimeoutError(f"something still answers at {self.url}")


def free_port() -> int:
    """A free port, below those that the system uses for outgoing connections."""
    while True:
        port = random.randrange(20000, 30000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port


def spans_of(tokens: dict[str, list[list[int]]], comment: str) -> list[dict[str, Any]]:
    """20 spans with a word of either side each, spread over the texts, from the ranges of their tokens."""
    return [
        {
            "id": f"s{number}",
            "label": "1",
            "origin": "manual",
            "comment": comment,
            "fragments": [
                {"side": side, "start": start, "end": end}
                for side, own in tokens.items()
                for start, end in [own[number * len(own) // 20]]
            ],
        }
        for number in range(20)
    ]


def memory_of(pid: int) -> list[int]:
    """MB of a process, or of each of its children if it has any."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout.split()
    status = [Path(f"/proc/{each}/status").read_text() for each in listed or [str(pid)]]
    return [int(text.partition("VmRSS:")[2].split()[0]) // 1024 for text in status]
