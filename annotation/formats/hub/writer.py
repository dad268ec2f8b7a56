"""Writes dataset folders, row group by row group."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from annotation.formats.fields import annotation_json
from annotation.formats.graded_tokens import supports_scheme
from annotation.formats.hub.card import front_matter
from annotation.formats.hub.columns import (
    answer_rows,
    arrow_schema,
    arrow_table,
    common_columns,
    features,
    gold_row,
    graded_row,
    span_row,
    token_labels,
)
from annotation.formats.hub.layout import METADATA_FILE, split_name
from annotation.formats.record import AnnotationRecord, PairRecord
from annotation.formats.safe_paths import fold_case, writable
from annotation.text.schemes import Scheme
from annotation.vocabulary import Verdict

ROWS = 500
"""Rows of a row group."""


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write the folder `out`, row group by row group, without unsubmitted work.

    Returns the files written. The card is the shortest that loads; publishing replaces it by a full one.
    """
    return write_folder(records, scheme, out)


def write_folder(
    records: Iterable[PairRecord], scheme: Scheme, out: Path, guidelines: Mapping[int, str] | None = None
) -> list[Path]:
    """As `write`, with the project's guidelines by version next to the scheme."""
    out.mkdir(parents=True, exist_ok=True)
    writer = _Writer(out, scheme)
    try:
        for position, record in enumerate(records):
            writer.add(position, record)
    finally:
        writer.close()
    about = writable(out, METADATA_FILE)
    versions = [{"version": version, "text": text} for version, text in sorted((guidelines or {}).items())]
    content = {"format": "diptych.v1", "scheme": scheme.to_json(), "guidelines": versions}
    about.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    card = writable(out, "README.md")
    card.write_text(front_matter(out, out.name) + f"\n# {out.name}\n", encoding="utf-8")
    return [*writer.paths, about, card]


class _Writer:
    """Open Parquet files, one per configuration and split; rows are buffered until they fill a row group."""

    def __init__(self, out: Path, scheme: Scheme) -> None:
        self.out = out
        self.scheme = scheme
        self.schemas = {config: arrow_schema(columns) for config, columns in features(scheme).items()}
        self.graded = supports_scheme(scheme)
        self.paths: list[Path] = []
        self.files: dict[tuple[str, str], Any] = {}
        self.splits: dict[str, str] = {}
        self.buffered: dict[tuple[str, str], list[dict[str, Any]]] = {}

    def add(self, position: int, record: PairRecord) -> None:
        # Spellings of a split that a file system may not distinguish share a file; `pair_split` keeps them apart.
        name = split_name(record.split)
        split = self.splits.setdefault(fold_case(name), name)
        row = common_columns(position, record)
        annotations = [_annotation(item, self.scheme) for item in record.annotations if item.verdict]
        self._row(("annotations", split), {**row, "annotations": annotations})
        if record.gold is not None:
            spans = [gold_row(span, record, self.scheme) for span in record.gold]
            decided = {"spans": spans, "answers": answer_rows(record.gold_answers)}
            self._row(("gold", split), {**row, **decided, **token_labels(record, self.scheme)})
            if self.graded:
                self._row(("tokens", split), graded_row(record, self.scheme))

    def _row(self, split_file: tuple[str, str], row: dict[str, Any]) -> None:
        self.buffered.setdefault(split_file, []).append(row)
        if len(self.buffered[split_file]) >= ROWS:
            self._flush(split_file)

    def _flush(self, split_file: tuple[str, str]) -> None:
        import pyarrow.parquet as parquet

        config, split = split_file
        schema = self.schemas[config]
        if split_file not in self.files:
            path = writable(self.out, config, f"{split}-00000-of-00001.parquet")
            self.files[split_file] = parquet.ParquetWriter(path, schema)
            self.paths.append(path)
        self.files[split_file].write_table(arrow_table(self.buffered[split_file], schema))
        self.buffered[split_file] = []

    def close(self) -> None:
        for split_file in list(self.buffered):
            if self.buffered[split_file]:
                self._flush(split_file)
        for file in self.files.values():
            file.close()


def _annotation(item: AnnotationRecord, scheme: Scheme) -> dict[str, Any]:
    fields = annotation_json(item)
    return {
        "annotator": item.annotator,
        "phase": item.phase,
        "round": item.round,
        "guideline": item.guideline or 0,
        "verdict": Verdict.values.index(item.verdict) - 1,
        "reason": item.reason,
        "comment": item.comment,
        "active_seconds": item.active_seconds,
        "revision": item.revision,
        "highlights": item.highlights,
        "answers": answer_rows(fields.get("answers", {})),
        "spans": [span_row(span, scheme) for span in item.spans],
    }
