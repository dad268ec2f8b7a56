"""Rows of Parquet files, checked before they are converted; an unreadable file is refused."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.formats.interruption import check_interruption
from annotation.formats.source import refusal
from annotation.phrases import Phrase
from annotation.strict_json import display_text
from annotation.text.limits import (
    ALWAYS_UNPACKED,
    MAX_COLUMNS,
    MAX_COMPRESSION_RATIO,
    MAX_ROWS,
    MAX_UPLOAD_BYTES,
    MAX_VALUES,
    MEGABYTE,
)

BATCH = 500
MAGIC = b"PAR1"
"""The first and last bytes of a Parquet file."""
MAX_BATCH_BYTES = 256 * MEGABYTE
_OFFSET = 4
_LIMITS = f"{MAX_ROWS} rows and {MAX_UPLOAD_BYTES // MEGABYTE} MB"


@dataclass(slots=True)
class UnpackedSize:
    """The total size of the rows of all Parquet files of an import, which stay in memory once read."""

    bytes: int = 0


def rows(
    path: Path, name: str, columns: Sequence[str] | None = None, unpacked: UnpackedSize | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """('file: row', values by column) of a file called `name` in messages; only `columns`, if given.

    What is read is added to `unpacked`. Raises FormatError for a file that is not Parquet, lacks all columns, holds
    values that Python can't represent, or unpacks to too much.
    """
    import pyarrow
    import pyarrow.parquet

    # A damaged file fails in the reader, in the check of its values, or in their conversion (dates out of range).
    # Without pytz an unknown time zone is a ValueError, with it a KeyError.
    broken = (pyarrow.ArrowException, OSError, OverflowError, ValueError, KeyError)
    unpacked = unpacked or UnpackedSize()
    number = 0
    own = 0
    try:
        opened = path.open("rb")
    except OSError as error:
        raise refusal(name, Phrase("cannot be read: %(strerror)s", {"strerror": str(error.strerror)})) from error
    with opened as file:
        try:
            source = pyarrow.parquet.ParquetFile(file)
            names = source.schema_arrow.names
            packed = path.stat().st_size
            problem = _too_large(source.metadata, packed)
            size = _batch_size(source.metadata)
            twice = sorted({column for column in names if names.count(column) > 1})
            batches = source.iter_batches(
                size, columns=None if columns is None else [column for column in columns if column in names]
            )
        except broken as error:
            raise refusal(
                name,
                Phrase("not a readable Parquet file: %(unreadable_file)s", {"unreadable_file": _unreadable_file(path)}),
            ) from error
        if problem:
            raise refusal(name, problem)
        if twice:
            raise refusal(name, Phrase("the column '%(twice)s' appears twice", {"twice": str(twice[0])}))
        while True:
            try:
                batch = next(batches, None)
                if batch is None:
                    return
                batch.validate(full=True)
                size = sum(map(_unpacked_bytes, batch.columns))
                own += size
                unpacked.bytes += size
                too_much = _too_much(own, packed, unpacked.bytes, number + batch.num_rows)
                values = [] if too_much else batch.to_pylist()
            except broken as error:
                reason = _unreadable_values(error)
                raise refusal(f"{name}: rows from {number + 1}", reason) from error
            if too_much:
                raise refusal(f"{name}: rows from {number + 1}", too_much)
            for row in values:
                check_interruption()
                number += 1
                yield f"{name}: row {number}", row


def _too_much(own: int, packed: int, together: int, number: int) -> Phrase | None:
    """Why no more is read of a file of `packed` bytes; '' if more may be read.

    `own`: bytes of its rows so far, `number` of them; `together`: bytes of the rows of all files.
    """
    if number > MAX_ROWS:
        return Phrase("a Parquet file may unpack to at most %(most)s", {"most": str(_LIMITS)})
    if own > max(ALWAYS_UNPACKED, MAX_COMPRESSION_RATIO * packed):
        least = ALWAYS_UNPACKED // MEGABYTE
        return Phrase(
            "the file unpacks to more than %(largest_ratio)s times its size, and more than %(least)s MB",
            {"largest_ratio": str(MAX_COMPRESSION_RATIO), "least": str(least)},
        )
    if together > MAX_UPLOAD_BYTES:
        return Phrase(
            "the Parquet files of an import may together unpack to at most %(largest_upload)s MB",
            {"largest_upload": str(MAX_UPLOAD_BYTES // MEGABYTE)},
        )
    return None


def _unpacked_bytes(array: Any) -> int:
    """Bytes of an array's values, each counted as often as it appears: in Python none of them is shared.

    A dictionary-encoded value is stored once in the file, and in the array too if its type says so.
    """
    import pyarrow
    import pyarrow.compute

    if isinstance(array, pyarrow.ExtensionArray):
        return _unpacked_bytes(array.storage)
    if isinstance(array, pyarrow.StructArray):
        return sum(map(_unpacked_bytes, array.flatten()))
    if isinstance(array, pyarrow.lib.BaseListArray):
        return _OFFSET * len(array) + _unpacked_bytes(array.flatten())
    if not isinstance(array, pyarrow.DictionaryArray):
        return int(array.nbytes)
    # Only texts and bytes are read as dictionaries, whatever the types in the file.
    sizes = pyarrow.compute.binary_length(array.dictionary)
    return int(array.indices.nbytes + (pyarrow.compute.sum(sizes.take(array.indices)).as_py() or 0))


def _too_large(metadata: Any, size: int) -> Phrase | None:
    """Why a file of `size` bytes is not read, according to its metadata; '' if it may be read.

    Metadata may be wrong: what reading really takes is limited in `parquet_check`.
    """
    if metadata.num_columns > MAX_COLUMNS:
        return Phrase(
            "%(num_columns)s columns; a table can have at most %(most_columns)s",
            {"num_columns": str(metadata.num_columns), "most_columns": str(MAX_COLUMNS)},
        )
    if metadata.num_rows > MAX_ROWS:
        return Phrase(
            "%(num_rows)s rows; a Parquet file may unpack to at most %(most)s",
            {"num_rows": str(metadata.num_rows), "most": str(_LIMITS)},
        )
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    chunks = [group.column(position) for group in groups for position in range(group.num_columns)]
    unpacked = sum(chunk.total_uncompressed_size for chunk in chunks)
    if unpacked > MAX_UPLOAD_BYTES:
        return Phrase(
            "%(unpacked)s MB unpacked; a Parquet file may unpack to at most %(most)s",
            {"unpacked": str(unpacked // MEGABYTE), "most": str(_LIMITS)},
        )
    if unpacked > MEGABYTE + MAX_COMPRESSION_RATIO * size:
        return Phrase(
            "it unpacks to more than %(largest_ratio)s times its size", {"largest_ratio": str(MAX_COMPRESSION_RATIO)}
        )
    for chunk in chunks:
        # Equal values take up hardly any space, even unpacked, so the values themselves are counted.
        if chunk.num_values > min(MAX_VALUES, MEGABYTE + MAX_COMPRESSION_RATIO * chunk.total_compressed_size):
            return Phrase(
                "column '%(path_in_schema)s': %(num_values)s values are too many for its size",
                {"path_in_schema": display_text(chunk.path_in_schema), "num_values": str(chunk.num_values)},
            )
    return None


def _batch_size(metadata: Any) -> int:
    """How many rows to read at once: few enough to fit into memory even if every row had the file's largest value."""
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    sizes = (
        group.column(position).total_uncompressed_size for group in groups for position in range(group.num_columns)
    )
    largest = max(sizes, default=0)
    return max(1, min(BATCH, MAX_BATCH_BYTES // max(largest, 1)))


def _unreadable_file(path: Path) -> Phrase:
    """The reason in our words: the library's messages are about its internals."""
    with path.open("rb") as file:
        begins = file.read(len(MAGIC)) == MAGIC
        ends = path.stat().st_size >= 2 * len(MAGIC) and file.seek(-len(MAGIC), os.SEEK_END) and file.read() == MAGIC
    if begins and ends:
        return Phrase("it is damaged; download or export it again")
    if begins:
        return Phrase("its end is missing; download or export it again")
    return Phrase("it does not begin with %(decode)s; it may be of another format", {"decode": str(MAGIC.decode())})


def _unreadable_values(error: Exception) -> Phrase:
    """The reason in our words. Python's dates and times have a range; the library can't read every type of value."""
    if isinstance(error, OverflowError):
        return Phrase("values that cannot be read: a date or time is out of range")
    return Phrase("values that cannot be read: the file is damaged, or they are of a kind that is not supported")
