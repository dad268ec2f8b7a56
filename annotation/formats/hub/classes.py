"""The names of the classes that a dataset's Parquet files store as numbers, as the files themselves give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation import strict_json
from annotation.formats.hub.columns import label_names
from annotation.formats.source import refusal
from annotation.phrases import Phrase
from annotation.strict_json import JSONError, display_text
from annotation.text.schemes import SIDES, Scheme
from annotation.vocabulary import FINAL_VERDICTS

METADATA_KEY = b"huggingface"
"""Under which `datasets` keeps the types of columns in the metadata of a Parquet file."""


@dataclass(frozen=True, slots=True)
class Classes:
    """The names of labels, sides and verdicts, in the order of their numbers."""

    labels: Sequence[str]
    sides: Sequence[str]
    verdicts: Sequence[str]


def classes(path: Path, name: str, config: str, scheme: Scheme) -> Classes:
    """The classes of a Parquet file called `name` in messages; those that it does not name are in our own order.

    Raises FormatError for a label that the scheme lacks, or another side or verdict.
    """
    columns = _columns(path, name)
    fields = columns if config == "gold" else _item(columns.get("annotations"))
    span = _item(fields.get("spans"))
    part = _item(span.get("fragments"))
    return Classes(
        _names(span, "label", label_names(scheme), name),
        _names(part, "side", SIDES, name),
        _names(fields, "verdict", FINAL_VERDICTS, name),
    )


def _columns(path: Path, name: str) -> Mapping[str, Any]:
    """The types of the columns; empty if the file says nothing of them."""
    import pyarrow
    import pyarrow.parquet

    try:
        info = (pyarrow.parquet.read_schema(path).metadata or {}).get(METADATA_KEY)
    except (pyarrow.ArrowException, OSError, ValueError):
        return {}  # whoever reads its rows says what is wrong with the file
    try:
        return {} if info is None else _object(_object(strict_json.loads(info.decode()), "info"), "features")
    except (UnicodeDecodeError, JSONError) as error:
        raise refusal(name, Phrase("its column types (the metadata 'huggingface') can't be read")) from error


def _object(value: Any, key: str) -> Mapping[str, Any]:
    inner = value.get(key) if isinstance(value, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}


def _item(feature: Any) -> Mapping[str, Any]:
    """What a list consists of, however the version of `datasets` wrote it; empty if it is none."""
    if isinstance(feature, list) and feature:
        return feature[0] if isinstance(feature[0], Mapping) else {}
    return _object(feature, "feature")


def _names(of: Mapping[str, Any], key: str, ours: Sequence[str], name: str) -> Sequence[str]:
    names = _object(of, key).get("names")
    if not isinstance(names, list):
        return ours
    if unknown := [each for each in names if each not in ours]:
        raise refusal(
            name,
            Phrase(
                "the file refers to the %(key)s %(unknown)s, but the dataset (diptych.json) has only %(names)s",
                {
                    "key": key,
                    "unknown": ", ".join(f"'{display_text(each)}'" for each in unknown),
                    "names": ", ".join(ours),
                },
            ),
        )
    return names
