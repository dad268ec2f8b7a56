"""Temporary folders of work that may be killed. PURE.

`tempfile` removes a folder when its process leaves it, which a killed process never does. A folder from here holds a
lock for as long as its process lives, so that others can tell what a killed process left from what is still in use.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

LOCK = ".lock"
YOUNG = 60.0
"""Seconds within which a folder that is just being made gets its lock."""
UNLOCKED = 24 * 3600.0
"""Seconds without a change after which a folder that has no lock is given up: an older version made it."""


@contextmanager
def temporary_folder(prefix: str, parent: Path | None = None) -> Iterator[Path]:
    """A folder in `parent` (None: where the system keeps temporary files) that is gone afterwards."""
    with TemporaryDirectory(prefix=prefix, dir=parent) as name, (Path(name) / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(name)


def leftovers_remove(prefix: str, parent: Path, *, young: float = YOUNG, unlocked: float = UNLOCKED) -> int:
    """Remove folders of that prefix whose process has ended, however it ended; returns how many.

    Never one whose process lives, nor one that is not this user's. `young`: seconds for which any folder is left alone.
    """
    removed = 0
    folders: list[Path] = []
    with suppress(OSError):
        folders.extend(parent.glob(f"{prefix}*"))
    for folder in folders:
        with suppress(OSError):
            about = folder.lstat()
            age = time.time() - about.st_mtime
            if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid() or age < young:
                continue
            if not _in_use(folder, age < unlocked):
                shutil.rmtree(folder)
                removed += 1
    return removed


def _in_use(folder: Path, unlocked: bool) -> bool:
    """Whether a process holds the folder's lock; `unlocked` where it has none."""
    try:
        with (folder / LOCK).open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return unlocked
    except BlockingIOError:
        return True
    return False
