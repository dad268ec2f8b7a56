"""Reads WebAnno TSV 3, with the index of an export if there is one."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.formats.field_types import FieldError
from annotation.formats.fields import pair_record
from annotation.formats.implied_scheme import implied_scheme, scheme_of_labels
from annotation.formats.record import FormatError, ParsedSource
from annotation.formats.source import Refusals, display_name, name_inside, read_text, refusal, with_ending
from annotation.formats.source_warnings import MISSING_FILES, OTHER_LAYERS, WORD_PARTS
from annotation.formats.webanno.index import CURATOR, INDEX, entries
from annotation.formats.webanno.spans import ChosenLayers, WebannoDocument, choose_layers, read_sheet, spans
from annotation.formats.webanno.text import Offsets, check_fits, first_misplaced, rebuild_text, sides
from annotation.formats.webanno.tsv import Sheet, is_webanno
from annotation.phrases import Phrase
from annotation.text.language_guess import language_of_texts
from annotation.text.schemes import SIDES
from annotation.text.tokens import Range

ENDING = ".tsv"
INITIAL = "INITIAL_CAS"
"""INCEpTION's name for a document as it was before anyone annotated it."""


@dataclass(frozen=True, slots=True)
class _File:
    """A file, its name in messages, the document it is of, and whose work it holds ('' for the document itself)."""

    path: Path
    name: str
    document: str
    person: str


