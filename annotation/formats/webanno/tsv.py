"""One WebAnno TSV 3 file: its words, sentences, and the annotations of one span layer.

Source: INCEpTION's user guide, appendix "WebAnno TSV 3.3 File format"; 3.0 to 3.2 differ in what is escaped. Offsets
count UTF-16 units. A row is a word or, with a number such as `1-2.1`, a part of one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotation.formats.interruption import check_interruption
from annotation.formats.record import FormatError
from annotation.formats.source import refusal, text_lines
from annotation.number_parsing import MAX_DIGITS
from annotation.phrases import Phrase
from annotation.strict_json import display_text
from annotation.text.limits import MAX_COLUMNS, MAX_SPANS, MAX_TEXT_LENGTH, MAX_TOKENS

FIRST_LINE = re.compile(r"#FORMAT=WebAnno TSV 3(\.\d+)?")
MAX_UNITS = 4 * MAX_TOKENS
"""Rows of a file: two texts and a statement, and parts of words."""
MAX_MARKS = 4 * MAX_SPANS
"""Annotations of one layer in a file: a span can have several fragments."""
MAX_MARKED = 1_000_000
"""Rows under annotations, a row under two counted twice."""
LAST_OFFSET = 8 * MAX_TEXT_LENGTH
_RESERVED = re.compile(r"->|[\\\[\]|_;\t\n\r*]")
_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
_CONTROL = re.compile(r"[\x00-\x1f\\]")
_TEXT = {"\t": "\\t", "\f": "\\f", "\r": "\\r", "\b": "\\b", "\x0b": "\x0b", "\x07": "\\\x07"}
_ESCAPE = re.compile(r"\\(->|.)", re.DOTALL)
_UNESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
_NUMBER = rf"(\d{{1,{MAX_DIGITS}}})"
_ROW = re.compile(rf"{_NUMBER}-{_NUMBER}(\.{_NUMBER})?", re.ASCII)
_OFFSETS = re.compile(rf"{_NUMBER}-{_NUMBER}", re.ASCII)
_VALUE = re.compile(rf"((?:\\.|[^\\])*?)(?:\[{_NUMBER}\])?", re.DOTALL | re.ASCII)
_TARGET = re.compile(rf"([\d.-]{{3,60}})(?:\[{_NUMBER}_{_NUMBER}\])?", re.ASCII)
_STACKED = re.compile(r"(?:\\.|[^\\|])+", re.DOTALL)


def escaped_value(value: str) -> str:
    """A token or the value of a feature."""
    return _RESERVED.sub(lambda match: _ESCAPES.get(match[0], f"\\{match[0]}"), value)


def escaped_text(line: str) -> str:
    """A line of a sentence."""
    return _CONTROL.sub(lambda match: _TEXT.get(match[0], f"\\{match[0]}"), line)


def unescape(value: str) -> str:
    """What `escaped_value` or `escaped_text` was given."""
    return _ESCAPE.sub(lambda match: _UNESCAPES.get(match[1], match[1]), value)


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer in a file's header: `kind` is SP (spans), RL (relations) or CH (chains); `first` is its first column."""

    kind: str
    name: str
    columns: tuple[str, ...]
    first: int

    @property
    def of(self) -> str:
        """The layer that a relation's ends are in, '' if the header does not say."""
        return next((name.removeprefix("BT_") for name in self.columns if name.startswith("BT_")), "")


@dataclass(frozen=True, slots=True)
class LayerSelection:
    """What to read of a file: a span layer, the feature that is the label ('' for none), and relations that join."""

    spans: Layer
    label: str
    links: Layer | None = None


@dataclass(slots=True)
class SheetRow:
    """A row: a word, or a part of the word at `word`; offsets in UTF-16 units."""

    id: str
    start: int
    end: int
    text: str
    word: int
    part: bool
    where: str


@dataclass(slots=True)
class SheetMark:
    """An annotation: its range in UTF-16 units, its number in the file (0: none), and its features."""

    number: int
    start: int
    end: int
    values: Mapping[str, str]
    last_word: int
    where: str


@dataclass(slots=True)
class Sheet:
    """What a file has. A sentence is the index of its first row, and its lines as they are written.

    `joined` are pairs of indices of marks that a relation joins. `ignored_cells`: how many cells of other layers and
    features there are.
    """

    name: str
    units: list[SheetRow] = field(default_factory=list)
    sentences: list[tuple[int, list[str]]] = field(default_factory=list)
    marks: list[SheetMark] = field(default_factory=list)
    joined: list[tuple[int, int]] = field(default_factory=list)
    ignored_cells: int = 0

    @property
    def words(self) -> list[SheetRow]:
        return [unit for unit in self.units if not unit.part]


