"""Try Parquet files in a process of their own before they are read in ours.

A damaged file can end the process that reads it: the library's C++ code throws where nothing can catch it. An import is
read in a worker that has other work, so the file is read once where only that reading is lost.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from annotation.formats.record import FormatError
from annotation.formats.source import display_name, refusal

LONGEST = 1800
"""Seconds that the trial of all files may take."""


def check(paths: Sequence[Path]) -> None:
    """Raise FormatError for a file whose reading ends the process, or takes too long.

    What is wrong with a file in other ways is left to its reader, which names the row.
    """
    if not paths:
        return
    try:
        last, status = try_apart(paths)
    except subprocess.TimeoutExpired as error:
        raise refusal(display_name(paths[0].parent), f"reading its Parquet files takes over {LONGEST} s") from error
    if status != 0:
        raise refusal(display_name(paths[last]), "not a readable Parquet file: it is damaged, and reading it fails")


def try_apart(paths: Sequence[Path]) -> tuple[int, int]:
    """The index of the last file that was begun, and how the process ended that read them one after the other."""
    tried = subprocess.run(
        [sys.executable, "-m", __name__],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        input="\0".join(map(str, paths)).encode(errors="surrogateescape"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=LONGEST,
    )
    return max(len(tried.stdout) - 1, 0), tried.returncode


def read_all(paths: Sequence[Path]) -> None:
    """Read every row, and write one byte to standard output before each file."""
    from annotation.formats.parquet import rows

    for path in paths:
        os.write(sys.stdout.fileno(), b".")
        try:
            for _ in rows(path, path.name):
                pass
        except FormatError:
            continue


if __name__ == "__main__":
    read_all([Path(os.fsdecode(each)) for each in sys.stdin.buffer.read().split(b"\0")])
