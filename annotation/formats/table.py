"""CSV and TSV: one pair per row. Structured values (tokens, annotations, gold, metadata) are JSON in a cell."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats.base import FORMATS, Format
from annotation.formats.fields import json_text, record_json
from annotation.formats.implied_scheme import scheme_path
from annotation.formats.record import PairRecord, ParsedSource
from annotation.formats.safe_paths import target_file
from annotation.formats.source import Refusals, display_name, files, text_lines
from annotation.formats.tabular import (
    COLUMNS,
    HEADER,
    JSON_COLUMNS,
    OPTIONS,
    UNCHANGED_COLUMNS,
    SourceTable,
    bad_header,
    header_row,
    read_tables,
)
from annotation.phrases import Phrase
from annotation.text.limits import MAX_LINE_LENGTH
from annotation.text.schemes import Scheme


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read `.csv` and `.tsv` files, or folders of them. Unknown columns become metadata.

    Raises FormatError with every row that is refused, by the line it begins on.
    """
    sources = files(paths, (".csv", ".tsv"))
    refusals = Refusals()
    header = header_row(options)
    return read_tables((_table(path, header, refusals) for path in sources), options, refusals, sources)


def _table(path: Path, header: int, refusals: Refusals) -> SourceTable:
    name = display_name(path)
    table = SourceTable(name, f"{name}:{header}", iter(()), header_row=header)
    table.rows = table_rows(path, refusals, table)
    return table


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


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write one row per record to `out` (tabs for `.tsv`), and the scheme next to it; returns the files written."""
    out, beside = target_file(out), target_file(scheme_path(out))
    beside.write_text(json.dumps(scheme.to_json(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    with out.open("w", encoding="utf-8", newline="") as file:
        delimiter = "\t" if out.suffix.lower() == ".tsv" else ","
        # A lone carriage return would end a row; the writer itself quotes only cells that hold its own line ending.
        plain, quoted = (
            csv.DictWriter(file, COLUMNS, delimiter=delimiter, lineterminator="\n", quoting=quoting)
            for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)
        )
        plain.writeheader()
        for record in records:
            cells = _cells(record)
            (quoted if any("\r" in cell for cell in cells.values()) else plain).writerow(cells)
    return [out, beside]


def _cells(record: PairRecord) -> dict[str, str]:
    data = record_json(record)
    cells: dict[str, Any] = {key: data[key] for key in ("id", "split", "mirror") if key in data}
    for side in ("a", "b"):
        cells[f"language_{side}"], cells[f"text_{side}"] = data[side]["language"], data[side]["text"]
        cells[f"tokens_{side}"] = data[side].get("tokens")
    if "statement" in data:
        cells["statement_language"], cells["statement"] = data["statement"]["language"], data["statement"]["text"]
    cells.update({key: data.get(key) for key in UNCHANGED_COLUMNS})
    return {
        key: json_text(value) if key in JSON_COLUMNS else value for key, value in cells.items() if value is not None
    }


FORMAT = FORMATS.register(
    Format(
        "csv",
        "a table (CSV or TSV), one pair per row",
        read,
        write,
        {**OPTIONS, **HEADER},
        extensions=(".csv", ".tsv"),
        exports="CSV: everything, as a table",
        ending=".csv",
        complete=True,
    )
)
