"""`migrate` is killed amid its statements, several times, and run again: it ends with the same tables."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.servers import Postgres
from tests.environment import without_settings
from tests.paths import ROOT

pytestmark = [pytest.mark.processes, pytest.mark.long, pytest.mark.takes(12)]

PROGRAM = """
import json, os, signal, sys
import django; django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

def attempt(last):
    "Migrate in a process of its own, killed before its statement of that number; returns how it ended."
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1]
    count = 0
    def counting(execute, sql, *rest):
        nonlocal count
        count += 1
        if count == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, *rest)
    with connection.execute_wrapper(counting):
        call_command("migrate", verbosity=0)
    connection.close()
    os._exit(0)

ended = [attempt(int(last)) for last in sys.argv[1:]]
executor = MigrationExecutor(connection)
missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
tables = {}
with connection.cursor() as cursor:
    for table in sorted(connection.introspection.table_names(cursor)):
        columns = [column[:2] for column in connection.introspection.get_table_description(cursor, table)]
        constraints = connection.introspection.get_constraints(cursor, table).values()
        said = ("columns", "unique", "foreign_key", "index")
        kept = [{name: str(each[name]) for name in said} for each in constraints]
        tables[table] = [[list(map(str, column)) for column in columns], sorted(kept, key=str)]
print(json.dumps([ended, len(missing), tables]))
"""


def migrated(data: Path, database: str, *statements: int) -> list[Any]:
    """Statuses of the attempts that were killed at these statements (0: not), missing migrations, and the tables."""
    environment = without_settings() | {"DJANGO_SETTINGS_MODULE": "config.settings", "DIPTYCH_DATA": str(data)}
    environment["DATABASE_URL"] = database
    command = [sys.executable, "-c", PROGRAM, *map(str, statements)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def check(data: Path, interrupted: str, calm: str) -> None:
    ended, missing, tables = migrated(data, interrupted, 7, 60, 90, 60, 0)
    assert [os.WTERMSIG(status) for status in ended] == [9, 9, 9, 9, 0]
    assert missing == 0
    assert [ended[-1], missing, tables] == [0, *migrated(data, calm, 0)[1:]]


def test_on_sqlite(tmp_path: Path) -> None:
    check(tmp_path, f"sqlite:///{tmp_path / 'interrupted'}", f"sqlite:///{tmp_path / 'calm'}")


@pytest.mark.postgres_server
def test_on_postgresql(cluster: Postgres, tmp_path: Path) -> None:
    for name in ("interrupted", "calm"):
        cluster.execute(f"CREATE DATABASE {name}")
    check(tmp_path, cluster.url("interrupted"), cluster.url("calm"))
