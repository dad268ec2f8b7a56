"""SwissGov-RSD's pages: which are aligned, and the grid of words that annotators' `[line, token]` positions refer to.

Lines and tokens count from 0, empty lines count. A position is the token's identity: where the page differs from what
an annotator saw or is too short, the annotated word replaces or extends the grid; no mark is ever moved or dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.formats.field_types import FieldError, strings
from annotation.formats.record import TextRecord
from annotation.formats.source import display_name, read_json, read_text, refusal, with_ending
from annotation.formats.source_warnings import MISSING_PAGES, OTHER_WORD, POSITIONS_BEYOND_PAGE
from annotation.phrases import Phrase
from annotation.strict_json import kind
from annotation.text.schemes import Side
from annotation.text.tokens import Range

Position = tuple[int, int]
Words = dict[Position, str]
LANGUAGES = ("de", "fr", "it")
SIDE_FIELDS: tuple[tuple[Side, str], ...] = (("a", "text2"), ("b", "text1"))
"""The sides of a pair, with what the published lines call them."""
# Without a limit, one mistyped number would make a text of a billion lines.
MAX_POSITION = 100_000
# Placeholder for a marked position for which neither the page nor an annotator has a word.
UNKNOWN = "\ufffd"
_ADDRESS = re.compile(r"^https?[:_/]+(?:www\.)?")
_PART = re.compile(r"[;:]|[^;:]+")


def document_name(page: str) -> str:
    """A page's name without 'https___www.' and extension: the name of its annotation file."""
    name = _ADDRESS.sub("", page)
    for ending in (".html", ".jsonl", ".txt"):
        if name.lower().endswith(ending):
            name = name[: -len(ending)]
    return name


def page_url(page: str) -> str:
    """The address that a page's name was made from (its slashes became underscores, like real underscores)."""
    bare = _ADDRESS.sub("", page)
    return "https://www." + bare.replace("_", "/") if bare else ""


@dataclass(slots=True)
class Pages:
    """The folder of pages, one subfolder per language, and the lists of aligned pages."""

    folder: Path | None
    aligned: Mapping[str, Sequence[str]]
    _names: dict[str, dict[str, Path]] = field(default_factory=dict)

    def text(self, page: str, language: str) -> str | None:
        """The page's text, or None."""
        path = self._files(language).get(document_name(page))
        return None if path is None else read_text(path).replace("\r\n", "\n")

    def english(self, name: str) -> str:
        """The English page of an annotation file's name; '' if neither a list nor a page has it."""
        for page in self.aligned:
            if document_name(page) == name:
                return page
        path = self._files("en").get(name)
        return f"{path.stem}.html" if path else ""

    def counterpart(self, name: str, language: str) -> str:
        """The page in `language` that the lists align with the English page called `name`; '' if there is none."""
        for page, others in self.aligned.items():
            if document_name(page) == name:
                files = self._files(language)
                for other in others:
                    if document_name(other) in files:
                        return other
                at = LANGUAGES.index(language) if language in LANGUAGES else len(others)
                return others[at] if at < len(others) else ""
        return ""

    def _files(self, language: str) -> dict[str, Path]:
        if language not in self._names:
            folder = self.folder / language if self.folder else None
            files = with_ending(folder, ".txt") if folder else []
            self._names[language] = {document_name(path.name): path for path in files}
        return self._names[language]


def load_pages(folder: Path | None, lists: Iterable[Path]) -> Pages:
    """Pages and their lists (`aligned_pages*.json`: English page -> the other languages' pages)."""
    aligned: dict[str, Sequence[str]] = {}
    for path in lists:
        data = read_json(path)
        if not isinstance(data, dict):
            raise refusal(
                display_name(path),
                Phrase("an object that maps a page to pages is expected, not %(kind)s", {"kind": kind(data)}),
            )
        try:
            aligned.update({page: strings(data, page) for page in data})
        except FieldError as error:
            raise refusal(display_name(path), error.phrase) from error
    return Pages(folder, aligned)


