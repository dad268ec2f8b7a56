"""The folder in which the web processes of a site count requests, to be added up by whichever is asked for the metrics.

A site holds a lock on its folder as long as one of its processes lives, so that another start can tell what dead ones
left, on whichever port. Knows nothing of Django.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Where prometheus_client looks for the folder when it is loaded."""

# In memory where that is possible: a process that writes to a mapped file for which a disk has no room is killed.
_MEMORY = Path("/dev/shm")


@contextmanager
def metrics_folder(port: int) -> Iterator[Path]:
    """Count in a new folder, which is removed at the end. First those that dead processes left are removed.

    Processes that are forked meanwhile hold the lock too, but only the one that made the folder removes it. Raises
    OSError if none can be made.
    """
    parent = _MEMORY if os.access(_MEMORY, os.W_OK) else Path(gettempdir())
    own = f"diptych-metrics-{os.getuid()}-"
    # Earlier versions, which hold no lock, have a full stop after the port.
    for left in parent.glob(f"{own}*-*"):
        _remove_unless_locked(left)
    folder, lock = _make_folder(parent, f"{own}{port}-")
    maker = os.getpid()
    os.environ[VARIABLE] = str(folder)
    try:
        yield folder
    finally:
        if os.getpid() == maker:
            shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _make_folder(parent: Path, prefix: str) -> tuple[Path, int]:
    """A new folder, and its lock."""
    while True:
        folder = Path(mkdtemp(prefix=prefix, dir=parent))
        with suppress(FileNotFoundError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.exists():
                return folder, lock
            # Another start took it for left behind, before it was locked.
            os.close(lock)


def _remove_unless_locked(folder: Path) -> None:
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:  # gone meanwhile, or not ours
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    except BlockingIOError:  # a running site's
        pass
    finally:
        os.close(lock)
