"""Changes that make a valid source a hostile one: of its bytes, of its files, and of the values in it."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

RAW = (
    *("1e999", "-1e999", "NaN", "Infinity", "9" * 5000, "-" + "9" * 5000, "9" * 20, "[" * 100_000, '{"a":' * 100_000),
    *("[" * 90 + "]" * 90, '"\\ud800"', '"\\udfff x"', '"\\u0000"', '{"a": 1, "a": 2}', '{"\\ud800": 1}', "1.0", "-0"),
)
PLAIN: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**31 - 1, 10**18, 0.5, -0.0, 1e308, "", " ", "x", "\n", "\r", "a b", "🧾"),
    *("../../x", "/etc/x", "x" * 400, "٣", "²", "\u2028", "\ufeff", "e\u0301", [], {}, [[]], [None], {"": 0}, ["x"]),
    *({"a": "x"}, {"a": {"1": [0, 0]}}, [0, 1], [5, 2], [[0, 1]], "de-CH", "dev", "1", "same"),
)
BYTES = (
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\0",
    b"\r",
    b"\n",
    b'"',
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"\xed\xa0\x80",
)
HINTS = ("positions", "scored", "unscored", "indices", "translation_names", "chunk_id", "document", "page_a", "pageid")
NAMES = (*HINTS, "text_a", "labels_a", "id", "split", "tokens", "language_a", "pair_type", "spans", "label")
MARK = "@raw@"


def mutate(source: Path, chance: random.Random) -> None:
    """Change one to three things in a file or folder, in place."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        files = sorted(path for path in ([source] if source.is_file() else source.rglob("*")) if path.is_file())
        if not files:
            return
        path = chance.choice(files)
        change: Callable[[Path, random.Random], None] = {
            ".json": _json,
            ".jsonl": _jsonl,
            ".csv": _csv,
            ".parquet": _parquet,
        }.get(path.suffix, _bytes)
        kind = chance.random()
        if kind < 0.04 and source.is_dir():
            _files(path, files, chance)
        elif kind < 0.3:
            _bytes(path, chance)
        else:
            change(path, chance)


def _files(path: Path, files: list[Path], chance: random.Random) -> None:
    kind = chance.randrange(5)
    if kind == 0:
        path.unlink()
    elif kind == 1:
        path.write_bytes(b"")
    elif kind == 2:
        path.write_bytes(chance.choice(files).read_bytes())
    elif kind == 3:
        path.unlink()
        path.mkdir()
    else:
        path.rename(path.with_name(chance.choice(("x", "x.json", "dev.jsonl", "train-00000.parquet", "a b.txt"))))


def _bytes(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 1, 2, 8))):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(6)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[at:at] = chance.choice(BYTES)
        elif kind == 2:
            del data[at : at + chance.choice((1, 4, 64, 4096))]
        elif kind == 3:
            data[at:at] = data[max(0, at - chance.choice((1, 16, 256))) : at]
        elif kind == 4 and at < len(data):
            data[at] = chance.randrange(256)
        elif chance.random() < 0.2:
            del data[at:]
    path.write_bytes(bytes(data))


def _json(path: Path, chance: random.Random) -> None:
    path.write_bytes(_changed_json(path.read_bytes(), chance))


def _jsonl(path: Path, chance: random.Random) -> None:
    lines = path.read_bytes().split(b"\n")
    at = chance.randrange(len(lines))
    lines[at] = _changed_json(lines[at], chance)
    if chance.random() < 0.05:
        lines.append(chance.choice(lines))
    path.write_bytes(b"\n".join(lines))


def _csv(path: Path, chance: random.Random) -> None:
    try:
        rows = list(csv.reader(io.StringIO(path.read_text("utf-8"), newline="")))
    except (csv.Error, UnicodeDecodeError):
        return _bytes(path, chance)
    row = chance.choice(rows or [[]])
    if not row:
        return None
    at = chance.randrange(len(row))
    kind = chance.random()
    if kind < 0.6 and row[at][:1] in ("[", "{"):
        row[at] = _changed_json(row[at].encode(), chance).decode("utf-8", "replace")
    elif kind < 0.9:
        value = chance.choice((*RAW, *PLAIN))
        row[at] = value if isinstance(value, str) else json.dumps(value)
    else:
        del row[at]
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    path.write_text(out.getvalue(), "utf-8", "surrogatepass", newline="")
    return None


def _parquet(path: Path, chance: random.Random) -> None:
    import pyarrow
    import pyarrow.parquet as parquet

    data = path.read_bytes()
    try:
        table = parquet.read_table(path)
        rows = table.to_pylist()
        kind = chance.random()
        if kind < 0.25:
            column = chance.choice(table.column_names)
            other = chance.choice(("x", "id", "metadata", *table.column_names))
            table = table.drop_columns([column]) if kind < 0.12 else table.rename_columns({column: other})
        elif kind < 0.45:
            for row in rows:
                column = chance.choice(list(row))
                row[column] = None
            table = pyarrow.Table.from_pylist(rows, schema=table.schema)
        else:
            for row in rows:
                _replace(row, chance, raw=False)
                if isinstance(row.get("metadata"), str) and chance.random() < 0.3:
                    row["metadata"] = chance.choice((*RAW, json.dumps(chance.choice(PLAIN))))
            schema = table.schema if chance.random() < 0.6 else None
            table = pyarrow.Table.from_pylist(rows, schema=schema)
        parquet.write_table(table, path)
    except (pyarrow.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, AttributeError):
        # These values make no table, or an earlier change broke the file; a failed write removes it.
        path.write_bytes(data)
        _bytes(path, chance)


def _changed_json(data: bytes, chance: random.Random) -> bytes:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return data
    holder = [value]
    raw = _replace(holder, chance, raw=True)
    text = "" if not holder else json.dumps(holder[0], ensure_ascii=chance.random() < 0.3)
    return text.replace(f'"{MARK}"', raw).encode("utf-8", "surrogatepass")


def _replace(value: Any, chance: random.Random, *, raw: bool) -> str:
    """Change one value somewhere inside; what JSON cannot hold is marked, and returned as text."""
    while True:
        keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return ""
        key = chance.choice(keys)
        inside = value[key]
        if isinstance(inside, dict | list) and inside and chance.random() < 0.85:
            value = inside
            continue
        kind = chance.random()
        if kind < 0.1:
            del value[key]
        elif kind < 0.2 and isinstance(value, dict):
            value[chance.choice(NAMES)] = chance.choice((*PLAIN, inside))
        elif kind < 0.3 and isinstance(value, list):
            value.append(chance.choice((inside, *PLAIN)))
        elif kind < 0.5 and raw:
            value[key] = MARK
            return chance.choice(RAW)
        elif kind < 0.6 and isinstance(inside, str) and inside:
            at = chance.randrange(len(inside))
            value[key] = inside[:at] + str(chance.choice(PLAIN)) + inside[at:]
        elif kind < 0.7 and type(inside) is int:
            value[key] = inside + chance.choice((-1, 1, 1000, -1000))
        else:
            value[key] = chance.choice(PLAIN)
        return ""
