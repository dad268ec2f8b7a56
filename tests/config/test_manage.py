"""The command line on a database that was never migrated, or that can't be reached."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from tests.faults.disks import small_disk

APPS = ("annotation", "assist", "agreement", "operation")
ROOT = Path(__file__).resolve().parents[2]


PASSWORD = "known-to-nobody"


def run(data: Path, *given: str, database: str = "") -> subprocess.CompletedProcess[str]:
    url = database or f"sqlite:///{data / 'site.sqlite3'}"
    env = {**os.environ, "DIPTYCH_DATA": str(data), "DATABASE_URL": url}
    return subprocess.run(
        [sys.executable, ROOT / "manage.py", *given], env=env, capture_output=True, text=True, check=False, timeout=120
    )


def test_an_empty_database_is_named_with_what_to_do(tmp_path: Path) -> None:
    done = run(tmp_path, "agreement", "--project", "library")
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "The database is empty or of another version of Diptych: run `python manage.py migrate` first."
    )
    whole = run(tmp_path, "agreement", "--project", "library", "--traceback")
    assert whole.returncode == 1 and "no such table" in whole.stderr and "Traceback" in whole.stderr


@pytest.fixture
def silent() -> Iterator[int]:
    """A port at which nothing answers, and nothing can be started meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.mark.long
@pytest.mark.takes(12)
def test_a_server_that_can_not_be_reached_is_named_in_a_sentence(migrated: Path, tmp_path: Path, silent: int) -> None:
    shutil.copy(migrated, tmp_path / "site.sqlite3")
    backup = str(tmp_path / "site.backup")
    assert run(tmp_path, "backup", backup).returncode == 0
    url = f"postgres://diptych:{PASSWORD}@127.0.0.1:{silent}/town"
    commands = (["migrate"], ["restore", backup], ["backup", f"{backup}2"], ["agreement", "--project", "library"])
    for command in commands:
        done = run(tmp_path, *command, database=url)
        assert done.returncode == 1, command
        assert done.stderr.startswith(f"The PostgreSQL database town at 127.0.0.1:{silent} can't be reached: "), command
        assert "Connection refused" in done.stderr and "DATABASE_URL" in done.stderr
        assert len(done.stderr.splitlines()) == 1 and PASSWORD not in done.stderr + done.stdout, command
    whole = run(tmp_path, "migrate", "--traceback", database=url)
    assert whole.returncode == 1 and "Traceback" in whole.stderr and "Connection refused" in whole.stderr


def test_a_file_that_can_not_be_made_is_named_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "site.sqlite3"
    done = run(tmp_path, "migrate", database=f"sqlite:///{file}")
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"The SQLite database {file} can't be reached: ")


@pytest.mark.namespaces
def test_a_full_disk_is_named_in_a_sentence(migrated: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 8) as disk:
        file = disk.path / "site.sqlite3"
        shutil.copy(migrated, file)
        disk.fill()
        done = run(tmp_path, "load_demo", database=f"sqlite:///{file}")
    assert done.returncode == 1
    assert done.stderr.startswith(f"The SQLite database {file} can't be written: ")
    assert len(done.stderr.splitlines()) == 1 and "make room" in done.stderr


def town(data: Path, migrated: Path) -> None:
    """A site with a project of twenty pairs."""
    data.mkdir(exist_ok=True)
    shutil.copy(migrated, data / "site.sqlite3")
    sides = {side: {"language": language, "text": "One. " * 400} for side, language in (("a", "en"), ("b", "de"))}
    pairs = data / "pairs.jsonl"
    pairs.write_text("\n".join(json.dumps({"id": f"p{n}", **sides}) for n in range(20)))
    assert run(data, "import_pairs", str(pairs), "--project", "town", "--scheme", "graded").returncode == 0


@pytest.mark.long
@pytest.mark.takes(15)
@pytest.mark.namespaces
def test_without_room_for_what_is_written_the_file_is_named_in_a_sentence(migrated: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    town(data, migrated)
    assert run(data, "add_person", "lena", "--project", "town").returncode == 0
    with small_disk(tmp_path / "full", 1) as disk:
        disk.fill()
        for command in (
            ["export", "--project", "town", "--to", "jsonl", str(disk.path / "out.jsonl")],
            ["export", "--project", "town", "--to", "hub", str(disk.path / "out")],
            ["backup", str(disk.path / "site.backup")],
            ["person_export", "lena", str(disk.path / "lena.zip")],
        ):
            done = run(data, *command)
            assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
            assert "No space left on device" in done.stderr and "None:" not in done.stderr, done.stderr
            assert [path.name for path in disk.path.iterdir()] == ["filler"], command


@pytest.mark.long
@pytest.mark.takes(12)
@pytest.mark.namespaces
def test_an_export_of_a_site_whose_disk_is_full_is_complete(migrated: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with small_disk(tmp_path / "disk", 16) as disk:
        town(disk.path, migrated)
        # As while the site runs: SQLite's shared files are there.
        with closing(sqlite3.connect(disk.path / "site.sqlite3")) as running:
            running.execute("select count(*) from annotation_pair").fetchone()
            disk.fill()
            done = run(disk.path, "export", "--project", "town", "--to", "jsonl", str(out))
    assert done.returncode == 0, done.stderr
    assert "Not recorded among the project's changes: database or disk is full" in done.stderr
    assert len(out.read_text().splitlines()) == 20


@pytest.mark.parametrize("name", sorted(name for name, app in get_commands().items() if app in APPS))
def test_the_help_of_a_command_says_what_each_argument_is(name: str) -> None:
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    assert parser.description
    assert [action.dest for action in parser._actions if not action.help] == []
