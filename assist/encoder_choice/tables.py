"""The files of the two evaluations, read and checked: comma- or tab-separated values with a header, in UTF-8."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args

from annotation.strict_json import shown

Operator = Literal["overlap", "difference", "union"]
OPERATORS: tuple[Operator, ...] = get_args(Operator)
LONGEST = 10_000
"""The longest cell that is read, in characters: these are sentences."""
_DISTRACTOR = re.compile(r"TargetAdv([1-9][0-9]?)")


class TableError(ValueError):
    """A file that cannot be used; the message says what is wrong, where, and what is expected."""


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
    """The rows of a file with the columns ``Source, Target, TargetAdv1, TargetAdv2 …``.

    Optional columns: ``SourcePivot, TargetPivot, TargetAdv1Pivot …`` (all of them or none) and ``POS1, POS2 …``.
    TableError if a column or cell is missing.
    """
    table = _Table(path)
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


def read_samples(path: Path) -> list[Sample]:
    """The samples of a file with the columns ``A, B, target, operator``. TableError if one is missing or unknown."""
    table = _Table(path)
    columns = ["A", "B", "target", "operator"]
    table.require(*columns)
    samples = []
    for line, cells in table.rows():
        a, b, target, operator = table.filled(line, cells, columns)
        if operator.lower() not in OPERATORS:
            raise TableError(
                f"{path.name}, line {line}: operator '{shown(operator)}' is not known; use {', '.join(OPERATORS)}"
            )
        samples.append(Sample(a, b, target, cast(Operator, operator.lower())))
    return samples


class _Table:
    """A file's rows as mappings of column names to cells, with the line that each begins on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            text = path.read_text(encoding="utf-8-sig")
        except OSError as error:
            raise TableError(f"{path.name} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise TableError(f"{path.name} is not UTF-8 text (byte {error.start + 1})") from error
        lines = text.splitlines(keepends=True)
        self._delimiter = "\t" if lines and "\t" in lines[0] else ","
        self._reader = csv.reader(lines, delimiter=self._delimiter, strict=True)
        self.columns = [name.strip() for name in self._next() or []]
        if not self.columns:
            raise TableError(f"{path.name} is empty: the first line must name the columns")
        if twice := {name for name in self.columns if self.columns.count(name) > 1}:
            raise TableError(f"{path.name}: column '{shown(min(twice))}' occurs twice")

    def require(self, *names: str) -> None:
        """TableError if one of these columns is missing."""
        if missing := [name for name in names if name not in self.columns]:
            raise TableError(
                f"{self.path.name} has no column '{missing[0]}'; its columns are: {shown(', '.join(self.columns))}"
            )

    def rows(self) -> Iterator[tuple[int, Mapping[str, str]]]:
        """Every row that is not empty; TableError if there is none."""
        found = False
        line = self._reader.line_num + 1
        while (cells := self._next()) is not None:
            if any(cell.strip() for cell in cells):
                if len(cells) != len(self.columns):
                    raise TableError(
                        f"{self.path.name}, line {line}: {len(cells)} cells instead of {len(self.columns)}"
                    )
                found = True
                yield line, dict(zip(self.columns, cells, strict=True))
            line = self._reader.line_num + 1
        if not found:
            raise TableError(f"{self.path.name} has a header but no rows")

    def filled(self, line: int, cells: Mapping[str, str], names: Sequence[str]) -> list[str]:
        """The stripped cells of these columns; TableError if one is empty or too long."""
        found = []
        for name in names:
            cell = cells[name].strip()
            if not cell:
                raise TableError(f"{self.path.name}, line {line}: '{name}' is empty")
            if len(cell) > LONGEST:
                raise TableError(f"{self.path.name}, line {line}: '{name}' has over {LONGEST:,} characters")
            found.append(cell)
        return found

    def _next(self) -> list[str] | None:
        try:
            return next(self._reader, None)
        except csv.Error as error:
            raise TableError(f"{self.path.name}, line {self._reader.line_num}: {error}") from error