def is_webanno(path: Path) -> bool:
    """Whether a file says that it is one."""
    try:
        return FIRST_LINE.fullmatch(next(text_lines(path), "").rstrip("\r\n")) is not None
    except FormatError:
        return False


def layers_of(path: Path, name: str) -> list[Layer]:
    """The layers in a file's header. Raises FormatError naming the line."""
    return _header(_lines(path), name)[0]


def parse(path: Path, name: str, choose: Callable[[Sequence[Layer]], LayerSelection]) -> Sheet:
    """Read a file, called `name` in messages; `choose` picks from its layers. Raises FormatError naming the line."""
    lines = _lines(path)
    layers, pending = _header(lines, name)
    body = _Body(Sheet(name), choose(layers), layers)
    while pending is not None:
        body.line(*pending)
        pending = next(lines, None)
    body.finish()
    return body.sheet


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    return enumerate((line.rstrip("\r\n") for line in text_lines(path)), 1)


def _header(lines: Iterator[tuple[int, str]], name: str) -> tuple[list[Layer], tuple[int, str] | None]:
    """The layers, and the first line after them."""
    _, first = next(lines, (1, ""))
    if not FIRST_LINE.fullmatch(first):
        raise refusal(
            f"{name}:1",
            Phrase(
                "the first line must be '#FORMAT=WebAnno TSV 3.3', not '%(line)s'; export the file as WebAnno TSV 3",
                {"line": display_text(first)},
            ),
        )
    layers: list[Layer] = []
    column = 3
    for number, line in lines:
        kind, _, rest = line.removeprefix("#T_").partition("=")
        if not line.startswith("#T_"):
            if line:
                return layers, (number, line)
            continue
        layer, *columns = rest.split("|")
        columns = columns or [""]  # a layer without features has a column for its annotations
        if kind not in ("SP", "RL", "CH") or not layer:
            raise refusal(f"{name}:{number}", Phrase("'%(line)s' is not a layer", {"line": display_text(line)}))
        layers.append(Layer(kind, layer, tuple(columns), column))
        column += len(columns)
        if column > MAX_COLUMNS:
            reason = Phrase("more than %(most)s columns; remove some layers", {"most": str(MAX_COLUMNS)})
            raise refusal(f"{name}:{number}", reason)
    return layers, None


