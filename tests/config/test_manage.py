"""The command line on a database that was never migrated."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(data: Path, *given: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "DIPTYCH_DATA": str(data), "DATABASE_URL": f"sqlite:///{data / 'site.sqlite3'}"}
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
