"""Real worker processes: shared work, one killed in mid-run, brokers lost and restarted, work found by themselves."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

from benchmarks.serving import free_port
from tests import needs
from tests.assist.site import Site
from tests.postgres import postgres_database, template, unique_name

pytestmark = [pytest.mark.processes, pytest.mark.long]

PAIRS = 30


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(
    request: pytest.FixtureRequest, tmp_path: Path, migrated: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of a database with all tables."""
    if request.param == "sqlite":
        shutil.copyfile(migrated, tmp_path / "site.sqlite3")
        yield f"sqlite:///{tmp_path / 'site.sqlite3'}"
    else:
        with postgres_database(template(tmp_path_factory)) as address:
            yield address


@pytest.fixture
def shared_redis() -> Iterator[dict[str, str]]:
    """The Redis that is there, under a prefix of our own, which is cleared at the end."""
    prefix = unique_name() + ":"
    yield {"CELERY_BROKER_URL": needs.REDIS, "DIPTYCH_BROKER_PREFIX": prefix}
    client = redis.Redis.from_url(needs.REDIS)
    for key in client.scan_iter(prefix + "*"):
        client.delete(key)


def half_done(state: dict[str, Any]) -> bool:
    return bool(6 <= state["done"] < PAIRS - 4)


def done(state: dict[str, Any]) -> bool:
    return bool(state["all_done"])


def kill_with_a_lot_in_hand(site: Site, worker: subprocess.Popen[bytes], mark: str) -> None:
    """Kill a worker in mid-run, held still while it is made sure that it has a lot: between two, none would be lost."""
    while True:
        site.until(lambda state: half_done(state) and mark in "".join(state["claimed_by"]), "half done")
        worker.send_signal(signal.SIGSTOP)
        held = mark in "".join(site.do("state")["claimed_by"])
        worker.send_signal(signal.SIGKILL if held else signal.SIGCONT)
        if held:
            return


def workers(count: int) -> Callable[[dict[str, Any]], bool]:
    return lambda state: len(state["workers"]) == count


@pytest.mark.redis
def test_two_share_a_run_and_one_killed_leaves_no_gap(
    tmp_path: Path, database: str, shared_redis: dict[str, str]
) -> None:
    with Site(tmp_path, DATABASE_URL=database, **shared_redis) as site:
        site.do("make", str(PAIRS))
        with site.workers(2) as (one, two):
            site.until(workers(2), "two workers at work")
            site.do("request", "0.2")
            mark = f":{one.pid}:"
            kill_with_a_lot_in_hand(site, one, mark)
            state = site.until(done, "done")
            assert two.poll() is None
    assert (state["once"], state["highlights"], state["done"], state["failed"]) == (True, PAIRS, PAIRS, 0)
    assert "stopped responding" in state["log"]
    assert mark in state["log"]
    assert state["log"].count("fitted in") == 1


@contextmanager
def own_redis(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    command = ["redis-server", "--port", str(port), "--save", "", "--dir", str(folder), "--bind", "127.0.0.1"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        client = redis.Redis(port=port)
        for _ in range(100):
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.05)
        yield server
    finally:
        server.kill()
        server.wait()


@pytest.mark.redis_server
def test_redis_restarted_in_mid_run_costs_nothing(tmp_path: Path, migrated: Path) -> None:
    port = free_port()
    with Site(tmp_path, migrated, CELERY_BROKER_URL=f"redis://127.0.0.1:{port}/0") as site:
        site.do("make", str(PAIRS))
        with own_redis(tmp_path, port) as first, site.workers(2) as pair:
            site.until(workers(2), "two workers at work")
            site.do("request", "0.2")
            site.until(half_done, "half done")
            first.kill()
            first.wait()
            # Asking while nobody answers works too.
            site.do("request", "0.01")
            with own_redis(tmp_path, port):
                state = site.until(done, "done")
                assert (state["once"], state["highlights"]) == (True, 2 * PAIRS)
                site.do("request", "0.02")
                state = site.until(done, "done after the restart")
                assert (state["once"], state["highlights"]) == (True, 3 * PAIRS)
                assert [worker.poll() for worker in pair] == [None, None]


def test_without_a_broker_service_the_folder_broker_is_enough(tmp_path: Path, migrated: Path) -> None:
    with Site(tmp_path, migrated, DIPTYCH_LOOK_SECONDS="600") as site:
        site.do("make", str(PAIRS))
        with site.workers() as _:
            site.until(workers(1), "a worker at work")
            time.sleep(1)
            site.do("request", "0")
            assert site.until(done, "done")["once"]


def test_a_lost_message_is_found_by_looking(tmp_path: Path, migrated: Path) -> None:
    with Site(tmp_path, migrated) as site:
        site.do("make", str(PAIRS))
        site.do("request", "0")
        messages = list((tmp_path / "broker").glob("*.msg"))
        assert messages
        for message in messages:
            message.unlink()
        with site.workers() as _:
            assert site.until(done, "done")["once"]


def test_new_pairs_are_found_by_workers_where_the_project_says_so(tmp_path: Path, migrated: Path) -> None:
    with Site(tmp_path, migrated) as site:
        site.do("make", str(PAIRS))
        site.do("automatic")
        with site.workers() as _:
            assert site.until(done, "done")["once"]


def test_a_worker_that_is_asked_to_end_gives_its_lot_back(tmp_path: Path, migrated: Path) -> None:
    with Site(tmp_path, migrated, DIPTYCH_STALE_SECONDS="600") as site:
        site.do("make", str(PAIRS))
        site.do("request", "0.5")
        with site.workers() as (worker,):
            before = site.until(lambda state: bool(state["claimed_by"]), "started")
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(timeout=120) == 0
        after = site.do("state")
    assert (after["claimed_by"], after["workers"]) == ([], [])
    assert after["attempts"] <= before["attempts"]
    assert after["highlights"] == after["done"]


@pytest.mark.postgres
def test_a_worker_whose_connections_are_cut_goes_on(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    def cut(address: str) -> int:
        with psycopg.connect(address, autocommit=True) as server:
            ended = server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND application_name = 'worker under test'"
            )
            return len(ended.fetchall())

    with (
        postgres_database(template(tmp_path_factory)) as address,
        Site(tmp_path, DATABASE_URL=address) as site,
    ):
        site.do("make", str(PAIRS))
        with site.workers(PGAPPNAME="worker under test") as (worker,):
            site.until(workers(1), "a worker at work")
            site.do("request", "0.2")
            site.until(half_done, "half done")
            assert cut(address) > 0
            time.sleep(0.5)
            cut(address)
            state = site.until(done, "done")
            assert (state["once"], state["highlights"], state["failed"]) == (True, PAIRS, 0)
            site.until(workers(1), "seen again")
            assert worker.poll() is None
