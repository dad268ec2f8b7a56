"""Rows of CSV and TSV files, for every format that has some."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterator
from pathlib import Path

from annotation.formats.source import Refusals, display_name, text_lines
from annotation.formats.tabular import SourceTable, bad_header
from annotation.phrases import Phrase
from annotation.text.limits import MAX_LINE_LENGTH


def table_rows(
    path: Path, refusals: Refusals, table: SourceTable | None = None
) -> Iterator[tuple[str, dict[str, str]]]:
    """('file:line', cells by column) of every row; a row whose length differs from the header's is refused.

    `table` says in which line the header is, at least, and is told its columns.
    """
    before = table.header_row - 1 if table is not None else 0
    # A table may also end its lines with a carriage return alone.
    source = (part for line in text_lines(path) for part in io.StringIO(line, newline=""))
    first = next(itertools.islice(source, before, None), "")
    csv.field_size_limit(MAX_LINE_LENGTH)
    reader = csv.reader(itertools.chain([first], source), delimiter=_delimiter(path, first), strict=True)
    header: list[str] = []
    name, line, named_in = display_name(path), before + 1, 0
    while True:
        begins, where = line, f"{name}:{line}"
        try:
            row = next(reader, None)
        except csv.Error as error:
            refusals.add(where, Phrase("not a table row: %(reason)s", {"reason": _syntax(str(error))}))
            return
        if row is None:
            break
        line = before + reader.line_num + 1
        if not any(cell.strip() for cell in row):
            continue
        if not header:
            header = [name.strip() for name in row]
            named_in = begins
            if problem := bad_header(header):
                refusals.add(where, problem)
                return
            if table is not None:
                table.header = header
        elif len(row) != len(header):
            reason = Phrase("%(n)s cells where the header has %(n2)s", {"n": str(len(row)), "n2": str(len(header))})
            if table is not None and len(row) > len(header):
                reason = Phrase(
                    "%(reason)s; row %(row)s has to name every column, or choose another header row (option header)",
                    {"reason": reason, "row": str(named_in)},
                )
            refusals.add(where, reason)
        else:
            refusals.count_row(where)
            yield where, dict(zip(header, row, strict=True))


def _syntax(message: str) -> Phrase:
    """Why a line is no row, from the message of Python's reader, which is in English only."""
    if message.startswith("unexpected end"):
        return Phrase("a cell in quotes without closing quotes")
    if "expected after" in message:
        return Phrase("text after the closing quotes of a cell")
    if message.startswith("field larger"):
        return Phrase("a cell can have at most %(most)s characters", {"most": str(MAX_LINE_LENGTH)})
    return Phrase("a mistake in its syntax")


def _delimiter(path: Path, header: str) -> str:
    if path.suffix.lower() == ".tsv":
        return "\t"
    return max(",;\t", key=header.count)
