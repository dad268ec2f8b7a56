"""What is slow to make: made once in a run of the tests, whichever of its processes needs it first."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def basetemp(factory: pytest.TempPathFactory) -> Path:
    """The folder of temporary files that all processes of this run share."""
    root = factory.getbasetemp()
    return root.parent if "PYTEST_XDIST_WORKER" in os.environ else root


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that `make` has filled, the same in all processes of this run; tests only read it, or copy from it."""
    root = basetemp(factory)
    folder, done = root / name, root / f"{name}-made"
    with (root / f"{name}-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            folder.mkdir(exist_ok=True)  # by a process in which `make` failed
            make(folder)
            done.touch()
    return folder
