"""Reads a sheet of a spreadsheet as a table, after checking the packed file."""

from __future__ import annotations

import itertools
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from annotation.formats.interruption import check_interruption
from annotation.formats.record import ParsedSource
from annotation.formats.source import Refusals, display_name, files, refusal
from annotation.formats.spreadsheet.sheets import DAMAGED, FAILED, FailedCell, SheetError, Workbook, ods, xlsx
from annotation.formats.tabular import SourceTable, bad_header, header_row, read_tables
from annotation.formats.zip_files import open_archive
from annotation.phrases import Phrase
from annotation.phrases import field_problem as named
from annotation.strict_json import display_text
from annotation.text.limits import (
    MAX_COMPRESSION_RATIO,
    MAX_FILES,
    MAX_LINE_LENGTH,
    MAX_UPLOAD_BYTES,
    MAX_WHOLE_FILE_BYTES,
    MEGABYTE,
)

ENDINGS = (".xlsx", ".ods")
MAX_SKIPPED_SHEETS = 20
"""Sheets among which those with a table are looked for: each of them reads an OpenDocument file again."""
_OLD_FORMAT = b"\xd0\xcf\x11\xe0"


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read spreadsheets, or folders of them. Raises FormatError with every row that is refused."""
    sources = files(paths, ENDINGS)
    refusals = Refusals()
    sheet, header = options.get("sheet", ""), header_row(options)
    return read_tables((_table(path, sheet, header, refusals) for path in sources), options, refusals, sources)


def _table(path: Path, sheet_name: str, header: int, refusals: Refusals) -> SourceTable:
    name = display_name(path)
    _check_packed(path)
    try:
        book = ods(path) if path.suffix.lower() == ".ods" else xlsx(path)
    except SheetError as error:
        raise refusal(name, error.phrase) from error
    sheet, skipped, left_out = (sheet_name, [], []) if sheet_name else _first_table(book, header)
    if sheet not in book.sheets:
        reason = Phrase(
            "there is no sheet '%(sheet)s'; the file has %(names)s",
            {"sheet": display_text(sheet), "names": display_text(", ".join(book.sheets)) or Phrase("none")},
        )
        raise refusal(name, reason)
    where = f"{name}, {sheet}" if len(book.sheets) > 1 else name
    table = SourceTable(where, where, iter(()), sheet, book.sheets, skipped, left_out, header_row=header)
    table.rows = _rows(book.rows(sheet), table, refusals)
    return table


def _first_table(book: Workbook, header: int) -> tuple[str, list[str], list[str]]:
    """The first visible sheet with a header and a row, the sheets before it, and those after it that have these too.

    If none has them, the first visible sheet.
    """
    looked_at = book.visible[:MAX_SKIPPED_SHEETS]
    tables = [sheet for sheet in looked_at if _has_rows(book.rows(sheet), header)]
    if not tables:
        return next(iter(book.visible), ""), [], []
    return tables[0], looked_at[: looked_at.index(tables[0])], tables[1:]


def _has_rows(rows: Iterable[tuple[int, list[str]]], header: int) -> bool:
    """Whether a sheet has two rows with cells from the header on.

    One that can't be read counts too, so that its fault is named.
    """
    filled = 0
    try:
        for number, cells in rows:
            check_interruption()
            filled += number >= header and any(cell.strip() for cell in cells)
            if filled == 2:
                return True
    except SheetError:
        return True
    return False


def _check_packed(path: Path) -> None:
    """Raises FormatError for a file that is no zip, or that unpacks to more than any table of texts does."""
    name = display_name(path)
    with path.open("rb") as file:
        if file.read(4) == _OLD_FORMAT:
            raise refusal(name, Phrase("has a password, or is an old .xls file; save it as .xlsx without a password"))
    with open_archive(path, DAMAGED) as packed:
        entries = packed.infolist()
        total = sum(entry.file_size for entry in entries)
        largest = max((entry.file_size for entry in entries), default=0)
        if len(entries) > MAX_FILES or total > MAX_UPLOAD_BYTES or largest > MAX_WHOLE_FILE_BYTES:
            most = MAX_WHOLE_FILE_BYTES // MEGABYTE
            raise refusal(name, Phrase("unpacks to more than %(most)s MB; split it, or use CSV", {"most": str(most)}))
        if total > MEGABYTE + MAX_COMPRESSION_RATIO * path.stat().st_size:
            raise refusal(
                name,
                Phrase(
                    "unpacks to more than %(largest_ratio)s times its size, which no table of texts does",
                    {"largest_ratio": str(MAX_COMPRESSION_RATIO)},
                ),
            )
        if any(entry.flag_bits & 0x41 for entry in entries):
            raise refusal(name, Phrase("encrypted; save it without a password"))


def _rows(
    rows: Iterable[tuple[int, list[str]]], table: SourceTable, refusals: Refusals
) -> Iterator[tuple[str, dict[str, str]]]:
    """('file:row', cells by column) of every row below the one that names the columns."""
    header: list[str] = []
    named_in = 0
    where = table.where
    rows = iter(rows)
    while True:
        check_interruption()
        try:
            first = next(rows, None)
        except SheetError as error:
            refusals.add(where, error.phrase)
            return
        if first is None:
            break
        number, cells = first
        at = f"{where}:{number}"
        if number < table.header_row or not any(cell.strip() for cell in cells):
            continue
        if not header:
            named_in = number
            if failed := next((cell for cell in cells if isinstance(cell, FailedCell)), None):
                refusals.add(at, FAILED.with_params(error=failed))
                return
            header = _trimmed(cells)
            if problem := bad_header(header):
                refusals.add(at, problem)
                return
            table.header = header
            continue
        refusals.count_row(at)
        failed_in = [(name, cell) for name, cell in zip(header, cells, strict=False) if isinstance(cell, FailedCell)]
        for name, cell in failed_in:
            refusals.add(at, named(display_text(name), FAILED.with_params(error=cell)))
        if any(cell.strip() for cell in cells[len(header) :]):
            reason = Phrase("a cell in a column without a name")
            hint = Phrase(
                "%(reason)s; row %(row)s has to name every column, or choose another header row (option header)",
                {"reason": reason, "row": str(named_in)},
            )
            refusals.add(at, hint)
        elif any(len(cell) > MAX_LINE_LENGTH for cell in cells):
            refusals.add(at, Phrase("a cell can have at most %(most)s characters", {"most": str(MAX_LINE_LENGTH)}))
        elif not failed_in:
            yield at, dict(itertools.zip_longest(header, cells[: len(header)], fillvalue=""))


def _trimmed(cells: Sequence[str]) -> list[str]:
    """The names of the columns, without empty ones at the end."""
    names = [" ".join(cell.split()) for cell in cells]
    while names and not names[-1]:
        names.pop()
    return names


def is_spreadsheet(path: Path) -> bool:
    """Whether a file is a spreadsheet, whatever its name."""
    try:
        with zipfile.ZipFile(path) as packed:
            names = set(packed.namelist())
            ods_kind = "mimetype" in names and packed.getinfo("mimetype").file_size < 100
            return "xl/workbook.xml" in names or (ods_kind and b"spreadsheet" in packed.read("mimetype"))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError):
        return False
