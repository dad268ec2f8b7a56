"""A disk of a few megabytes, to be filled and emptied, and made read-only."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_BLOCK = b"\0" * 4096


class Disk:
    """A file system in memory, mounted at `path`."""

    def __init__(self, path: Path) -> None:
        self.path, self._filler = path, path / "filler"

    def fill(self) -> None:
        """Leave no room for a single block."""
        with self._filler.open("ab", buffering=0) as file:
            try:
                while file.write(_BLOCK) == len(_BLOCK):
                    pass
            except OSError:
                return

    def empty(self) -> None:
        self._filler.unlink()

    def protect(self, *, writable: bool) -> None:
        """Mount it read-only, or as before. No process may have a file open for writing."""
        mode = "rw" if writable else "ro"
        subprocess.run(["mount", "-o", f"remount,{mode}", str(self.path)], check=True)


@contextmanager
def small_disk(path: Path, megabytes: int) -> Iterator[Disk]:
    path.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(path)], check=True)
    try:
        yield Disk(path)
    finally:
        # Lazily: whatever still has a file open there is about to end.
        subprocess.run(["umount", "--lazy", str(path)], check=True)
