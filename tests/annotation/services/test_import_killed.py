"""An import whose process is killed: nothing of it is visible before it takes effect, and everything after."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.annotation.services.test_import_staging import many
from tests.paths import ROOT

pytestmark = [pytest.mark.processes, pytest.mark.long, pytest.mark.takes(10)]


@pytest.fixture
def own_database(migrated: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a process with its own database, in which the same commands run."""
    data = tmp_path / "data"
    env = {**os.environ, "DIPTYCH_DATA": str(data), "DATABASE_URL": f"sqlite:///{data / 'db.sqlite3'}"}
    data.mkdir()
    shutil.copy(migrated, data / "db.sqlite3")
    yield env


KILLED = """
import os, signal, sys, django
django.setup()
from annotation.services import imports
def killed(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(imports, sys.argv[1], killed)
from django.core.management import call_command
call_command("import_pairs", sys.argv[2], project="towns")
"""
COUNTED = """
import json, django
django.setup()
from annotation.models import *
from annotation.services.import_jobs import imports_clean
from annotation.models.imports import Import
from django.db.models.functions import Now
from datetime import timedelta
Import.objects.filter(status="running").update(heartbeat=Now() - timedelta(days=1))
imports_clean()
print(json.dumps([m._base_manager.count() for m in (Project, Text, Pair, Annotator, Annotation)]))
"""


def run(env: dict[str, str], program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = env | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, env=env, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("killed_at", "left"), [("staging_link_mirrors", [0, 0, 0, 0, 0]), ("staging_discard", [1, 2, 3, 1, 6])]
)
def test_a_killed_import_is_repeated_without_duplicates(
    tmp_path: Path, own_database: dict[str, str], killed_at: str, left: list[int]
) -> None:
    """Killed before it takes effect, nothing is visible; killed after, all is. Importing again changes nothing."""
    path = str(many(tmp_path, 3))
    assert run(own_database, KILLED, killed_at, path).returncode == -signal.SIGKILL
    assert run(own_database, COUNTED).stdout.strip() == str(left)
    command = [sys.executable, "manage.py", "import_pairs", path, "--project", "towns"]
    for _ in range(2):
        subprocess.run(command, cwd=ROOT, env=own_database, check=True, capture_output=True)
    assert run(own_database, COUNTED).stdout.strip() == "[1, 2, 3, 1, 6]"
