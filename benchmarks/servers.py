"""A PostgreSQL and a Redis of one's own, in a folder, to be killed and restarted without harm to others."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import psycopg
import redis

from benchmarks.serving import free_port

_PATIENCE = 60.0


def postgres_command(name: str) -> str:
    """A command of PostgreSQL's server, which Debian keeps out of the path; '' if there is none."""
    paths = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(paths[-1]) if paths else "")


class Postgres:
    """A cluster that trusts every connection; `wal`: a folder for its log, if that is elsewhere."""

    def __init__(self, folder: Path, *, wal: Path | None = None, address: str = "127.0.0.1") -> None:
        self.folder, self.port, self.address = folder, free_port(), address
        # PostgreSQL's server refuses to run as root.
        self.user = "postgres" if os.geteuid() == 0 else None
        folder.mkdir(parents=True, exist_ok=True)
        for each in filter(None, (folder, wal)):
            if self.user:
                shutil.chown(each, self.user)
        options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--wal-segsize=1"]
        if wal is not None:
            options += ["-X", str(wal / "wal")]
        self._run("initdb", "-D", str(folder / "data"), *options)
        # Connections from other network namespaces.
        with (folder / "data" / "pg_hba.conf").open("a") as file:
            file.write("host all all 10.0.0.0/8 trust\n")
        self.start()

    def _run(self, name: str, *arguments: str) -> None:
        command = [postgres_command(name), *arguments]
        done = subprocess.run(
            command,
            user=self.user,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        if done.returncode:
            raise RuntimeError(f"{name}: {done.stderr.decode()}")

    def start(self) -> None:
        """Start, and wait until connections are accepted."""
        settings = {
            "port": self.port,
            "listen_addresses": self.address,
            "unix_socket_directories": "",
            # What a killed process wrote is in the system's memory: that of the machine does not fail here.
            "fsync": "off",
            "shared_buffers": "32MB",
            "max_wal_size": "8MB",
            "min_wal_size": "2MB",
        }
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        log = str(self.folder / "log")
        self._run("pg_ctl", "start", "-w", "-D", str(self.folder / "data"), "-l", log, "-o", options)

    def stop(self, mode: str = "immediate") -> None:
        """'immediate' aborts all connections and leaves recovery to the next start, as a crash does."""
        self._run("pg_ctl", "stop", "-w", "-D", str(self.folder / "data"), "-m", mode)

    def restart(self) -> None:
        self.stop()
        self.start()

    def url(self, database: str) -> str:
        return f"postgres://postgres@{self.address.partition(',')[0]}:{self.port}/{database}"

    def execute(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as server:
            server.execute(statement)

    def cut(self, database: str) -> None:
        """End every connection to a database."""
        self.execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}' "
            "AND pid <> pg_backend_pid()"
        )


class Redis:
    """A Redis that keeps nothing on disk: a restart forgets every message."""

    def __init__(self, folder: Path, *, addresses: Sequence[str] = ("127.0.0.1",)) -> None:
        self.folder, self.port, self.addresses = folder, free_port(), addresses
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"redis://{self.addresses[0]}:{self.port}/0"

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--save", "", "--dir", str(self.folder)]
        command += ["--protected-mode", "no", "--bind", *self.addresses]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        client = redis.Redis(host=self.addresses[0], port=self.port)
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                client.ping()
                return
            except redis.ConnectionError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def stop(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def restart(self) -> None:
        self.stop()
        self.start()
