"""Saves while web processes, connections and the database's server are killed: nothing acknowledged is lost.

`script/bench kills` does the same with 10,000 saves.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks.kills import differences, killed, saves_amid, work
from benchmarks.servers import Postgres
from benchmarks.serving import Server

pytestmark = pytest.mark.processes

SAVES = 150


@pytest.mark.long
@pytest.mark.takes(15)
def test_web_is_killed_amid_saves_on_sqlite(tmp_path: Path, migrated: Path) -> None:
    server = Server(tmp_path)
    shutil.copy(migrated, tmp_path)
    server.start()
    try:
        result = saves_amid(server, SAVES, [killed(server)], times=3)
    finally:
        server.kill()
    assert (result.lost, result.faults) == ([], 3)
    assert result.acknowledged >= SAVES and result.repeated > 0


@pytest.mark.postgres_server
@pytest.mark.long
@pytest.mark.takes(20)
def test_web_connections_and_postgresql_are_killed_amid_saves(cluster: Postgres, tmp_path: Path) -> None:
    cluster.execute("CREATE DATABASE saves")
    server = Server(tmp_path)
    server.environment["DATABASE_URL"] = cluster.url("saves")
    server.manage("migrate", "-v0")
    server.start()
    try:
        faults = [killed(server), lambda: cluster.cut("saves"), cluster.restart]
        result = saves_amid(server, SAVES, faults, times=4)
    finally:
        server.kill()
    assert (result.lost, result.faults) == ([], 4)
    assert result.acknowledged >= SAVES and result.repeated > 0


def test_a_lost_save_would_be_noticed() -> None:
    one, two = work(1), work(2)
    rows = [[1, one["comment"], one["spans"]], [2, two["comment"], two["spans"]]]
    whole = [(1, 1), (2, 2)]
    assert differences(whole, 2, two["comment"], two["spans"], 2, rows) == []
    assert len(differences(whole, 1, one["comment"], one["spans"], 1, rows[:1])) == 1, "the second is gone"
    assert len(differences(whole, 2, two["comment"], two["spans"], 1, rows)) == 1, "a count that is not the spans'"
    assert len(differences(whole, 2, one["comment"], one["spans"], 1, rows)) == 1, "the row is older than its revision"
    assert len(differences([(1, 2)], 2, two["comment"], two["spans"], 2, rows)) == 1, "another content"
    assert len(differences([], 3, two["comment"], two["spans"], 2, rows)) == 2, "a revision is missing"
