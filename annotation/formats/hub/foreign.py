"""Datasets from elsewhere: their Parquet files, read as tables of pairs or of token labels."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats import parquet_check, tabular
from annotation.formats.field_types import FieldError, parse_json_cell
from annotation.formats.graded_tokens import labelled_record
from annotation.formats.parquet import UnpackedSize, rows
from annotation.formats.record import ParsedSource
from annotation.formats.source import Refusals, display_name, refusal
from annotation.phrases import Phrase
from annotation.strict_json import display_text
from annotation.text.schemes import PRESETS

_SPLITS = ("train", "validation", "dev", "test")


def read_foreign(paths: Sequence[Path], options: Mapping[str, str], folder: str = "") -> ParsedSource:
    """Parquet files, all from `folder` if that is named.

    A row is a pair (`id, text_a, text_b`), and also gold if it has `labels_a, labels_b`.

    The split is the one that the file's name starts with. Raises FormatError with every row that is refused.
    """
    files = [path for path in paths if options.get("split", "") in ("", split_of(path))]
    if not files and paths:
        where = folder or ", ".join(map(display_name, paths))
        raise refusal(where, Phrase("holds no Parquet file of the split '%(split)s'", {"split": options["split"]}))
    if not files:
        raise refusal(folder, Phrase("the folder holds no Parquet file"))
    parquet_check.check(files)
    refusals = Refusals()
    parsed = ParsedSource([], PRESETS["graded"])
    languages = {key: value for key, value in options.items() if key != "split"}
    unpacked = UnpackedSize()
    for path in files:
        for where, row in rows(path, display_name(path), unpacked=unpacked):
            refusals.count_row(where)
            try:
                _add(parsed, {"split": split_of(path)} | _normalise_row(row), languages, path, where)
            except FieldError as error:
                refusals.add(where, error.phrase)
    refusals.raise_any(parsed.records)
    return parsed


def _normalise_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without its empty columns; a numeric id, and values that JSON lacks (dates), as text."""
    values = {key: value for key, value in row.items() if value is not None}
    if isinstance(values.get("id"), int):
        values["id"] = str(values["id"])
    return {key: parse_json_cell(json.dumps(value, default=str), display_text(key)) for key, value in values.items()}


def split_of(path: Path) -> str:
    """The split that a file's name starts with; '' for none."""
    return next((split for split in _SPLITS if path.name.lower().startswith(split)), "")


def _add(parsed: ParsedSource, row: dict[str, Any], options: Mapping[str, str], path: Path, where: str) -> None:
    if "labels_a" in row and "labels_b" in row:
        parsed.records.append(labelled_record(row, options, path, where, parsed.warnings))
    else:
        parsed.records.append(tabular.record(row, options, where))
