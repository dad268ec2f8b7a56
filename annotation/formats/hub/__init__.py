"""A Hugging Face dataset folder: Parquet in configurations, a card with valid metadata, and our scheme.

`gold`: the pairs that have gold, its spans, and the label of every token. `annotations`: every pair with the
annotations of every annotator. `tokens`, for graded schemes: the gold as SwissGov-RSD releases it.
`datasets.load_dataset(folder, "gold")` opens it without a network.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats import parquet_check
from annotation.formats.base import FORMATS, Dataset, Format, Option
from annotation.formats.field_types import FieldError, class_name, integer, mapping, mappings, parse_json_cell, string
from annotation.formats.fields import annotation_json, pair_record
from annotation.formats.graded_tokens import supports_scheme
from annotation.formats.hub.card import CONFIGS, front_matter
from annotation.formats.hub.classes import Classes, classes
from annotation.formats.hub.columns import (
    COLUMNS,
    answer_rows,
    arrow_schema,
    arrow_table,
    common_columns,
    features,
    gold_row,
    graded_row,
    span_row,
    text_hash,
    token_labels,
)
from annotation.formats.hub.foreign import read_foreign
from annotation.formats.parquet import UnpackedSize, rows
from annotation.formats.record import AnnotationRecord, PairRecord, ParsedSource
from annotation.formats.safe_paths import fold_case, writable
from annotation.formats.source import Refusals, display_name, read_json, refusal, with_ending
from annotation.phrases import Phrase, field_problem
from annotation.strict_json import control_character_problem, kind
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import SIDES, Scheme, SchemeError
from annotation.vocabulary import Verdict

OPTIONS = {
    "language_a": Option("language of side A, if the dataset was not exported by Diptych and has no such column"),
    "language_b": Option("language of side B, if there is no such column"),
    "split": Option("the only split to read of a dataset not exported by Diptych"),
}
METADATA_FILE = "diptych.json"
ENDING = ".parquet"
FILES = re.compile(rf"(?:{'|'.join(CONFIGS)})/[^/]+\.parquet|(?:diptych|agreement)\.json|README\.md|recompute\.py")
"""What is in the folder of a published dataset, including what publishing adds. Imports read any Parquet file there."""
DEFAULT_SPLIT = "train"
ALL_SPLITS = "all"
"""Stands for all splits together, so `datasets` refuses to load a split of this name, however it is capitalised."""
# Columns of an annotation that are read otherwise, or that an import computes itself.
_IGNORED_FIELDS = ("spans", "answers", "verdict", "revision", "highlights")
ROWS = 500


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read a folder written by `write`, or Parquet files, or a folder of them, with the columns of our tables.

    Raises FormatError with every row that is refused.
    """
    if paths and all(path.is_file() and path.suffix.lower() == ENDING for path in paths):
        return read_foreign(paths, options)
    if len(paths) != 1 or not paths[0].is_dir():
        reason = Phrase("one dataset folder (or a zip of it) is expected, or Parquet files")
        raise refusal(", ".join(map(display_name, paths)), reason)
    if not (paths[0] / METADATA_FILE).is_file():
        return read_foreign(with_ending(paths[0], ENDING, below=True), options, display_name(paths[0]))
    scheme, guidelines = _read_metadata(paths[0] / METADATA_FILE)
    parquet_check.check([path for config in COLUMNS for path in _files(paths[0], config)])
    refusals = Refusals()
    unpacked = UnpackedSize()
    gold = _gold(paths[0], scheme, refusals, unpacked)
    found: list[tuple[int, PairRecord]] = []
    for where, row, named in _rows(paths[0], "annotations", scheme, unpacked):
        refusals.count_row(where)
        try:
            own = gold.pop(string(row, "id", needed=True), None)
            record = pair_record(_pair(row, own, named), where)
            _check_texts(row, record)
            found.append((integer(row, "position", needed=True), record))
        except FieldError as error:
            refusals.add(where, error.phrase)
    if not refusals.found:  # otherwise the pair of a gold row may be among the refused ones
        for where, _ in gold.values():
            refusals.add(where, Phrase("gold of a pair that the configuration 'annotations' does not have"))
    refusals.raise_any([record for _, record in found])
    found.sort(key=lambda item: item[0])
    return ParsedSource([record for _, record in found], scheme, guidelines=guidelines)