@dataclass(slots=True)
class _Files:
    """The files of a source: the index, TSV files by document, and the texts of `source` by name."""

    index: Path | None = None
    beside: bool = False
    """Whether the index is in the folder, and not given apart from it."""
    documents: dict[str, list[_File]] = field(default_factory=dict)
    texts: dict[str, Path] = field(default_factory=dict)

    @property
    def files(self) -> list[_File]:
        return [file for files in self.documents.values() for file in files]


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read a folder that `write` wrote, an annotation export of INCEpTION, or single files.

    Raises FormatError with the first fault of every document.
    """
    files = _find_files(paths, options.get("annotator") or "1")
    refusals = Refusals()
    if files.index is None and not files.files:
        names = ", ".join(map(display_name, paths))
        raise refusal(names, Phrase("the folder holds no %(names)s file", {"names": ENDING}))
    layers = choose_layers([(file.path, file.name) for file in files.files], options)
    parsed = ParsedSource([], implied_scheme((), ()))
    if files.index is not None:
        _read_indexed(files, layers, parsed, refusals)
    else:
        _read_documents(files, layers, parsed, refusals, options)
    refusals.raise_any(parsed.records)
    beside = [files.index] if files.index is not None else []
    parsed.scheme = scheme_of_labels(implied_scheme(beside, parsed.records), parsed.records, layers.name)
    return parsed


def _find_files(paths: Sequence[Path], annotator: str) -> _Files:
    files = _Files()
    for path in paths:
        if not path.is_dir():
            if path.name == INDEX:
                files.index = path
            elif path.is_file():
                file = _File(path, display_name(path), path.name, annotator)
                files.documents.setdefault(file.document, []).append(file)
            else:
                raise refusal(display_name(path), Phrase("there is no such file or folder"))
            continue
        for index in sorted(path.rglob(INDEX)):
            files.index, files.beside = index, True
        files.texts |= {text.name: text for text in path.rglob("*.txt") if text.parent.name == "source"}
        for each in with_ending(path, ENDING, below=True):
            file = _exported_file(path, each, annotator)
            files.documents.setdefault(file.document, []).append(file)
    return files


def _exported_file(root: Path, path: Path, annotator: str) -> _File:
    """A file by the folders it is in: `annotation/DOCUMENT/PERSON.tsv`, `curation/DOCUMENT/…`, `source/DOCUMENT`."""
    inside = path.relative_to(root)
    parts = (root.name, *inside.parts)
    name = name_inside(path, inside)
    if len(parts) > 2 and parts[-3] == "annotation":
        return _File(path, name, parts[-2], "" if path.stem == INITIAL else path.stem)
    if len(parts) > 2 and parts[-3] == "curation":
        return _File(path, name, parts[-2], CURATOR)
    if inside.parent.name == "source":
        return _File(path, name, path.name, "")
    return _File(path, name, path.name, annotator)


def _read_indexed(source_files: _Files, layers: ChosenLayers, parsed: ParsedSource, refusals: Refusals) -> None:
    """The pairs of the index, each with the work of its files."""
    assert source_files.index is not None
    listed = entries(source_files.index, refusals)
    for document in source_files.documents.keys() - listed.keys():
        file = source_files.documents[document][0]
        reason = Phrase("the document '%(name)s' is not in %(index)s", {"name": document, "index": INDEX})
        refusals.add(file.name, reason)
    for document, entry in listed.items():
        try:
            pair = entry.pair
            grid = WebannoDocument.of(pair)
            files = {"/".join(file.path.parts[-3:]): file for file in source_files.documents.get(document, ())}
            for path, listed_annotation in entry.annotations.items():
                if path not in files:
                    if source_files.beside:
                        raise refusal(entry.where, Phrase("the file %(name)s is missing", {"name": path}))
                    parsed.warnings[MISSING_FILES.text()] += 1
                    continue
                spans_json = _spans_json(files.pop(path), layers, grid, parsed.warnings)
                for index, span in sorted(listed_annotation.broken.items()):
                    spans_json.insert(index, span)
                listed_annotation.add(pair, spans_json)
            for file in sorted(files.values(), key=lambda each: each.name):
                if file.person:
                    _add(pair, file.person, _spans_json(file, layers, grid, parsed.warnings))
            parsed.records.append(pair_record(pair, entry.where))
        except FormatError as error:
            refusals.rejections += error.rejections
        except FieldError as error:
            refusals.add(entry.where, error.phrase)


def _spans_json(
    file: _File, layers: ChosenLayers, grid: WebannoDocument, warnings: Counter[str]
) -> list[dict[str, Any]]:
    sheet = read_sheet(file.path, file.name, layers)
    check_fits(sheet, grid.text, grid.offsets)
    _count_ignored_cells(sheet, warnings)
    result, extended = spans(sheet, layers, grid)
    if extended:
        warnings[WORD_PARTS.text()] += extended
    return result


def _count_ignored_cells(sheet: Sheet, warnings: Counter[str]) -> None:
    if sheet.ignored_cells:
        warnings[OTHER_LAYERS.text()] += sheet.ignored_cells


def _add(pair: dict[str, Any], person: str, spans: list[dict[str, Any]]) -> None:
    if person == CURATOR:
        pair["gold"] = {"spans": spans}
    else:
        pair["annotations"].append({"annotator": person, "spans": spans})


def _read_documents(
    source_files: _Files, layers: ChosenLayers, parsed: ParsedSource, refusals: Refusals, options: Mapping[str, str]
) -> None:
    """A pair for every document, without an index."""
    pairs: list[tuple[dict[str, Any], str]] = []
    for document, files in source_files.documents.items():
        try:
            pairs.append((_pair(document, files, source_files.texts, layers, parsed.warnings, options), files[0].name))
        except FormatError as error:
            refusals.rejections += error.rejections
    languages = {}
    for side in SIDES:
        guess = language_of_texts(pair[side]["text"] for pair, _ in pairs)
        languages[side] = options.get(f"language_{side}") or (guess.code if guess and guess.share > 0.5 else "")
    for pair, where in pairs:
        try:
            for side in SIDES:
                if not languages[side]:
                    missing = Phrase("language_%(side)s: missing; set the option language_%(side)s=LANGUAGE")
                    raise FieldError(missing.with_params(side=side))
                pair[side]["language"] = languages[side]
            parsed.records.append(pair_record(pair, where))
        except FieldError as error:
            refusals.add(where, error.phrase)


def _pair(
    document: str,
    files: Sequence[_File],
    texts: Mapping[str, Path],
    layers: ChosenLayers,
    warnings: Counter[str],
    options: Mapping[str, str],
) -> dict[str, Any]:
    working = [file for file in files if file.person]
    sheets = [(file, read_sheet(file.path, file.name, layers)) for file in working or files[:1]]
    first = sheets[0][1]
    if not first.words:
        raise refusal(first.name, Phrase("a document without words"))
    text = _text(texts.get(document), first)
    offsets = Offsets(text)
    for _, sheet in sheets:
        check_fits(sheet, text, offsets)
        if [(unit.start, unit.end) for unit in sheet.words] != [(unit.start, unit.end) for unit in first.words]:
            params = {"first": first.name}
            raise refusal(sheet.name, Phrase("divides the text into words differently from %(first)s", params))
        _count_ignored_cells(sheet, warnings)
    words = _words([sheet for _, sheet in sheets], offsets)
    grid = WebannoDocument(text, offsets, *sides(first, text, offsets, options.get("divider", "")), words)
    pair: dict[str, Any] = {"id": document.removesuffix(ENDING).removesuffix(".txt"), "annotations": []}
    for side in SIDES:
        start, end = grid.sides[side]
        tokens = [[low - start, high - start] for low, high in grid.tokens[side]]
        pair[side] = {"language": "", "text": text[start:end], "tokens": tokens}
    for file, sheet in sheets:
        if file.person:
            _add(pair, file.person, spans(sheet, layers, grid)[0])
    return pair


def _text(source: Path | None, sheet: Sheet) -> str:
    """The document's text: that of the file it was made from, if it is there and has the words, or else rebuilt."""
    if source is not None:
        try:
            text = read_text(source)
        except FormatError:
            text = ""
        if first_misplaced(sheet, text, Offsets(text)) is None:
            return text
    return rebuild_text(sheet)


def _words(sheets: Sequence[Sheet], offsets: Offsets) -> list[Range]:
    """The words in code points, divided where any annotator marked a part of one."""
    cuts = {at for sheet in sheets for unit in sheet.units if unit.part for at in (unit.start, unit.end)}
    ranges: list[Range] = []
    inner = sorted(cuts)
    at = 0
    for word in sheets[0].words:
        bounds = [word.start]
        while at < len(inner) and inner[at] < word.end:
            if inner[at] > word.start:
                bounds.append(inner[at])
            at += 1
        bounds.append(word.end)
        points = [point for unit in bounds if (point := offsets.point(unit)) is not None]
        ranges += itertools.pairwise(points)
    return ranges


def is_export(folder: Path) -> bool:
    """Whether a folder is what INCEpTION exports: files of annotators by document."""
    return any(is_webanno(path) for path in sorted(folder.glob("annotation/*/*.tsv"))[:1])
