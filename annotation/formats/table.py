"""CSV and TSV: one pair a row. What has more than one value (tokens, annotations, gold, metadata) is JSON in a cell."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats.fields import FieldError, pair_json, pair_record
from annotation.formats.implied import implied_scheme, scheme_path
from annotation.formats.parallel import Documents
from annotation.formats.record import PairRecord, Reading
from annotation.formats.source import Refusals, check_options, files, read_text
from annotation.text.schemes import Scheme

OPTIONS = {
    "language_a": "language of side A, where there is no such column",
    "language_b": "language of side B, where there is no such column",
    "side_a": "language of side A, where the rows are single texts (id, language, text)",
}
COLUMNS = (
    *("id", "language_a", "text_a", "language_b", "text_b", "statement_language", "statement", "split", "mirror"),
    *("tokens_a", "tokens_b", "translations_a", "translations_b", "metadata", "annotations", "gold"),
)
_JSON = {"tokens", "tokens_a", "tokens_b", "translations_a", "translations_b", "metadata", "annotations", "gold"}
_AS_THEY_ARE = ("metadata", "translations_a", "translations_b", "annotations", "gold")


def read(paths: Sequence[Path], options: Mapping[str, str]) -> Reading:
    """Read `.csv` and `.tsv` files, or folders of them. Columns that are none of ours become metadata.

    Raises FormatError with every row that is refused, by the line it begins on.
    """
    check_options(options, OPTIONS)
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
                refusals.add(where, str(error))
    records.extend(documents.pairs(refusals))
    refusals.raise_any()
    return Reading(records, implied_scheme(sources, records))


def record(cells: Mapping[str, Any], options: Mapping[str, str], where: str) -> PairRecord:
    """The record of one row, JSON cells already read. Raises FieldError."""
    return pair_record(_pair(cells, options), where)


def _rows(path: Path, refusals: Refusals) -> Iterator[tuple[str, dict[str, str]]]:
    """('file:line', cells by column) of every row; a row of another length than the header is refused."""
    text = read_text(path)
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(path, text), strict=True)
    header: list[str] = []
    line = 1
    while True:
        where = f"{path.name}:{line}"
        try:
            row = next(reader, None)
        except csv.Error as error:
            refusals.add(where, f"no table row: {error}")
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
            refusals.add(where, f"{len(row)} cells where the header has {len(header)}")
        else:
            yield where, dict(zip(header, row, strict=True))
    if not header:
        refusals.add(path.name, "an empty table; a header with id, text_a and text_b is expected")


def _delimiter(path: Path, text: str) -> str:
    if path.suffix == ".tsv":
        return "\t"
    header = text.split("\n", 1)[0]
    return max(",;\t", key=header.count)


def _bad_header(header: list[str]) -> str:
    for name in header:
        if not name or header.count(name) > 1:
            return f"the column '{name}' stands twice" if name else "a column without a name"
    missing = [name for name in ("id", "text_a", "text_b") if name not in header]
    if missing and not {"id", "language", "text"} <= set(header):
        return f"the column {', '.join(missing)} is missing; the header has {', '.join(header)}"
    return ""


def _values(row: Mapping[str, str]) -> dict[str, Any]:
    """Cells as values: JSON where the column holds JSON; empty cells of it are left out."""
    values: dict[str, Any] = {}
    for name, cell in row.items():
        if name not in _JSON:
            values[name] = cell
        elif cell.strip():
            try:
                values[name] = json.loads(cell)
            except (json.JSONDecodeError, RecursionError) as error:
                raise FieldError(f"{name}: no JSON ({error})") from error
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
            raise FieldError(f"language_{side}: missing; add the column or --set language_{side}=LANGUAGE")
        pair[side] = {"language": language, "text": data.get(f"text_{side}")}
        if f"tokens_{side}" in data:
            pair[side]["tokens"] = data[f"tokens_{side}"]
    if data.get("statement"):
        language = data.get("statement_language") or pair["b"]["language"]
        pair["statement"] = {"language": language, "text": data["statement"]}
    return pair


def _with_metadata(cells: Mapping[str, Any], columns: set[str]) -> dict[str, Any]:
    data = {name: value for name, value in cells.items() if name in columns and name != "metadata"}
    metadata = cells.get("metadata", {})
    if not isinstance(metadata, Mapping):
        raise FieldError("metadata: an object is expected")
    data["metadata"] = {**metadata, **{key: cells[key] for key in cells if key not in columns | {"metadata"}}}
    return data


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write one row a record to `out` (tabs for `.tsv`), and the scheme beside it; returns the files written."""
    beside = scheme_path(out)
    beside.write_text(json.dumps(scheme.to_json(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    with out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t" if out.suffix == ".tsv" else ",", lineterminator="\n")
        writer.writeheader()
        for record in records:
            writer.writerow(_cells(record))
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
    return {
        key: json.dumps(value, ensure_ascii=False) if key in _JSON else value
        for key, value in cells.items()
        if value is not None
    }
