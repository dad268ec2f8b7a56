"""Rows of a table, from CSV files or spreadsheets, as pairs. Structured values are JSON in a cell."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from annotation.formats import language_pairs
from annotation.formats.base import Option
from annotation.formats.columns import SAMPLE, ColumnMapping, ColumnsError, choose_columns
from annotation.formats.field_types import FieldError, mapping, parse_json_cell, storable_object, string
from annotation.formats.fields import MAX_SPLIT_LENGTH, pair_record, text_record
from annotation.formats.implied_scheme import implied_scheme
from annotation.formats.parallel import MAX_DOCUMENT_ID_LENGTH, LanguageText, ParallelDocuments
from annotation.formats.record import FormatError, PairRecord, ParsedSource, Rejection
from annotation.formats.source import Refusals, refusal
from annotation.formats.source_warnings import REPEATED
from annotation.phrases import Phrase
from annotation.strict_json import display_text
from annotation.text.limits import MAX_COLUMNS
from annotation.text.schemes import SIDES

OPTIONS = {
    "language_a": Option("language of side A, if there is no such column"),
    "language_b": Option("language of side B, if there is no such column"),
    "side_a": Option(
        "language of side A, if rows are single texts (id, language, text) or there is a column per language"
    ),
    **language_pairs.OPTIONS,
    "id_column": Option("the column with the id, if its name differs"),
    "text_a_column": Option("the column with the text of side A, if its name differs"),
    "text_b_column": Option("the column with the text of side B, if its name differs"),
    "language_a_column": Option("the column with the language of side A, if its name differs"),
    "language_b_column": Option("the column with the language of side B, if its name differs"),
    "statement_column": Option("the column with the statement, if its name differs"),
    "split_column": Option("the column with the split, if its name differs"),
}
HEADER = {"header": Option("the number of the row that names the columns, if it isn't the first")}
COLUMNS = (
    *("id", "language_a", "text_a", "language_b", "text_b", "statement_language", "statement", "split", "mirror"),
    *("tokens_a", "tokens_b", "translations_a", "translations_b", "metadata", "annotations", "gold"),
)
JSON_COLUMNS = {"tokens", "tokens_a", "tokens_b", "translations_a", "translations_b", "metadata", "annotations", "gold"}
UNCHANGED_COLUMNS = ("metadata", "translations_a", "translations_b", "annotations", "gold")


@dataclass(slots=True)
class SourceTable:
    """A table to read: `where` is its header's location; `rows` are ('file:line', cells by column).

    `skipped` are the sheets before it that have no table, `left_out` those after it that have one. `header` are its
    columns, once they were read, and `header_row` the number of the row that is to name them, at least.
    """

    name: str
    where: str
    rows: Iterator[tuple[str, dict[str, str]]]
    sheet: str = ""
    sheets: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    header: list[str] = field(default_factory=list)
    header_row: int = 1


def header_row(options: Mapping[str, str]) -> int:
    """The first row that may name the columns. Raises FormatError for an option that is no number of a row."""
    number = options.get("header", "").strip() or "1"
    if not (number.isascii() and number.isdecimal() and len(number) <= 4 and int(number)):
        reason = Phrase("a row number from 1 to 9999 is expected, not '%(given)s'", {"given": display_text(number)})
        raise refusal("option header", reason)
    return int(number)


def read_tables(
    tables: Iterable[SourceTable], options: Mapping[str, str], refusals: Refusals, sources: Sequence[Path]
) -> ParsedSource:
    """The pairs of all tables, as one source; its `table` is how the first one was read.

    Raises FormatError with every row that is refused, and with how the table was read.
    """
    records: list[PairRecord] = []
    documents = ParallelDocuments(options)
    ids: set[str] = set()
    first: ColumnMapping | None = None
    without_rows: ColumnMapping | None = None
    repeated = 0
    try:
        for table in tables:
            before = len(refusals.rejections)
            sample = list(itertools.islice(table.rows, SAMPLE))
            if not sample:
                if len(refusals.rejections) == before:
                    refusals.add(table.name, Phrase("an empty table; a header and at least one row are expected"))
                # Another sheet can be chosen of a workbook whose first one holds nothing that could be read.
                without_rows = without_rows or _with_sheet_names(ColumnMapping(table.header), table)
                continue
            try:
                choice = choose_columns(list(sample[0][1]), [row for _, row in sample], options)
            except ColumnsError as error:
                refusals.add(table.where, error.phrase)
                first = first or _with_sheet_names(error.choice, table)
                continue
            first = first or _with_sheet_names(choice, table)
            for side in choice.unsure:
                refusals.add(table.where, _ambiguous_language(side))
            documents.complete = documents.complete or bool(choice.texts)
            for where, row in itertools.chain(sample, table.rows):
                try:
                    pair = _record(choice, row, options, where, documents)
                except FieldError as error:
                    refusals.add(where, error.phrase)
                    continue
                if pair is None:
                    continue
                if "id" not in choice.mapping:
                    if pair.id in ids:
                        repeated += 1
                        continue
                    ids.add(pair.id)
                records.append(pair)
        records.extend(documents.pairs(refusals))
        refusals.rejections.sort(key=_line)
        refusals.raise_any(records)
    except FormatError as error:
        error.table = error.table or first or without_rows
        raise
    source = ParsedSource(records, implied_scheme(sources, records), table=first, documents=documents.report)
    if repeated:
        source.warnings[REPEATED.text()] += repeated
    return source


def _line(rejection: Rejection) -> tuple[str, int]:
    """By table, then by row: the first rows of a table are read before any of them is checked."""
    table, _, row = rejection.where.rpartition(":")
    return (table, int(row)) if row.isdigit() else (rejection.where, 0)


def _with_sheet_names(choice: ColumnMapping, table: SourceTable) -> ColumnMapping:
    choice.sheet, choice.sheets, choice.skipped = table.sheet, table.sheets, table.skipped
    choice.left_out, choice.header_row = table.left_out, table.header_row
    return choice


def _ambiguous_language(side: str) -> Phrase:
    return Phrase(
        "the language of text %(side)s could not be determined; choose it, add the column %(name)s, or set the "
        "option %(name)s=LANGUAGE",
        {"side": side.upper(), "name": f"language_{side}"},
    )


def _record(
    choice: ColumnMapping, row: Mapping[str, str], options: Mapping[str, str], where: str, documents: ParallelDocuments
) -> PairRecord | None:
    """The record of a row; None for a row of documents' texts, which `documents` collect. Raises FieldError."""
    cells = _values(choice.cells(row))
    if choice.texts:
        _add_document(choice, cells, where, documents)
        return None
    if choice.parallel:
        documents.add(_with_metadata(cells, {"id", "language", "text", "tokens", "split"}), where)
        return None
    languages = {f"language_{side}": choice.language(side) for side in SIDES}
    defaults = {**languages, **{key: value for key, value in options.items() if value}}
    if "id" in choice.mapping:
        return record(cells, defaults, where)
    pair = record({**cells, "id": "-"}, defaults, where)
    return replace(pair, id=id_of(pair))