def _read_metadata(path: Path) -> tuple[Scheme, dict[int, str]]:
    """The scheme, and the guidelines by version, from the file next to the data. Raises FormatError."""
    about = read_json(path)
    try:
        if not isinstance(about, Mapping):
            raise FieldError(Phrase("an object is expected, not %(kind)s", {"kind": kind(about)}))
        scheme = parse_scheme(mapping(about, "scheme"))
        guidelines: dict[int, str] = {}
        for index, item in enumerate(mappings(about, "guidelines")):
            prefix = f"guidelines[{index}]."
            version = integer(item, "version", prefix, needed=True)
            if version in guidelines:
                raise FieldError(
                    Phrase(
                        "%(prefix)sversion: %(version)s appears twice", {"prefix": str(prefix), "version": str(version)}
                    )
                )
            guidelines[version] = string(item, "text", prefix, needed=True, empty=True)
            if problem := control_character_problem(guidelines[version]):
                raise FieldError(field_problem(f"{prefix}text", problem))
    except (SchemeError, FieldError) as error:
        raise refusal(
            path.name,
            Phrase("not a dataset description: %(reason)s", {"reason": error.phrase}),
        ) from error
    return scheme, guidelines


def _gold(
    folder: Path, scheme: Scheme, refusals: Refusals, unpacked: UnpackedSize
) -> dict[str, tuple[str, dict[str, Any]]]:
    """By pair id: where its row of `gold` is, and its content as in a `jsonl` object."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for where, row, named in _rows(folder, "gold", scheme, unpacked):
        try:
            identity = string(row, "id", needed=True)
            if identity in found:
                raise FieldError(
                    Phrase(
                        "id: '%(identity)s' appears twice; first in %(found)s",
                        {"identity": str(identity), "found": str(found[identity][0])},
                    )
                )
            given = {"spans": _spans(row, "", named), "answers": _answers(row, "")}
            found[identity] = where, given
        except FieldError as error:
            refusals.add(where, Phrase("gold: %(reason)s", {"reason": error.phrase}))
    return found


def _rows(
    folder: Path, config: str, scheme: Scheme, unpacked: UnpackedSize
) -> Iterator[tuple[str, dict[str, Any], Classes]]:
    """('file: row', row, the file's classes) of a configuration's Parquet files."""
    for path in _files(folder, config):
        name = f"{config}/{path.name}"
        named = classes(path, name, config, scheme)
        for where, row in rows(path, name, COLUMNS[config], unpacked):
            yield where, row, named


def _check_texts(row: Mapping[str, Any], record: PairRecord) -> None:
    """Raises FieldError for a text that is not the one whose hash is next to it; older datasets have no hashes."""
    for side in SIDES:
        text = record.a if side == "a" else record.b
        stated = string(row, f"sha256_{side}")
        if stated and stated.lower() != text_hash(text.text):
            raise FieldError(
                Phrase(
                    "text_%(side)s of pair '%(identity)s' does not match its sha256_%(side)s: "
                    "one of them has been changed",
                    {"side": side, "identity": record.id},
                )
            )


def _files(folder: Path, config: str) -> list[Path]:
    return with_ending(folder / config, ENDING)


def _pair(row: Mapping[str, Any], gold: tuple[str, dict[str, Any]] | None, named: Classes) -> dict[str, Any]:
    """A row of `annotations` with its pair's gold, as a `jsonl` object. Raises FieldError."""
    pair: dict[str, Any] = {"id": row.get("id"), "mirror": row.get("mirror"), "split": row.get("pair_split")}
    for side in SIDES:
        tokens = [[token.get("start"), token.get("end")] for token in mappings(row, f"tokens_{side}")]
        pair[side] = {"language": row.get(f"language_{side}"), "text": row.get(f"text_{side}"), "tokens": tokens}
        # Older datasets, from before there were translations, lack these columns.
        pair[f"translations_{side}"] = row.get(f"translations_{side}")
    if row.get("statement_language"):
        pair["statement"] = {"language": row["statement_language"], "text": row.get("statement")}
    pair["metadata"] = parse_json_cell(string(row, "metadata") or "{}", "metadata")
    if gold is not None:
        pair["gold"] = gold[1]
    pair["annotations"] = [
        _work(item, f"annotations[{index}].", named) for index, item in enumerate(mappings(row, "annotations"))
    ]
    return pair


def _work(item: Mapping[str, Any], prefix: str, named: Classes) -> dict[str, Any]:
    """One annotator's work as in a `jsonl` object. Raises FieldError."""
    return {
        **{key: value for key, value in item.items() if key not in _IGNORED_FIELDS},
        "verdict": class_name(item, "verdict", prefix, named.verdicts),
        "answers": _answers(item, prefix),
        "spans": _spans(item, prefix, named),
    }


def _answers(data: Mapping[str, Any], prefix: str) -> dict[str, str]:
    """Answers by question; none if the column is missing: older datasets don't have it."""
    return {
        string(answer, "question", f"{prefix}answers[{index}].", needed=True): string(
            answer, "answer", f"{prefix}answers[{index}].", needed=True
        )
        for index, answer in enumerate(mappings(data, "answers", prefix))
    }


def _spans(data: Mapping[str, Any], prefix: str, named: Classes) -> list[dict[str, Any]]:
    """Spans with the names of their labels and sides. Raises FieldError."""
    found = []
    for index, span in enumerate(mappings(data, "spans", prefix)):
        inside = f"{prefix}spans[{index}]."
        fragments = [
            {**part, "side": class_name(part, "side", f"{inside}fragments[{number}].", named.sides)}
            for number, part in enumerate(mappings(span, "fragments", inside))
        ]
        found.append({**span, "label": class_name(span, "label", inside, named.labels), "fragments": fragments})
    return found


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
        self.held: dict[tuple[str, str], list[dict[str, Any]]] = {}

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
        self.held.setdefault(split_file, []).append(row)
        if len(self.held[split_file]) >= ROWS:
            self._flush(split_file)

    def _flush(self, split_file: tuple[str, str]) -> None:
        import pyarrow.parquet as parquet

        config, split = split_file
        schema = self.schemas[config]
        if split_file not in self.files:
            path = writable(self.out, config, f"{split}-00000-of-00001.parquet")
            self.files[split_file] = parquet.ParquetWriter(path, schema)
            self.paths.append(path)
        self.files[split_file].write_table(arrow_table(self.held[split_file], schema))
        self.held[split_file] = []

    def close(self) -> None:
        for split_file in list(self.held):
            if self.held[split_file]:
                self._flush(split_file)
        for file in self.files.values():
            file.close()


def _annotation(item: AnnotationRecord, scheme: Scheme) -> dict[str, Any]:
    given = annotation_json(item)
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
        "answers": answer_rows(given.get("answers", {})),
        "spans": [span_row(span, scheme) for span in item.spans],
    }


def split_name(split: str) -> str:
    """A split's name as datasets allow it; pairs without one are 'train', the loader's own default."""
    name = re.sub(r"\W+", "_", split)[:60] or DEFAULT_SPLIT
    return f"{name}_" if name.lower() == ALL_SPLITS else name


FORMAT = FORMATS.register(
    Format(
        "hub",
        "a Hugging Face dataset folder, or Parquet files",
        read,
        write,
        OPTIONS,
        extensions=(ENDING,),
        exports="Hugging Face dataset: gold and annotations, with a card",
        marker=METADATA_FILE,
        files=FILES,
        dataset=Dataset(write_folder, front_matter),
    )
)
