"""The files of the two evaluations, read and checked: comma- or tab-separated values with a header, in UTF-8."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args

from annotation.phrases import Phrase, PhraseError
from annotation.strict_json import display_text, encoding_problem
from annotation.text.limits import MAX_COLUMNS, MAX_WHOLE_FILE_BYTES, MEGABYTE

Operator = Literal["overlap", "difference", "union"]
OPERATORS: tuple[Operator, ...] = get_args(Operator)
MAX_CELL_LENGTH = 10_000
"""The longest cell that is read, in characters: these are sentences."""
_DISTRACTOR = re.compile(r"TargetAdv([1-9][0-9]?)")


class TableError(PhraseError):
    """A file that cannot be used; the phrase says what is wrong, where, and what is expected."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What is ranked for one source sentence: its translation, and distractors that look like it."""

    source: str
    target: str
    distractors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClsdRow:
    """A row of cross-lingual semantic discrimination.

    ``pivot`` holds the same sentences translated into a third language, if the file has them; ``parts_of_speech`` has
    one entry per distractor: that of the word it changes, '' if none is given. ``line`` is the row's line in the file.
    """

    line: int
    direct: Ranked
    pivot: Ranked | None
    parts_of_speech: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of set-theoretic compositionality: what ``operator`` makes of A and B (of A less B) is ``target``."""

    a: str
    b: str
    target: str
    operator: Operator


def read_clsd(path: Path) -> list[ClsdRow]:
    """The rows of a file; see `parse_clsd`."""
    return parse_clsd(read_text(path), path.name)


def read_samples(path: Path) -> list[Sample]:
    """The samples of a file; see `parse_samples`."""
    return parse_samples(read_text(path), path.name)


def read_text(path: Path) -> str:
    """The text of a file. TableError if it cannot be read or stored, or is too large."""
    if path.is_dir():
        raise TableError(Phrase("%(file)s is a folder; one table is expected", {"file": path.name}))
    try:
        if path.stat().st_size > MAX_WHOLE_FILE_BYTES:
            params = {"file": path.name, "most": str(MAX_WHOLE_FILE_BYTES // MEGABYTE)}
            raise TableError(Phrase("%(file)s is larger than %(most)s MB", params))
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise TableError(
            Phrase("%(file)s cannot be read: %(reason)s", {"file": path.name, "reason": str(error.strerror)})
        ) from error
    except UnicodeDecodeError as error:
        params = {"file": path.name, "byte": str(error.start + 1)}
        raise TableError(Phrase("%(file)s is not UTF-8 text (byte %(byte)s)", params)) from error
    check_storable(text, path.name)
    return text


def check_storable(text: str, name: str) -> None:
    """Raises TableError, naming the line, for characters that no database stores."""
    if encoding_problem(text):
        for number, line in enumerate(text.split("\n"), 1):
            if reason := encoding_problem(line):
                raise _fault(name, number, reason)


def parse_clsd(text: str, name: str) -> list[ClsdRow]:
    """The rows of a table with the columns ``Source, Target, TargetAdv1, TargetAdv2 …``; messages call it ``name``.

    Optional columns: ``SourcePivot, TargetPivot, TargetAdv1Pivot …`` (all of them or none) and ``POS1, POS2 …``.
    TableError if a column or cell is missing.
    """
    table = _Table(text, name)
    numbers = sorted(int(match[1]) for name in table.columns if (match := _DISTRACTOR.fullmatch(name)))
    table.require("Source", "Target", *([] if numbers else ["TargetAdv1"]))
    distractors = [f"TargetAdv{number}" for number in numbers]
    pivot = [f"{name}Pivot" for name in ("Source", "Target", *distractors)]
    has_pivot = any(name in table.columns for name in pivot)
    if has_pivot:
        table.require(*pivot)
    rows = []
    for line, cells in table.rows():
        source, target, *others = table.filled(line, cells, ["Source", "Target", *distractors])
        through = table.filled(line, cells, pivot) if has_pivot else None
        rows.append(
            ClsdRow(
                line=line,
                direct=Ranked(source, target, tuple(others)),
                pivot=Ranked(through[0], through[1], tuple(through[2:])) if through else None,
                parts_of_speech=tuple(cells.get(f"POS{number}", "").strip().upper() for number in numbers),
            )
        )
    return rows


def parse_samples(text: str, name: str) -> list[Sample]:
    """The samples of a table with the columns ``A, B, target, operator``. TableError if one is missing or unknown."""
    table = _Table(text, name)
    columns = ["A", "B", "target", "operator"]
    table.require(*columns)
    samples = []
    for line, cells in table.rows():
        a, b, target, operator = table.filled(line, cells, columns)
        if operator.lower() not in OPERATORS:
            params = {
                "file": name,
                "line": str(line),
                "operator": display_text(operator),
                "names": ", ".join(OPERATORS),
            }
            raise TableError(
                Phrase("%(file)s, line %(line)s: operator '%(operator)s' is not known; use %(names)s", params)
            )
        samples.append(Sample(a, b, target, cast(Operator, operator.lower())))
    return samples


def table_rows(text: str, name: str, columns: Sequence[str]) -> list[tuple[int, list[str]]]:
    """The line and the cells in these columns of every row. TableError if a column or a cell is missing."""
    table = _Table(text, name)
    table.require(*columns)
    return [(line, table.filled(line, cells, columns)) for line, cells in table.rows()]


class _Table:
    """A file's rows as mappings of column names to cells, with the line that each begins on."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        check_storable(text, name)
        # Not splitlines: a sentence may contain U+2028 or U+0085, which end no line of a table.
        lines = io.StringIO(text, newline="")
        self._delimiter = "\t" if "\t" in lines.readline() else ","
        lines.seek(0)
        self._reader = csv.reader(lines, delimiter=self._delimiter, strict=True)
        self.columns = [column.strip() for column in self._next() or []]
        if not self.columns:
            raise TableError(Phrase("%(file)s is empty: the first line must name the columns", {"file": self.name}))
        if len(self.columns) > MAX_COLUMNS:
            params = {"file": self.name, "n": str(len(self.columns)), "most": str(MAX_COLUMNS)}
            raise TableError(Phrase("%(file)s has %(n)s columns; at most %(most)s are read", params))
        if twice := [column for column, count in Counter(self.columns).items() if count > 1]:
            params = {"file": self.name, "column": display_text(min(twice))}
            raise TableError(Phrase("%(file)s: column '%(column)s' occurs twice", params))

    def require(self, *names: str) -> None:
        """Raises TableError if one of these columns is missing."""
        if missing := [name for name in names if name not in self.columns]:
            params = {"file": self.name, "column": missing[0], "columns": display_text(", ".join(self.columns))}
            raise TableError(Phrase("%(file)s has no column '%(column)s'; its columns are: %(columns)s", params))

    def rows(self) -> Iterator[tuple[int, Mapping[str, str]]]:
        """Every row that is not empty; TableError if there is none."""
        has_rows = False
        line = self._reader.line_num + 1
        while (cells := self._next()) is not None:
            if any(cell.strip() for cell in cells):
                if len(cells) != len(self.columns):
                    counts = {"n": str(len(cells)), "wanted": str(len(self.columns))}
                    raise self._fault(line, Phrase("%(n)s cells instead of %(wanted)s", counts))
                has_rows = True
                yield line, dict(zip(self.columns, cells, strict=True))
            line = self._reader.line_num + 1
        if not has_rows:
            raise TableError(Phrase("%(file)s has a header but no rows", {"file": self.name}))

    def filled(self, line: int, cells: Mapping[str, str], names: Sequence[str]) -> list[str]:
        """The stripped cells of these columns; TableError if one is empty or too long."""
        values = []
        for name in names:
            cell = cells[name].strip()
            if not cell:
                raise self._fault(line, Phrase("'%(column)s' is empty", {"column": name}))
            if len(cell) > MAX_CELL_LENGTH:
                params = {"column": name, "most": f"{MAX_CELL_LENGTH:,}"}
                raise self._fault(line, Phrase("'%(column)s' has over %(most)s characters", params))
            values.append(cell)
        return values

    def _next(self) -> list[str] | None:
        try:
            return next(self._reader, None)
        except csv.Error as error:
            raise self._fault(self._reader.line_num, Phrase(str(error))) from error

    def _fault(self, line: int, reason: Phrase) -> TableError:
        return _fault(self.name, line, reason)


def _fault(name: str, line: int, reason: Phrase) -> TableError:
    params: dict[str, str | Phrase] = {"file": name, "line": str(line), "reason": reason}
    return TableError(Phrase("%(file)s, line %(line)s: %(reason)s", params))
