"""Shared by the readers of glossary files: what they return, what they refuse, and how bytes become lines.

Every reader stops at the first line, entry or element too many: a file costs no more than the largest glossary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import StringIO

from annotation.glossaries.entries import MAX_ENTRIES, TermEntry, entry_problem, merge_entries
from annotation.phrases import Phrase, PhraseError
from annotation.text.limits import MEGABYTE

MAX_FILE_BYTES = 8 * MEGABYTE
"""Bytes of a glossary file: 20,000 concepts of TBX with 400 bytes each."""
MAX_ROWS = 50_000
"""Lines, or concepts, of a glossary file: entries, the rows that repeat or are rejected, and comments."""
MAX_LINE_LENGTH = 10_000
"""Characters of a line: a term, its translations and a note have at most 5,200."""
MAX_REJECTED = 1_000
"""Rejected rows that are kept; more are only counted."""


class GlossaryFileError(PhraseError):
    """A file that cannot be read at all; the message says where and why."""


def at_line(number: int, reason: Phrase) -> GlossaryFileError:
    """What is wrong at a line, from 1, of a file that can't be read."""
    return GlossaryFileError(Phrase("line %(line)s: %(reason)s", {"line": str(number), "reason": reason}))


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A rejected row: the line it begins on, from 1, and why."""

    line: int
    reason: Phrase


@dataclass
class ParsedGlossary:
    """The contents of a file: entries from the language of terms to that of translations, and rejected rows.

    A term that has several rows is one entry. ``rejected`` holds the first of these, ``rejections`` counts all.
    """

    rejected: list[RejectedRow] = field(default_factory=list)
    rejections: int = 0
    rows: int = 0
    _found: dict[str, TermEntry] = field(default_factory=dict)

    @property
    def entries(self) -> list[TermEntry]:
        return list(self._found.values())

    def count_row(self, line: int) -> None:
        """Count a row. Raises GlossaryFileError when there are too many."""
        self.rows += 1
        _check_rows(self.rows, line)

    def add(self, line: int, entry: TermEntry) -> None:
        """Add an entry, or reject its row if it is invalid. Raises GlossaryFileError when there are too many."""
        if problem := entry_problem(entry):
            self.reject(line, problem.phrase)
            return
        earlier = self._found.get(entry.word)
        self._found[entry.word] = merge_entries(earlier, entry) if earlier else entry
        if len(self._found) > MAX_ENTRIES:
            raise at_line(line, Phrase("more than %(most)s entries; divide the file", {"most": str(MAX_ENTRIES)}))

    def reject(self, line: int, reason: Phrase) -> None:
        self.rejections += 1
        if len(self.rejected) < MAX_REJECTED:
            self.rejected.append(RejectedRow(line, reason))


Reader = Callable[[bytes, str, str], ParsedGlossary]
"""Reads a file's bytes, given the language of the terms and that of the translations (BCP 47)."""


def lines(data: bytes, parsed: ParsedGlossary) -> Iterator[tuple[int, str]]:
    """The lines of a text file in UTF-8 with their numbers, without their ends; those that are too long are rejected.

    Raises GlossaryFileError for other encodings and when there are too many lines.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise at_line(1, Phrase("the file is in UTF-16; save it as UTF-8"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data.count(b"\n", 0, error.start)
        raise at_line(before + 1, Phrase("not valid UTF-8; save the file as UTF-8")) from error
    for number, line in enumerate(StringIO(text, newline=None), 1):
        _check_rows(number, number)
        if len(line) > MAX_LINE_LENGTH:
            parsed.reject(number, Phrase("more than %(most)s characters", {"most": str(MAX_LINE_LENGTH)}))
        else:
            yield number, line.rstrip("\n")


def _check_rows(rows: int, line: int) -> None:
    if rows > MAX_ROWS:
        raise at_line(line, Phrase("more than %(most)s rows; divide the file", {"most": str(MAX_ROWS)}))