class _Body:
    """Reads the lines after the header."""

    def __init__(self, sheet: Sheet, selection: LayerSelection, layers: Sequence[Layer]) -> None:
        self.sheet, self.selection = sheet, selection
        self.columns = 3 + sum(len(layer.columns) for layer in layers)
        self.text: list[str] = []
        self.last: SheetRow | None = None
        self.words = 0
        self.marked = 0
        self.numbered: dict[int, int] = {}
        self.plain: dict[str, list[int]] = {}
        """Marks without a number by the row they are on."""
        self.targets: list[tuple[str, str, int, int, str]] = []

    def line(self, number: int, line: str) -> None:
        where = f"{self.sheet.name}:{number}"
        if line.startswith("#Text="):
            self.text.append(line.removeprefix("#Text="))
        elif not line:
            self.text = []
        elif not line.startswith("#"):
            if number % 1000 == 0:
                check_interruption()
            self._row(line, where)

    def _row(self, line: str, where: str) -> None:
        cells = line.split("\t")
        if cells[-1] == "" and len(cells) == self.columns + 1:
            del cells[-1]
        if len(cells) != self.columns:
            params = {"n": str(len(cells)), "n2": str(self.columns)}
            raise refusal(where, Phrase("%(n)s cells where the header has %(n2)s", params))
        row, offsets = _ROW.fullmatch(cells[0]), _OFFSETS.fullmatch(cells[1])
        if row is None or offsets is None:
            reason = Phrase(
                "a row must begin with its number and its offsets ('1-1', '0-4'), not '%(row)s', '%(position)s'",
                {"row": display_text(cells[0]), "position": display_text(cells[1])},
            )
            raise refusal(where, reason)
        unit = SheetRow(cells[0], int(offsets[1]), int(offsets[2]), unescape(cells[2]), self.words, bool(row[3]), where)
        self._check_offsets(unit)
        self.sheet.units.append(unit)
        if len(self.sheet.units) > MAX_UNITS:
            reason = Phrase("more than %(most)s words; divide the document", {"most": str(MAX_UNITS)})
            raise refusal(where, reason)
        self._annotations(unit, cells)
        self._relations(unit, cells)
        read = range(self.selection.spans.first, self.selection.spans.first + len(self.selection.spans.columns))
        links = self.selection.links
        also = range(links.first, links.first + len(links.columns)) if links else range(0)
        self.sheet.ignored_cells += sum(
            cell not in ("_", "")
            for index, cell in enumerate(cells)
            if index > 2 and index not in read and index not in also
        )

    def _check_offsets(self, unit: SheetRow) -> None:
        """Check the row's offsets against those of the rows before it; a word begins a sentence after its text."""
        if unit.part:
            if self.last is None or not self.last.start <= unit.start <= unit.end <= self.last.end:
                raise refusal(unit.where, Phrase("a part of a word lies outside the word"))
            unit.word -= 1
            return
        least = self.last.end if self.last else 0
        if not least <= unit.start < unit.end <= LAST_OFFSET:
            reason = Phrase(
                "the offsets %(start)s-%(end)s are empty, too large, or begin before the last word's end %(last)s",
                {"start": str(unit.start), "end": str(unit.end), "last": str(least)},
            )
            raise refusal(unit.where, reason)
        self.last = unit
        self.words += 1
        if self.text or not self.sheet.sentences:
            self.sheet.sentences.append((len(self.sheet.units), self.text))
            self.text = []

    def _annotations(self, unit: SheetRow, cells: Sequence[str]) -> None:
        layer = self.selection.spans
        own = cells[layer.first : layer.first + len(layer.columns)]
        if all(cell in ("_", "") for cell in own):
            return
        stacks = [_stack(cell, unit.where) for cell in own]
        if len({len(stack) for stack in stacks}) > 1:
            raise refusal(unit.where, Phrase("the features of a layer have different numbers of annotations"))
        for index in range(len(stacks[0])):
            numbers = {stack[index][1] for stack in stacks}
            if len(numbers) > 1:
                raise refusal(unit.where, Phrase("the features of an annotation have different numbers in brackets"))
            values = {name: stack[index][0] for name, stack in zip(layer.columns, stacks, strict=True)}
            self._mark(unit, numbers.pop(), values)
        self.marked += len(stacks[0])
        if self.marked > MAX_MARKED or len(self.sheet.marks) > MAX_MARKS:
            reason = Phrase("more than %(most)s annotations in one file", {"most": str(MAX_MARKS)})
            raise refusal(unit.where, reason)

    def _mark(self, unit: SheetRow, number: int, values: Mapping[str, str]) -> None:
        marks = self.sheet.marks
        if not number:
            self.plain.setdefault(unit.id, []).append(len(marks))
        elif number in self.numbered:
            mark = marks[self.numbered[number]]
            if mark.values != values or unit.word - mark.last_word > 1 or unit.start < mark.end:
                reason = Phrase(
                    "annotation [%(number)s] does not have the same values throughout, or its words are not next "
                    "to each other",
                    {"number": str(number)},
                )
                raise refusal(unit.where, reason)
            mark.end, mark.last_word = unit.end, unit.word
            return
        else:
            self.numbered[number] = len(marks)
        marks.append(SheetMark(number, unit.start, unit.end, values, unit.word, unit.where))

    def _relations(self, unit: SheetRow, cells: Sequence[str]) -> None:
        layer = self.selection.links
        if layer is None:
            return
        at = next((at for at, name in enumerate(layer.columns) if name.startswith("BT_")), len(layer.columns) - 1)
        cell = cells[layer.first + at]
        if cell in ("_", ""):
            return
        for part in cell.split("|"):
            match = _TARGET.fullmatch(part)
            if match is None:
                reason = Phrase("'%(part)s' is not the end of a relation ('1-1[1_2]')", {"part": display_text(part)})
                raise refusal(unit.where, reason)
            self.targets.append((match[1], unit.id, int(match[2] or 0), int(match[3] or 0), unit.where))
        if len(self.targets) > MAX_MARKS:
            reason = Phrase("more than %(most)s relations in one file", {"most": str(MAX_MARKS)})
            raise refusal(unit.where, reason)

    def finish(self) -> None:
        """Find the annotations that relations join."""
        for source, target, one, other, where in self.targets:
            self.sheet.joined.append((self._end(source, one, where), self._end(target, other, where)))

    def _end(self, row: str, number: int, where: str) -> int:
        candidates = [self.numbered[number]] if number in self.numbered else [] if number else self.plain.get(row, [])
        if len(candidates) != 1:
            reason = Phrase(
                "a relation leads to %(row)s[%(number)s], where there is no such annotation",
                {"row": display_text(row), "number": str(number)},
            )
            raise refusal(where, reason)
        return candidates[0]


def _stack(cell: str, where: str) -> list[tuple[str, int]]:
    """The values of a cell with their numbers (0: none); '' for a feature that is not set."""
    entries = []
    if cell.count("|") > MAX_MARKS:
        raise refusal(where, Phrase("more than %(most)s annotations in one file", {"most": str(MAX_MARKS)}))
    for part in _STACKED.findall(cell):
        match = _VALUE.fullmatch(part)
        if match is None:
            raise refusal(where, Phrase("'%(part)s' is not the value of a feature", {"part": display_text(part)}))
        entries.append(("" if match[1] == "*" else unescape(match[1]), int(match[2] or 0)))
    return entries
