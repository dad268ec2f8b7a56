"""Reads the published folder: the files of all annotators, on a grid of the words that they saw."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.formats.field_types import FieldError, list_field, short_repr, string, strings
from annotation.formats.record import AnnotationRecord, PairRecord, ParsedSource
from annotation.formats.source import Refusals, json_lines, with_ending
from annotation.formats.source_warnings import EMPTY_FILES, OTHER_PAGES, TWO_WORDS, UNEQUAL
from annotation.formats.swissgov.folder import (
    FOLDERS,
    annotator_folders,
    find_language,
    find_lists,
    find_pages,
    find_root,
)
from annotation.formats.swissgov.pages import (
    MAX_POSITION,
    SIDE_FIELDS,
    PageGrid,
    Pages,
    Position,
    Words,
    document_name,
    is_position,
    load_pages,
    page_grid,
    page_url,
)
from annotation.phrases import Phrase
from annotation.text.schemes import PRESETS, Side
from annotation.text.spans import Fragment, Span, ranges_of

_NUMBERED = re.compile(r"annotator\d+")


@dataclass(frozen=True, slots=True)
class _Line:
    """One published span: positions and words by side."""

    score: str
    positions: dict[Side, list[Position]]
    words: dict[Side, list[str]]
    page_a: str
    page_b: str


@dataclass(slots=True)
class _Document:
    """A document's spans by phase and annotator, and every word that any of them saw."""

    name: str
    lines: dict[tuple[str, str], list[_Line]] = field(default_factory=dict)
    where: str = ""


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read the published `annotations/` folder, or its `annotations_raw` or `annotations_trial`.

    The grid is made of the words of both phases, so that a document has one text whichever phase is imported first.
    Raises FormatError with every line that is refused.
    """
    root, phase = find_root(paths, options)
    language = find_language(root, phase, options)
    pages = load_pages(find_pages(root, options), find_lists(root))
    refusals = Refusals()
    documents: dict[str, _Document] = {}
    parsed = ParsedSource([], PRESETS["graded"])
    for each, folder in FOLDERS.items():
        for annotator in annotator_folders(root / folder):
            for path in with_ending(annotator / language, ".jsonl"):
                name = document_name(path.name)
                document = documents.setdefault(name, _Document(name))
                alias = "annotator" + annotator.name.removeprefix("annotations")
                document.lines[each, alias] = _lines(path, refusals, parsed.warnings)
                if each == phase and not document.where:
                    document.where = str(path.relative_to(root))
    for name in sorted(documents):
        if documents[name].where:
            try:
                parsed.records.append(_record(documents[name], phase, language, pages, parsed.warnings))
            except FieldError as error:
                refusals.add(documents[name].where, error.phrase)
    refusals.raise_any(parsed.records)
    return parsed


def _lines(path: Path, refusals: Refusals, warnings: Counter[str]) -> list[_Line]:
    lines = []
    for where, data in json_lines(path, refusals):
        try:
            lines.append(_line(data, warnings))
        except FieldError as error:
            refusals.add(f"{path.parent.parent.name}/{where}", error.phrase)
    return lines


def _line(data: Mapping[str, Any], warnings: Counter[str]) -> _Line:
    score = data.get("score")
    if isinstance(score, bool) or not isinstance(score, int | float | str) or str(score) == "":
        raise FieldError(Phrase("score: a label is expected, not %(score)s", {"score": short_repr(score)}))
    positions: dict[Side, list[Position]] = {}
    words: dict[Side, list[str]] = {}
    for side, key in SIDE_FIELDS:
        fragments, fragment_positions = strings(data, key), list_field(data, f"{key}_positions")
        for index, position in enumerate(fragment_positions):
            if not is_position(position):
                reason = Phrase(
                    "[line, token] below %(most)s is expected, not %(position)s",
                    {"most": str(MAX_POSITION), "position": short_repr(position)},
                )
                raise FieldError(
                    Phrase(
                        "%(key)s_positions[%(index)s]: %(reason)s",
                        {"key": str(key), "index": str(index), "reason": reason},
                    )
                )
        if len(fragments) != len(fragment_positions):
            warnings[UNEQUAL.text()] += 1
        positions[side] = [(line, token) for line, token in fragment_positions]
        paired = itertools.zip_longest(fragments[: len(fragment_positions)], fragment_positions, fillvalue="")
        words[side] = [word.strip() for word, _ in paired]
    label = str(int(score)) if isinstance(score, float) and score.is_integer() else str(score)
    return _Line(label, positions, words, string(data, "page_en"), string(data, "page_other"))


def _record(document: _Document, phase: str, language: str, pages: Pages, warnings: Counter[str]) -> PairRecord:
    lines = [line for file_lines in document.lines.values() for line in file_lines]
    page_a = next((line.page_a for line in lines if line.page_a), "") or pages.english(document.name)
    page_b = next((line.page_b for line in lines if line.page_b), "") or pages.counterpart(document.name, language)
    if not page_a or not page_b:
        raise FieldError(Phrase("an empty file whose pages are not in any list of aligned pages"))
    if len({document_name(line.page_b) for line in lines}) > 1:
        warnings[OTHER_PAGES.text()] += 1
    grids = {
        "a": page_grid(pages.text(page_a, "en"), _words(lines, "a", warnings), "en", warnings),
        "b": page_grid(pages.text(page_b, language), _words(lines, "b", warnings), language, warnings),
    }
    annotations = []
    for (each, alias), file_lines in sorted(document.lines.items()):
        if each == phase:
            if not file_lines:
                warnings[EMPTY_FILES.text()] += 1
            annotations.append(AnnotationRecord(alias, phase, spans=_spans(file_lines, grids)))
    metadata: dict[str, Any] = {
        "document": document.name,
        "page_a": page_a,
        "page_b": page_b,
        "url_a": page_url(page_a),
        "url_b": page_url(page_b),
    }
    if spellings := _spellings(document, page_a, page_b):
        metadata["page_names"] = spellings
    irregular = {side: positions for side, grid in grids.items() if (positions := grid.irregular_positions())}
    if irregular:
        metadata["positions"] = irregular
    return PairRecord(
        id=f"{language}/{document.name}",
        a=grids["a"].record,
        b=grids["b"].record,
        metadata=metadata,
        annotations=annotations,
        where=document.where,
    )


def _spellings(document: _Document, page_a: str, page_b: str) -> dict[str, dict[str, list[str]]]:
    """How files name the pages, by phase and annotator, where that differs from the pair's own names.

    Annotators' computers replaced the characters of addresses differently. Only for people whose names are numbers:
    metadata is published.
    """
    spellings: dict[str, dict[str, list[str]]] = {}
    for (phase, alias), file_lines in sorted(document.lines.items()):
        if (
            file_lines
            and _NUMBERED.fullmatch(alias)
            and (file_lines[0].page_a, file_lines[0].page_b) != (page_a, page_b)
        ):
            spellings.setdefault(phase, {})[alias] = [file_lines[0].page_a, file_lines[0].page_b]
    return spellings


def _words(lines: Sequence[_Line], side: Side, warnings: Counter[str]) -> Words:
    """The word at every marked position of a side ('' if none is given); the first if annotators saw different ones."""
    words: Words = {}
    for line in lines:
        for position, word in zip(line.positions[side], line.words[side], strict=True):
            words[position] = words.get(position) or word
            if word and words[position] != word:
                warnings[TWO_WORDS.text()] += 1
    return words


def _spans(lines: Sequence[_Line], grids: Mapping[str, PageGrid]) -> list[Span]:
    spans = []
    for number, line in enumerate(lines, 1):
        fragments = [
            Fragment(side, start, end)
            for side, _ in SIDE_FIELDS
            for start, end in ranges_of(
                (grids[side].index[position] for position in line.positions[side]), grids[side].record.tokens or []
            )
        ]
        spans.append(Span(f"s{number}", line.score, tuple(fragments)))
    return spans
