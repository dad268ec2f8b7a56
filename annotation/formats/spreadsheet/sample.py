"""Small spreadsheets, for samples and tests."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from annotation.formats.record import PairRecord

_ODS = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2">
<office:body><office:spreadsheet>%s</office:spreadsheet></office:body></office:document-content>
"""
_MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
</manifest:manifest>
"""


_COLUMNS = ("id", "language_a", "text_a", "language_b", "text_b")


def xlsx_sample(records: Sequence[PairRecord], path: Path) -> None:
    """An Excel file with the texts of these pairs."""
    write_xlsx(path, _rows(records))


def ods_sample(records: Sequence[PairRecord], path: Path) -> None:
    """An OpenDocument spreadsheet with the texts of these pairs."""
    write_ods(path, _rows(records))


def _rows(records: Sequence[PairRecord]) -> list[tuple[str, ...]]:
    return [_COLUMNS, *((each.id, each.a.language, each.a.text, each.b.language, each.b.text) for each in records)]


def write_xlsx(path: Path, rows: Iterable[Sequence[str]]) -> None:
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Pairs")
    for row in rows:
        sheet.append(list(row))
    book.save(path)


def write_ods(path: Path, rows: Iterable[Sequence[str]]) -> None:
    cells = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{escape(cell)}</text:p></table:table-cell>'
            for cell in row
        )
        + "</table:table-row>"
        for row in rows
    )
    write_ods_content(path, f'<table:table table:name="Pairs">{cells}</table:table>')


def write_ods_content(path: Path, tables: str) -> None:
    """An OpenDocument spreadsheet with these tables, as XML."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(
            zipfile.ZipInfo("mimetype"), "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED
        )
        packed.writestr("content.xml", _ODS % tables)
        packed.writestr("META-INF/manifest.xml", _MANIFEST)