def _add_document(choice: ColumnMapping, cells: Mapping[str, Any], where: str, documents: ParallelDocuments) -> None:
    """Collect the texts of a row with one column per language; an empty cell is a missing text. Raises FieldError."""
    texts = {
        language: text_record({"language": language, "text": cells.get(column, "")}, column)
        for language, column in choice.texts.items()
        if cells.get(column, "").strip()
    }
    data = _with_metadata(cells, {"id", "split", *choice.texts.values()})
    whole = "\0".join(f"{language} {text.text}" for language, text in texts.items())
    identity = (
        string(data, "id", max_length=MAX_DOCUMENT_ID_LENGTH)
        or f"document-{hashlib.sha256(whole.encode()).hexdigest()[:12]}"
    )
    split = string(data, "split", max_length=MAX_SPLIT_LENGTH)
    metadata = storable_object(data["metadata"], "metadata")
    for text in texts.values():
        documents.add_text(identity, LanguageText(text, where, split, metadata))


def id_of(record: PairRecord) -> str:
    """The id of a pair whose source has none: the same texts have the same one, so importing them again is safe."""
    statement = (record.statement.language, record.statement.text) if record.statement else ()
    parts = (record.a.language, record.a.text, record.b.language, record.b.text, *statement)
    return f"pair-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:12]}"


def record(cells: Mapping[str, Any], options: Mapping[str, str], where: str) -> PairRecord:
    """The record of one row whose JSON cells have been parsed. Raises FieldError."""
    return pair_record(_pair(cells, options), where)


def bad_header(header: list[str]) -> Phrase | None:
    """Why no table has such a header; None if it can have it."""
    if len(header) > MAX_COLUMNS:
        return Phrase(
            "%(n)s columns; a table can have at most %(most_columns)s",
            {"n": str(len(header)), "most_columns": str(MAX_COLUMNS)},
        )
    for name in header:
        if not name or header.count(name) > 1:
            return (
                Phrase("the column '%(name)s' appears twice", {"name": display_text(name)})
                if name
                else Phrase("a column without a name; this row has to name every column")
            )
    return None


def _values(row: Mapping[str, str]) -> dict[str, Any]:
    """Cells as values: JSON in columns that hold JSON, whose empty cells are omitted."""
    values: dict[str, Any] = {}
    for name, cell in row.items():
        if name not in JSON_COLUMNS:
            values[name] = cell
        elif cell.strip():
            values[name] = parse_json_cell(cell, name)
    return values


def _pair(cells: Mapping[str, Any], options: Mapping[str, str]) -> dict[str, Any]:
    """The `jsonl` object of a row."""
    data = _with_metadata(cells, set(COLUMNS))
    pair: dict[str, Any] = {key: data[key] for key in ("id", "split", "mirror", *UNCHANGED_COLUMNS) if data.get(key)}
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
