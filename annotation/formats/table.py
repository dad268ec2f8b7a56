"""CSV and TSV: one pair per row. Structured values (tokens, annotations, gold, metadata) are JSON in a cell."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats.base import FORMATS, Format, Option
from annotation.formats.fields import json_text, pair_json, pair_record
from annotation.formats.implied import implied_scheme, scheme_path
from annotation.formats.parallel import Documents
from annotation.formats.record import PairRecord, ParsedSource
from annotation.formats.safe_paths import target_file
from annotation.formats.source import Refusals, display_name, files, text_lines
from annotation.formats.typed import FieldError, mapping, parsed
from annotation.phrases import Phrase
from annotation.strict_json import shown
from annotation.text.limits import LONGEST_LINE, MOST_COLUMNS
from annotation.text.schemes import Scheme

OPTIONS = {
    "language_a": Option("language of side A, if there is no such column"),
    "language_b": Option("language of side B, if there is no such column"),
    "side_a": Option("language of side A, if rows are single texts (id, language, text)"),
}
COLUMNS = (
    *("id", "language_a", "text_a", "language_b", "text_b", "statement_language", "statement", "split", "mirror"),
    *("tokens_a", "tokens_b", "translations_a", "translations_b", "metadata", "annotations", "gold"),
)
_JSON = {"tokens", "tokens_a", "tokens_b", "translations_a", "translations_b", "metadata", "annotations", "gold"}
_AS_THEY_ARE = ("metadata", "translations_a", "translations_b", "annotations", "gold")


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read `.csv` and `.tsv` files, or folders of them. Unknown columns become metadata.

    Raises FormatError with every row that is refused, by the line it begins on.
    """
    sources = files(paths, (".csv", ".tsv"))
    refusals = Refusals()
    records: list[PairRecord] = []
    documents = Documents(options.get("side_a", ""))
    for path in sources:
        for where, row in _rows(path, refusals):
            try:
                cells = _values(row)
                if "text" in cells:
                    documents.add(_with_metadata(cells, {"id", "language", "text", "tokens", "split"}), where)
                else:
                    records.append(record(cells, options, where))
            except FieldError as error:
                refusals.add(where, error.phrase)
    records.extend(documents.pairs(refusals))
    refusals.raise_any(records)
    return ParsedSource(records, implied_scheme(sources, records))


def record(cells: Mapping[str, Any], options: Mapping[str, str], where: str) -> PairRecord:
    """The record of one row whose JSON cells have been parsed. Raises FieldError."""
    return pair_record(_pair(cells, options), where)


def _rows(path: Path, refusals: Refusals) -> Iterator[tuple[str, dict[str, str]]]:
    """('file:line', cells by column) of every row; a row whose length differs from the header's is refused."""
    # A table may also end its lines with a carriage return alone.
    source = (part for line in text_lines(path) for part in io.StringIO(line, newline=""))
    first = next(source, "")
    csv.field_size_limit(LONGEST_LINE)
    reader = csv.reader(itertools.chain([first], source), delimiter=_delimiter(path, first), strict=True)
    header: list[str] = []
    name, line = display_name(path), 1
    while True:
        where = f"{name}:{line}"
        try:
            row = next(reader, None)
        except csv.Error as error:
            refusals.add(where, Phrase("no table row: %(reason)s", {"reason": _syntax(str(error))}))
            return
        if row is None:
            break
        line = reader.line_num + 1
        if not any(cell.strip() for cell in row):
            continue
        if not header:
            header = [name.strip() for name in row]
            if problem := _bad_header(header):
                refusals.add(where, problem)
                return
        elif len(row) != len(header):
            refusals.add(
                where, Phrase("%(n)s cells where the header has %(n2)s", {"n": str(len(row)), "n2": str(len(header))})
            )
        else:
            refusals.count_row(where)
            yield where, dict(zip(header, row, strict=True))
    if not header:
        refusals.add(display_name(path), Phrase("an empty table; a header with id, text_a and text_b is expected"))


