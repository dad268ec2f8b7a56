"""SwissGov-RSD's published annotations: a folder per annotator and language, a file per document, a line per span.

Side A is English (`text2` in the files), side B the other language (`text1`). Empty files are documents in which an
annotator marked nothing; the lists of aligned pages say which pages those are.
"""

from __future__ import annotations

import itertools
import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.formats import omissions
from annotation.formats.base import FORMATS, Format, Option
from annotation.formats.field_types import FieldError, list_field, short_repr, string, strings
from annotation.formats.record import AnnotationRecord, PairRecord, ParsedSource, TextRecord
from annotation.formats.safe_paths import writable
from annotation.formats.source import Refusals, json_lines, with_ending
from annotation.formats.source_warnings import EMPTY_FILES, OTHER_PAGES, TWO_WORDS, UNEQUAL
from annotation.formats.swissgov.folder import (
    FOLDERS,
    annotator_folders,
    find_language,
    find_lists,
    find_pages,
    find_root,
    is_annotations,
)
from annotation.formats.swissgov.names import FolderNames
from annotation.formats.swissgov.pages import (
    PageGrid,
    Pages,
    Position,
    Words,
    document_name,
    load_pages,
    page_grid,
    page_url,
    split_line,
)
from annotation.phrases import Phrase
from annotation.text.schemes import PRESETS, Scheme, Side
from annotation.text.spans import Fragment, Span, covered_indices, ranges_of

OPTIONS = {
    "language": Option("the other language: de, fr or it (needed if the folder has several)"),
    "phase": Option("main (annotations_raw, the default) or trial (annotations_trial)"),
    "pages": Option("the folder with the page texts, if it is not inside, next to or above the folder", web=False),
}
# Without a limit, one mistyped number would make a text of a billion lines.
MAX_POSITION = 100_000
_NUMBERED = re.compile(r"annotator\d+")
_CARRIED = {"document", "page_a", "page_b", "url_a", "url_b", "page_names", "positions"}
"""Metadata that the files' names and positions hold."""
_SIDES: tuple[tuple[Side, str], ...] = (("a", "text2"), ("b", "text1"))


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
    work: dict[tuple[str, str], list[_Line]] = field(default_factory=dict)
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
                document.work[each, alias] = _lines(path, refusals, parsed.warnings)
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
    for side, key in _SIDES:
        given, given_positions = strings(data, key), list_field(data, f"{key}_positions")
        for index, position in enumerate(given_positions):
            if not _is_position(position):
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
        if len(given) != len(given_positions):
            warnings[UNEQUAL.text()] += 1
        positions[side] = [(line, token) for line, token in given_positions]
        paired = itertools.zip_longest(given[: len(given_positions)], given_positions, fillvalue="")
        words[side] = [word.strip() for word, _ in paired]
    label = str(int(score)) if isinstance(score, float) and score.is_integer() else str(score)
    return _Line(label, positions, words, string(data, "page_en"), string(data, "page_other"))


def _is_position(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(n) is int and 0 <= n < MAX_POSITION for n in value)


def _record(document: _Document, phase: str, language: str, pages: Pages, warnings: Counter[str]) -> PairRecord:
    lines = [line for work in document.work.values() for line in work]
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
    for (each, alias), work in sorted(document.work.items()):
        if each == phase:
            if not work:
                warnings[EMPTY_FILES.text()] += 1
            annotations.append(AnnotationRecord(alias, phase, spans=_spans(work, grids)))
    metadata: dict[str, Any] = {
        "document": document.name,
        "page_a": page_a,
        "page_b": page_b,
        "url_a": page_url(page_a),
        "url_b": page_url(page_b),
    }
    if spellings := _spellings(document, page_a, page_b):
        metadata["page_names"] = spellings
    irregular = {side: found for side, grid in grids.items() if (found := grid.irregular_positions())}
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
    found: dict[str, dict[str, list[str]]] = {}
    for (phase, alias), work in sorted(document.work.items()):
        if work and _NUMBERED.fullmatch(alias) and (work[0].page_a, work[0].page_b) != (page_a, page_b):
            found.setdefault(phase, {})[alias] = [work[0].page_a, work[0].page_b]
    return found


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
            for side, _ in _SIDES
            for start, end in ranges_of(
                (grids[side].index[position] for position in line.positions[side]), grids[side].record.tokens or []
            )
        ]
        spans.append(Span(f"s{number}", line.score, tuple(fragments)))
    return spans


