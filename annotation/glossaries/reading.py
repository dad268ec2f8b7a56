"""Shared by the readers of glossary files: what they return, what they refuse, and how bytes become lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from annotation.glossaries.entries import Entry, entry_problem
from annotation.text.limits import MEGABYTE

LARGEST_FILE = 16 * MEGABYTE
"""Bytes of a glossary file."""
MOST_ROWS = 200_000
"""Rows, or concepts, of a glossary file."""
MOST_REJECTED = 1_000
"""Rejected rows that are kept; more are only counted."""


class GlossaryFileError(ValueError):
    """A file that cannot be read at all; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rejected row: the line it begins on, from 1, and why."""

    line: int
    reason: str


@dataclass
class Reading:
    """The contents of a file: entries from the language of terms to that of translations, and rejected rows.

    ``rejected`` holds the first of these, ``rejections`` counts all.
    """

    entries: list[Entry] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    rejections: int = 0
    rows: int = 0

    def count_row(self, line: int) -> None:
        """Count a row. Raises GlossaryFileError when there are too many."""
        self.rows += 1
        if self.rows > MOST_ROWS:
            raise GlossaryFileError(f"line {line}: more than {MOST_ROWS} rows; divide the file")

    def add(self, line: int, entry: Entry) -> None:
        """Add an entry, or reject its row if the entry is invalid."""
        name, reason = entry_problem(entry)
        if reason:
            self.reject(line, f"{name}: {reason}")
        else:
            self.entries.append(entry)

    def reject(self, line: int, reason: str) -> None:
        self.rejections += 1
        if len(self.rejected) < MOST_REJECTED:
            self.rejected.append(Rejected(line, reason))


Reader = Callable[[bytes, str, str], Reading]
"""Reads a file's bytes, given the language of the terms and that of the translations (BCP 47)."""


def lines(data: bytes) -> list[str]:
    """The lines of a text file in UTF-8, without their ends. Raises GlossaryFileError."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise GlossaryFileError("line 1: the file is in UTF-16; save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise GlossaryFileError(f"line {line}: not valid UTF-8; save the file as UTF-8") from error
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