def _syntax(message: str) -> Phrase:
    """Why a line is no row, from the message of Python's reader, which is in English only."""
    if message.startswith("unexpected end"):
        return Phrase("a cell in quotes without closing quotes")
    if "expected after" in message:
        return Phrase("text after the closing quotes of a cell")
    if message.startswith("field larger"):
        return Phrase("a cell has at most %(most)s characters", {"most": str(LONGEST_LINE)})
    return Phrase("a mistake in its syntax")


def _delimiter(path: Path, header: str) -> str:
    if path.suffix.lower() == ".tsv":
        return "\t"
    return max(",;\t", key=header.count)


def _bad_header(header: list[str]) -> Phrase | None:
    if len(header) > MOST_COLUMNS:
        return Phrase(
            "%(n)s columns; a table has at most %(most_columns)s",
            {"n": str(len(header)), "most_columns": str(MOST_COLUMNS)},
        )
    for name in header:
        if not name or header.count(name) > 1:
            return (
                Phrase("the column '%(name)s' appears twice", {"name": shown(name)})
                if name
                else Phrase("a column without a name")
            )
    missing = [name for name in ("id", "text_a", "text_b") if name not in header]
    if missing and not {"id", "language", "text"} <= set(header):
        return Phrase(
            "columns that are missing: %(names)s; the header has: %(header)s",
            {"names": ", ".join(missing), "header": shown(", ".join(header))},
        )
    return None


def _values(row: Mapping[str, str]) -> dict[str, Any]:
    """Cells as values: JSON in columns that hold JSON, whose empty cells are omitted."""
    values: dict[str, Any] = {}
    for name, cell in row.items():
        if name not in _JSON:
            values[name] = cell
        elif cell.strip():
            values[name] = parsed(cell, name)
    return values


def _pair(cells: Mapping[str, Any], options: Mapping[str, str]) -> dict[str, Any]:
    """The `jsonl` object of a row."""
    data = _with_metadata(cells, set(COLUMNS))
    pair: dict[str, Any] = {key: data[key] for key in ("id", "split", "mirror", *_AS_THEY_ARE) if data.get(key)}
    if "gold" in data:
        pair["gold"] = data["gold"]
    for side in ("a", "b"):
        language = data.get(f"language_{side}") or options.get(f"language_{side}", "")
        if not language:
            raise FieldError(
                Phrase(
                    "language_%(side)s: missing; add the column or set the option language_%(side)s=LANGUAGE",
                    {"side": str(side)},
                )
            )
        pair[side] = {"language": language, "text": data.get(f"text_{side}")}
        if f"tokens_{side}" in data:
            pair[side]["tokens"] = data[f"tokens_{side}"]
    if data.get("statement"):
        language = data.get("statement_language") or pair["b"]["language"]
        pair["statement"] = {"language": language, "text": data["statement"]}
    return pair


def _with_metadata(cells: Mapping[str, Any], columns: set[str]) -> dict[str, Any]:
    data = {name: value for name, value in cells.items() if name in columns and name != "metadata"}
    metadata = mapping(cells, "metadata", default={})
    data["metadata"] = {**metadata, **{key: cells[key] for key in cells if key not in columns | {"metadata"}}}
    return data


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
    data = pair_json(record)
    cells: dict[str, Any] = {key: data[key] for key in ("id", "split", "mirror") if key in data}
    for side in ("a", "b"):
        cells[f"language_{side}"], cells[f"text_{side}"] = data[side]["language"], data[side]["text"]
        cells[f"tokens_{side}"] = data[side].get("tokens")
    if "statement" in data:
        cells["statement_language"], cells["statement"] = data["statement"]["language"], data["statement"]["text"]
    cells.update({key: data.get(key) for key in _AS_THEY_ARE})
    return {key: json_text(value) if key in _JSON else value for key, value in cells.items() if value is not None}


FORMAT = FORMATS.register(
    Format(
        "csv",
        "a table (CSV or TSV), one pair per row",
        read,
        write,
        OPTIONS,
        extensions=(".csv", ".tsv"),
        exports="CSV: everything, as a table",
        ending=".csv",
        whole=True,
    )
)
