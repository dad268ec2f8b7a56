"""Workers on several machines, which share a database and a Redis and no folder: each kind of job, in its middle."""

from __future__ import annotations

import itertools
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.servers import Postgres, Redis
from tests.assist.site import Site
from tests.faults.held import KINDS
from tests.faults.machines import Machine, machines, until

pytestmark = [
    pytest.mark.processes,
    pytest.mark.long,
    pytest.mark.takes(25),
    pytest.mark.postgres_server,
    pytest.mark.redis_server,
    pytest.mark.namespaces,
]


class Lab(Site):
    """The web machine of a site whose workers are elsewhere."""

    commands = "tests.faults.commands"

    def __init__(self, folder: Path, one: Machine, two: Machine) -> None:
        self.one, self.two = one, two
        self.numbers = itertools.count(1)
        addresses = ("127.0.0.1", one.here, two.here)
        self.cluster = Postgres(folder / "postgres", address=",".join(addresses))
        self.redis = Redis(folder, addresses=addresses)
        self.cluster.execute("CREATE DATABASE site")
        web = folder / "web"
        web.mkdir()
        servers = {"DATABASE_URL": self.cluster.url("site"), "CELERY_BROKER_URL": self.redis.url}
        super().__init__(web, DIPTYCH_LOT_PAIRS="64", **servers)

    def worker(self, machine: Machine) -> None:
        """Start a worker on a machine; it reaches the servers by that machine's own cable."""
        there = {
            name: self.environment[name].replace("127.0.0.1", machine.here)
            for name in ("DATABASE_URL", "CELERY_BROKER_URL")
        }
        machine.worker({**self.environment, **there})

    def stop(self) -> None:
        self.redis.stop()
        self.cluster.stop()

    def wait(self, what: str, happens: Callable[[], bool]) -> None:
        until(what, happens, (self.one, self.two))

    def all_done(self, slug: str) -> bool:
        return all(done for _, _, done in self.do("state", slug).values())

    def mid_job(self) -> str:
        """Request a job of every kind, and have the first machine's worker, the only one, stop in their middle.

        Returns the slug of their project. An earlier test may have failed anywhere.
        """
        slug = f"project-{next(self.numbers)}"
        for machine in (self.one, self.two):
            machine.plug(pulled=False)
            while machine.processes:
                process = machine.processes.pop()
                process.kill()
                process.wait()
        self.do("forget", "calm")
        self.do("fill", slug)
        self.do("request", slug)
        self.one.hold()
        self.worker(self.one)
        self.wait("in the middle of every job", self.one.reached)
        assert all(held and not done for held, _, done in self.do("state", slug).values())
        return slug

    def done(self, slug: str) -> dict[str, Any]:
        self.wait("done", lambda: self.all_done(slug))
        return self.do("result", slug)


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with tempfile.TemporaryDirectory(prefix="diptych-lab-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with machines(folder, 2) as (one, two):
            made = Lab(folder, one, two)
            try:
                with made:
                    made.do("migrate")
                    yield made
            finally:
                made.stop()


@pytest.fixture(scope="module")
def calm(lab: Lab) -> dict[str, Any]:
    """What the jobs come to if nothing happens."""
    lab.do("fill", "calm")
    lab.do("request", "calm")
    lab.worker(lab.two)
    found = lab.done("calm")
    assert found["staged"] == found["unused texts"] == 0
    assert len(found["pairs"]) == 66 and len(found["highlights"]) == 6 and found["files"][0].count("\n") == 6
    return found


def check(found: dict[str, Any], calm: dict[str, Any]) -> None:
    for what in calm:
        assert found[what] == calm[what], what


def test_a_worker_is_killed_and_one_on_another_machine_does_its_jobs(lab: Lab, calm: dict[str, Any]) -> None:
    slug = lab.mid_job()
    lab.worker(lab.two)
    lab.one.processes[0].send_signal(signal.SIGKILL)
    check(lab.done(slug), calm)
    assert {kind: attempts for kind, (_, attempts, _) in lab.do("state", slug).items()} == dict.fromkeys(KINDS, 2)


def test_a_machine_that_is_cut_off_comes_back_too_late(lab: Lab, calm: dict[str, Any]) -> None:
    slug = lab.mid_job()
    lab.one.plug(pulled=True)
    lab.worker(lab.two)
    lab.wait("done by the other", lambda: lab.all_done(slug))
    before = lab.one.log()
    lab.one.plug(pulled=False)
    lab.one.release()
    lab.wait("noticed", lambda: lab.one.log()[len(before) :].count("was taken over or cancelled") >= len(KINDS))
    check(lab.done(slug), calm)


def test_redis_and_postgresql_are_restarted_amid_jobs(lab: Lab, calm: dict[str, Any]) -> None:
    slug = lab.mid_job()
    lab.cluster.restart()
    lab.redis.restart()
    lab.do("reconnect")
    lab.one.release()
    check(lab.done(slug), calm)
    attempts = {kind: attempts for kind, (_, attempts, _) in lab.do("state", slug).items()}
    assert attempts == dict.fromkeys(KINDS, 1), "a lost connection is no failed attempt"
    assert lab.one.processes[0].poll() is None
