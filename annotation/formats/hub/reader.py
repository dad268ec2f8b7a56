"""Reads dataset folders, and by way of `foreign` those from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats import parquet_check
from annotation.formats.field_types import FieldError, class_name, integer, mapping, mappings, parse_json_cell, string
from annotation.formats.fields import pair_record
from annotation.formats.hub.classes import Classes, classes
from annotation.formats.hub.columns import COLUMNS, text_hash
from annotation.formats.hub.foreign import read_foreign
from annotation.formats.hub.layout import ENDING, METADATA_FILE
from annotation.formats.parquet import UnpackedSize, rows
from annotation.formats.record import PairRecord, ParsedSource
from annotation.formats.source import Refusals, display_name, read_json, refusal, with_ending
from annotation.phrases import Phrase, field_problem
from annotation.strict_json import control_character_problem, kind
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import SIDES, Scheme, SchemeError

# Columns of an annotation that are read otherwise, or that an import computes itself.
_IGNORED_FIELDS = ("spans", "answers", "verdict", "revision", "highlights")


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
    records: list[tuple[int, PairRecord]] = []
    for where, row, named in _rows(paths[0], "annotations", scheme, unpacked):
        refusals.count_row(where)
        try:
            own = gold.pop(string(row, "id", needed=True), None)
            record = pair_record(_pair(row, own, named), where)
            _check_texts(row, record)
            records.append((integer(row, "position", needed=True), record))
        except FieldError as error:
            refusals.add(where, error.phrase)
    if not refusals.rejections:  # otherwise the pair of a gold row may be among the refused ones
        for where, _ in gold.values():
            refusals.add(where, Phrase("gold of a pair that the configuration 'annotations' does not have"))
    refusals.raise_any([record for _, record in records])
    records.sort(key=lambda item: item[0])
    return ParsedSource([record for _, record in records], scheme, guidelines=guidelines)


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
    golds: dict[str, tuple[str, dict[str, Any]]] = {}
    for where, row, named in _rows(folder, "gold", scheme, unpacked):
        try:
            identity = string(row, "id", needed=True)
            if identity in golds:
                raise FieldError(
                    Phrase(
                        "id: '%(identity)s' appears twice; first in %(found)s",
                        {"identity": str(identity), "found": str(golds[identity][0])},
                    )
                )
            gold = {"spans": _spans(row, "", named), "answers": _answers(row, "")}
            golds[identity] = where, gold
        except FieldError as error:
            refusals.add(where, Phrase("gold: %(reason)s", {"reason": error.phrase}))
    return golds


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
        _annotation(item, f"annotations[{index}].", named) for index, item in enumerate(mappings(row, "annotations"))
    ]
    return pair


def _annotation(item: Mapping[str, Any], prefix: str, named: Classes) -> dict[str, Any]:
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
    spans = []
    for index, span in enumerate(mappings(data, "spans", prefix)):
        inside = f"{prefix}spans[{index}]."
        fragments = [
            {**part, "side": class_name(part, "side", f"{inside}fragments[{number}].", named.sides)}
            for number, part in enumerate(mappings(span, "fragments", inside))
        ]
        spans.append({**span, "label": class_name(span, "label", inside, named.labels), "fragments": fragments})
    return spans
