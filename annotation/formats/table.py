"""CSV and TSV: one pair per row. Structured values (tokens, annotations, gold, metadata) are JSON in a cell."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats.base import FORMATS, Format
from annotation.formats.delimited import table_rows
from annotation.formats.fields import json_text, record_json
from annotation.formats.implied_scheme import scheme_path
from annotation.formats.record import PairRecord, ParsedSource
from annotation.formats.safe_paths import target_file
from annotation.formats.source import Refusals, display_name, files
from annotation.formats.tabular import (
    COLUMNS,
    HEADER,
    JSON_COLUMNS,
    OPTIONS,
    UNCHANGED_COLUMNS,
    SourceTable,
    header_row,
    read_tables,
)
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