def scheme_problem(scheme: Scheme) -> Phrase | None:
    """Why the labels of a scheme can't be written; None if they can."""
    return None if scheme.graded else Phrase("SwissGov-RSD files hold grades; this scheme has none")


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write the folder `out` as published: a file per annotator and document, the pages' text, the list of pages.

    The published files can't represent re-tests; only the first round is written.
    """
    aligned: dict[str, list[str]] = {}
    written: list[Path] = []
    names = FolderNames()
    for record in records:
        content_a = _page(record.a, _stored_positions(record, "a"))
        content_b = _page(record.b, _stored_positions(record, "b"))
        name, page_a = names.document(record, content_a)
        page_b = names.page_b(record, name, content_b)
        others = aligned.setdefault(page_a, [])
        if page_b not in others:
            others.append(page_b)
        for text, page, content in ((record.a, page_a, content_a), (record.b, page_b, content_b)):
            folder = names.language(text.language)
            path = writable(out, "cut_parsed_pages", folder, f"{page.removesuffix('.html')}.txt")
            path.write_text(content, "utf-8", newline="")
            written.append(path)
        positions = {side: _positions(record, side) for side, _ in _SIDES}
        pair = f"en_{document_name(page_a)} -- {record.b.language}_{document_name(page_b)}"
        for person in record.annotations:
            if not _is_written(person):
                continue
            folders = (FOLDERS[person.phase], names.person(person.annotator), names.language(record.b.language))
            path = writable(out, *folders, f"{name}.jsonl")
            named_a, named_b = _page_names(record, person, page_a, page_b)
            rest = {"page_other": named_b, "page_en": named_a, "languages": [record.b.language, "en"], "pair": pair}
            with path.open("w", encoding="utf-8", newline="\n") as file:
                for span in person.spans:
                    line = _published(span, record, positions, scheme) | rest
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
            written.append(path)
    lists = writable(out, "aligned_pages.json")
    lists.write_text(json.dumps(aligned, ensure_ascii=False, indent=4), encoding="utf-8")
    return [*written, lists]


def _page_names(record: PairRecord, person: AnnotationRecord, page_a: str, page_b: str) -> tuple[str, str]:
    """The pages' names as that person's file had them, which need not be safe as names of files; else those given."""
    found = record.metadata.get("page_names")
    for key in (person.phase, person.annotator):
        found = found.get(key) if isinstance(found, Mapping) else None
    own = found if isinstance(found, list) and len(found) == 2 else (None, None)
    given = ((own[0], "page_a", page_a), (own[1], "page_b", page_b))
    one, other = (
        next(
            (
                name
                for name in (stored, record.metadata.get(key))
                if isinstance(name, str) and document_name(name) == document_name(page)
            ),
            page,
        )
        for stored, key, page in given
    )
    return one, other


def _is_written(person: AnnotationRecord) -> bool:
    return person.phase in FOLDERS and not person.round


def omitted(record: PairRecord, scheme: Scheme) -> Counter[str]:
    """What the published lines have no place for."""
    written = [person for person in record.annotations if _is_written(person)]
    spans = [span for person in written for span in person.spans]
    return omissions.nonzero_counts(
        (omissions.OTHER_PHASES, len(record.annotations) - len(written)),
        (omissions.GOLD, record.gold is not None),
        (omissions.COMMENTS, omissions.count_comments(spans)),
        (omissions.PAIR_COMMENTS, sum(bool(person.comment) for person in written)),
        (omissions.VERDICTS, omissions.count_other_verdicts(written)),
        (omissions.METADATA, bool(record.metadata.keys() - _CARRIED)),
        (omissions.ANSWERS, sum(len(person.answers) for person in written)),
        (omissions.SUGGESTED, omissions.count_suggested(spans)),
        (omissions.SPLITS, bool(record.split)),
        (omissions.MIRRORS, bool(record.mirror)),
        (omissions.TRANSLATIONS, bool(record.translations)),
        (omissions.PAIRS_WITHOUT_ANNOTATIONS, not written),
        (omissions.RETOKENIZED, "positions" not in record.metadata and any(map(_retokenized, (record.a, record.b)))),
        *omissions.unpublished_counts(written),
    )


def _retokenized(text: TextRecord) -> bool:
    """Whether the tokens are not the words that readers of these files find."""
    words = [line[start:end] for line in text.text.split("\n") for start, end in split_line(line)]
    return words != [text.text[start:end] for start, end in text.tokens or ()]


def _stored_positions(record: PairRecord, side: Side) -> dict[int, Position]:
    """The positions that the import kept, by token index; none if metadata of another source has that name."""
    given = record.metadata.get("positions")
    kept = given.get(side) if isinstance(given, Mapping) else None
    if not isinstance(kept, Mapping):
        return {}
    text = record.a if side == "a" else record.b
    names = {str(index): index for index in range(len(text.tokens or []))}
    if not all(index in names and _is_position(position) for index, position in kept.items()):
        return {}
    return {names[index]: (position[0], position[1]) for index, position in kept.items()}


def _page(text: TextRecord, kept: Mapping[int, Position]) -> str:
    """The page without the words beyond its lines, which reading it with the annotations will add again."""
    lines = text.text.split("\n")
    begins = [0, *itertools.accumulate(len(line) + 1 for line in lines)]
    for index in sorted(kept, reverse=True):
        start = (text.tokens or [])[index][0]
        number = bisect_right(begins, start) - 1
        lines[number] = lines[number][: start - begins[number]].removesuffix(" ")
    return "\n".join(lines)


def _positions(record: PairRecord, side: Side) -> list[Position]:
    """The [line, token] of every token of a side: counted in its line, unless the import kept another."""
    text = record.a if side == "a" else record.b
    kept = _stored_positions(record, side)
    positions: list[Position] = []
    line = at = 0
    seen: Counter[int] = Counter()
    for index, (start, _) in enumerate(text.tokens or []):
        line += text.text.count("\n", at, start)
        at = start
        positions.append(kept.get(index, (line, seen[line])))
        seen[line] += 1
    return positions


def _published(
    span: Span, record: PairRecord, positions: Mapping[Side, Sequence[Position]], scheme: Scheme
) -> dict[str, Any]:
    line: dict[str, Any] = {}
    for side, key in reversed(_SIDES):
        text = record.a if side == "a" else record.b
        tokens = text.tokens or []
        marked = covered_indices(span.on(side), tokens)
        line[key] = [text.text[slice(*tokens[index])] for index in marked]
        line[f"{key}_positions"] = [list(positions[side][index]) for index in marked]
    value = scheme.value(span.label)
    return line | {"score": int(value) if value == int(value) else value}


FORMAT = FORMATS.register(
    Format(
        "swissgov",
        "the SwissGov-RSD annotations folder",
        read,
        write,
        OPTIONS,
        exports="SwissGov-RSD folders",
        recognises_folder=is_annotations,
        omitted=omitted,
        scheme_problem=scheme_problem,
        scheme=PRESETS["graded"],
    )
)
