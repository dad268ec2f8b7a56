"""The rows of a spreadsheet's sheets, read row by row: neither reader holds a sheet in memory.

A library that makes a sheet a matrix first (python-calamine, pandas) can be made to allocate one of 17 thousand million
cells by a file of a few hundred bytes with values in two opposite corners; one that makes a tree of an OpenDocument
file (odfpy) can be made to repeat a cell as often. openpyxl's read-only mode reads Excel's rows one at a time, and
`_OdsRows` those of OpenDocument.
"""

from __future__ import annotations

import weakref
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from annotation.phrases import Phrase, PhraseError
from annotation.text.limits import MAX_COLUMNS, MAX_ROWS, MAX_TEXT_LENGTH

DAMAGED = Phrase("damaged, or not a spreadsheet; open it and save it again")
_ROWS = Phrase("a sheet can have at most %(most)s rows; split it", {"most": str(MAX_ROWS)})
_COLUMNS = Phrase("a sheet can have at most %(most)s columns; remove the others", {"most": str(MAX_COLUMNS)})
FAILED = Phrase("a cell shows an error (%(error)s); correct its formula")


class FailedCell(str):
    """The text of a cell that shows an error in place of a value (`#N/A`)."""


class SheetError(PhraseError):
    """A spreadsheet, or a row of it, that can't be read."""


@dataclass(frozen=True, slots=True)
class Workbook:
    """The names of all sheets and of the visible ones; `rows(sheet)` are (number from 1, cells) of its rows.

    A cell that shows an error is a `FailedCell`.
    """

    sheets: list[str]
    visible: list[str]
    rows: Callable[[str], Iterator[tuple[int, list[str]]]]


def xlsx(path: Path) -> Workbook:
    """An Excel workbook. Raises SheetError, also while its rows are read."""
    import openpyxl

    with _readable():
        # Links to other files are not followed, and formulas are not computed.
        # Opened here, because by a path only certain endings are accepted. Rows are read from it later.
        with ExitStack() as opened:
            file = opened.enter_context(path.open("rb"))
            book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
            weakref.finalize(book, opened.pop_all().close)
        sheets = {sheet.title: sheet for sheet in book.worksheets}

    def rows(name: str) -> Iterator[tuple[int, list[str]]]:
        sheet = sheets[name]
        # The size that a file states may be wrong.
        sheet.reset_dimensions()
        with _readable():
            sheet_rows = iter(sheet.iter_rows())
        number = 0
        while True:
            with _readable():
                row = next(sheet_rows, None)
                if row is None:
                    return
                number += 1
                if number > MAX_ROWS + 1:
                    raise SheetError(_ROWS)
                if len(row) > MAX_COLUMNS:
                    raise SheetError(_COLUMNS)
                cells = [_excel_text(cell) for cell in row]
            yield number, cells

    visible = [name for name, sheet in sheets.items() if sheet.sheet_state == "visible"]
    return Workbook(list(sheets), visible, rows)


@contextmanager
def _readable() -> Iterator[None]:
    """Turns whatever a damaged file makes a reader raise into a SheetError."""
    try:
        yield
    except (SheetError, MemoryError):
        raise
    except Exception as error:
        raise SheetError(DAMAGED) from error


def _excel_text(cell: Any) -> str:
    return FailedCell(cell.value) if cell.data_type == "e" else as_text(cell.value)


def as_text(value: object) -> str:
    """A cell's value as text: whole numbers without a point, dates as in ISO 8601."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)


_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"


def ods(path: Path) -> Workbook:
    """An OpenDocument spreadsheet. Raises SheetError, also while its rows are read."""
    sheets: list[str] = []
    with _readable():
        for event, element in _elements(path):
            if event == "start" and element.tag == f"{_TABLE}table":
                sheets.append(element.get(f"{_TABLE}name", ""))
            if event == "end":
                element.clear()
    return Workbook(sheets, sheets, lambda name: _OdsRows(path, sheets.index(name)).rows())


def _elements(path: Path) -> Iterator[tuple[str, Any]]:
    from defusedxml.ElementTree import iterparse

    with zipfile.ZipFile(path) as packed, packed.open("content.xml") as content:
        yield from iterparse(content, events=("start", "end"), forbid_dtd=True)


class _OdsRows:
    """The rows of the sheet at an index."""

    def __init__(self, path: Path, index: int) -> None:
        self.path, self.index = path, index
        self.cells: list[str] = []
        self.empty = 0
        """Empty cells that count only if another cell follows: LibreOffice fills sheets up with them."""

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        elements = _elements(self.path)
        at, number = -1, 0
        while True:
            with _readable():
                event, element = next(elements, ("", None))
                if element is None:
                    return
                tag = element.tag.removeprefix(_TABLE)
                if event == "start":
                    at += tag == "table"
                    if tag == "table-row":
                        self.cells, self.empty = [], 0
                    continue
                repeated = 1
                if at == self.index and tag in ("table-cell", "covered-table-cell"):
                    self._add(element)
                if tag == "table-row" and at == self.index:
                    repeated = _repeated(element, "number-rows-repeated")
                if tag in ("table-row", "table-cell", "covered-table-cell"):
                    element.clear()
                if tag != "table-row" or at != self.index:
                    continue
                if any(self.cells) and number + repeated > MAX_ROWS + 1:
                    raise SheetError(_ROWS)
                cells = self.cells
            if any(cells):
                for _ in range(repeated):
                    number += 1
                    yield number, list(cells)
            else:
                number += repeated

    def _add(self, element: Any) -> None:
        text, count = _ods_text(element), _repeated(element, "number-columns-repeated")
        if not text:
            self.empty += count
            return
        if len(self.cells) + self.empty + count > MAX_COLUMNS:
            raise SheetError(_COLUMNS)
        self.cells += [""] * self.empty + [text] * count
        self.empty = 0


def _repeated(element: Any, name: str) -> int:
    count = int(element.get(_TABLE + name, "1"))
    if count < 1:
        raise SheetError(DAMAGED)
    return count


def _ods_text(cell: Any) -> str:
    shown = "\n".join(_paragraph(child) for child in cell if child.tag == f"{_TEXT}p")
    failed = shown.startswith(("Err:", "#")) and cell.get(f"{_TABLE}formula")
    if failed or cell.get(f"{_CALC}value-type") == "error":
        return FailedCell(shown[:20])
    kind = cell.get(f"{_OFFICE}value-type", "")
    if kind in ("float", "percentage", "currency"):
        return as_text(float(cell.get(f"{_OFFICE}value", "nan")))
    if kind == "date":
        return str(cell.get(f"{_OFFICE}date-value", "")).removesuffix("T00:00:00")
    if kind == "boolean":
        return str(cell.get(f"{_OFFICE}boolean-value", ""))
    return shown


def _paragraph(element: Any) -> str:
    """The text of a paragraph, with its spaces, tabs and line breaks, without comments."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == f"{_TEXT}s":
            parts.append(" " * min(int(child.get(f"{_TEXT}c", "1")), MAX_TEXT_LENGTH))
        elif child.tag == f"{_TEXT}tab":
            parts.append("\t")
        elif child.tag == f"{_TEXT}line-break":
            parts.append("\n")
        elif child.tag != f"{_OFFICE}annotation":
            parts.append(_paragraph(child))
        parts.append(child.tail or "")
    return "".join(parts)
