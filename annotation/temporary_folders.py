"""Temporary folders of processes that may be killed.

`tempfile` removes a folder when its process is done with it, which a killed process never is. A folder from here holds
a lock while its process lives, so that leftovers of killed processes can be distinguished from folders in use.
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
LOCK_GRACE_SECONDS = 60.0
"""Seconds within which a newly created folder gets its lock."""
UNLOCKED = 24 * 3600.0
"""Seconds without a change after which a folder without a lock counts as abandoned: an older version created it."""


@contextmanager
def temporary_folder(prefix: str, parent: Path | None = None) -> Iterator[Path]:
    """A folder in `parent` (None: the system's folder for temporary files) that is removed afterwards."""
    with TemporaryDirectory(prefix=prefix, dir=parent) as name, (Path(name) / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(name)


def leftovers_remove(
    prefix: str, parent: Path, *, young: float = LOCK_GRACE_SECONDS, unlocked: float = UNLOCKED
) -> int:
    """Remove folders with this prefix whose process has ended; returns how many.

    Folders whose process lives or that belong to another user are kept. `young`: seconds for which any new folder is
    kept.
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
    """Whether a process holds the folder's lock; `unlocked` is the answer if it has none."""
    try:
        with (folder / LOCK).open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return unlocked
    except BlockingIOError:
        return True
    return False
