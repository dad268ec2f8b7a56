"""A PostgreSQL of the tests' own, which they may kill."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.servers import Postgres


@pytest.fixture
def cluster() -> Iterator[Postgres]:
    # Not in pytest's folder, which is closed to the user as whom the server runs where root runs the tests.
    with tempfile.TemporaryDirectory(prefix="diptych-cluster-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        made = Postgres(folder / "postgres")
        yield made
        made.stop()
