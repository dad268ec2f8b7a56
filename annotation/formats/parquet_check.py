"""Tries to read Parquet files in a separate process before ours reads them.

A damaged file can kill the process that reads it: the library's C++ code throws where nothing can catch it. And a few
bytes can unpack to gigabytes, whatever the file's metadata says. Imports are read in workers that have other jobs, so
the file is first read in a process that may die, with little memory.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from annotation.formats.interruption import check_interruption
from annotation.formats.record import FormatError
from annotation.formats.source import display_name, refusal
from annotation.phrases import Phrase
from annotation.text.limits import MEGABYTE

MAX_SECONDS = 1800
"""Seconds that the test read of all files may take."""
BETWEEN_CHECKS = 1.0
"""Seconds between checks whether the test read is still wanted."""
MEMORY = 2048 * MEGABYTE
"""Bytes that the test read may take in addition to Python and its libraries; a file of large texts takes a quarter."""

_ENDED = Phrase(
    "not a readable Parquet file: it is damaged, and reading it fails, or needs more than %(memory)s MB",
    {"memory": str(MEMORY // MEGABYTE)},
)


def check(paths: Sequence[Path]) -> None:
    """Raise FormatError for a file that kills the process that reads it, or takes too long.

    Other faults of a file are left to its reader, which names the row.
    """
    if not paths:
        return
    try:
        last, status = try_in_subprocess(paths)
    except subprocess.TimeoutExpired as error:
        raise refusal(
            display_name(paths[0].parent),
            Phrase("reading its Parquet files takes more than %(longest)s s", {"longest": str(MAX_SECONDS)}),
        ) from error
    if status != 0:
        raise refusal(display_name(paths[last]), _ENDED)


def try_in_subprocess(paths: Sequence[Path]) -> tuple[int, int]:
    """The index of the last file that was started, and the exit status of the process that read them in order."""
    arguments: bytes | None = "\0".join(map(str, paths)).encode(errors="surrogateescape")
    until = time.monotonic() + MAX_SECONDS
    with subprocess.Popen(
        [sys.executable, "-m", __name__],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as tried:
        try:
            while True:
                check_interruption()
                try:
                    started, _ = tried.communicate(arguments, timeout=BETWEEN_CHECKS)
                    return max(len(started) - 1, 0), tried.returncode
                except subprocess.TimeoutExpired:
                    arguments = None
                    if time.monotonic() > until:
                        raise
        finally:
            tried.kill()


def read_all(paths: Sequence[Path]) -> None:
    """Read every row, and write one byte to standard output before each file."""
    import pyarrow

    from annotation.formats.parquet import rows

    # One thread and the system's allocator: others reserve memory that they do not use, which would count.
    pyarrow.set_cpu_count(1)
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    limit_memory(MEMORY)
    for path in paths:
        os.write(sys.stdout.fileno(), b".")
        try:
            for _ in rows(path, path.name):
                pass
        except FormatError as error:
            if isinstance(error.__cause__, MemoryError):
                raise


def limit_memory(more: int) -> None:
    """Let this process take at most `more` bytes in addition to its present memory, if the system reports that."""
    import resource

    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return
    most = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    read_all([Path(os.fsdecode(each)) for each in sys.stdin.buffer.read().split(b"\0")])