@dataclass(frozen=True, slots=True)
class PageGrid:
    """A side's text, and the index of the token at each position."""

    record: TextRecord
    index: Mapping[Position, int]

    def irregular_positions(self) -> dict[str, list[int]]:
        """The positions that do not result from counting the tokens of their line, by token index (as JSON keys)."""
        odd: dict[str, list[int]] = {}
        counts: Counter[int] = Counter()
        for (line, token), index in sorted(self.index.items()):
            if counts[line] != token:
                odd[str(index)] = [line, token]
            counts[line] += 1
        return odd


def page_grid(text: str | None, words: Words, language: str, warnings: Counter[str]) -> PageGrid:
    """The grid of a page (None: it is missing) that agrees with every annotated word."""
    if text is None:
        warnings[MISSING_PAGES.text()] += 1
    lines = (text or "").split("\n")
    by_line: dict[int, dict[int, str]] = {}
    for (number, token), word in words.items():
        by_line.setdefault(number, {})[token] = word
    count = max([len(lines), *(number + 1 for number in by_line)])
    content: list[str] = []
    ranges: list[Range] = []
    index: dict[Position, int] = {}
    position = 0
    for number in range(count):
        line = lines[number] if number < len(lines) else ""
        parsed, tokens = _line(line, by_line.get(number, {}), warnings)
        for token, (start, end) in tokens:
            index[number, token] = len(ranges)
            ranges.append((position + start, position + end))
        content.append(parsed)
        position += len(parsed) + 1
    return PageGrid(TextRecord(language, "\n".join(content), ranges), index)


def split_line(line: str) -> list[Range]:
    """The words of a page's line, as annotators were shown them.

    Words are separated by white space; a comma or full stop before a space is a separate word, and so is every
    semicolon and colon. This gives the annotated word at every marked position of EN-DE.
    """
    ranges: list[Range] = []
    for match in re.finditer(r"\S+", line):
        start, end = match.span()
        tail: list[Range] = []
        if line[end : end + 1] == " ":
            # ',' is split off before '.', so that '.,' gives two marks and ',.' only the second.
            for mark in (",", "."):
                if end - start > 1 and line[end - 1] == mark and (not tail or mark == "."):
                    end -= 1
                    tail.insert(0, (end, end + 1))
        ranges.extend((start + part.start(), start + part.end()) for part in _PART.finditer(line[start:end]))
        ranges.extend(tail)
    return ranges


def _line(line: str, words: Mapping[int, str], warnings: Counter[str]) -> tuple[str, list[tuple[int, Range]]]:
    """A line with its annotated words inserted, and its tokens by number; the page's own spacing is kept."""
    pieces: list[str] = []
    tokens: list[tuple[int, Range]] = []
    length = last = 0
    for number, (start, end) in enumerate(split_line(line)):
        word = words.get(number) or line[start:end]
        if word != line[start:end]:
            warnings[OTHER_WORD.text()] += 1
        pieces.extend((line[last:start], word))
        length += start - last
        tokens.append((number, (length, length + len(word))))
        length += len(word)
        last = end
    pieces.append(line[last:])
    length += len(line) - last
    for number in sorted(set(words) - {token for token, _ in tokens}):
        warnings[POSITIONS_BEYOND_PAGE.text()] += 1
        word = words[number] or UNKNOWN
        gap = " " if length and not pieces[-1].endswith(" ") else ""
        pieces.extend((gap, word))
        length += len(gap)
        tokens.append((number, (length, length + len(word))))
        length += len(word)
    return "".join(pieces), tokens


def is_position(value: Any) -> bool:
    """Whether a value from a file is a position that a page can have."""
    return isinstance(value, list) and len(value) == 2 and all(type(n) is int and 0 <= n < MAX_POSITION for n in value)
