"""Writes the folder as published, and says what it can't hold."""

from __future__ import annotations

import itertools
import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats import omissions
from annotation.formats.record import AnnotationRecord, PairRecord, TextRecord
from annotation.formats.safe_paths import writable
from annotation.formats.swissgov.folder import FOLDERS
from annotation.formats.swissgov.names import FolderNames
from annotation.formats.swissgov.pages import SIDE_FIELDS, Position, document_name, is_position, split_line
from annotation.phrases import Phrase
from annotation.text.schemes import Scheme, Side
from annotation.text.spans import Span, covered_indices

_CARRIED = {"document", "page_a", "page_b", "url_a", "url_b", "page_names", "positions"}
"""Metadata that the files' names and positions hold."""


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
        positions = {side: _positions(record, side) for side, _ in SIDE_FIELDS}
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
    names = record.metadata.get("page_names")
    for key in (person.phase, person.annotator):
        names = names.get(key) if isinstance(names, Mapping) else None
    own = names if isinstance(names, list) and len(names) == 2 else (None, None)
    candidates = ((own[0], "page_a", page_a), (own[1], "page_b", page_b))
    one, other = (
        next(
            (
                name
                for name in (stored, record.metadata.get(key))
                if isinstance(name, str) and document_name(name) == document_name(page)
            ),
            page,
        )
        for stored, key, page in candidates
    )
    return one, other


def _is_written(person: AnnotationRecord) -> bool:
    return person.phase in FOLDERS and not person.round


def omitted(record: PairRecord, scheme: Scheme) -> Counter[str]:
    """What the published lines can't hold."""
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
    """The positions that the import stored, by token index; none if metadata of another source has that name."""
    positions = record.metadata.get("positions")
    stored = positions.get(side) if isinstance(positions, Mapping) else None
    if not isinstance(stored, Mapping):
        return {}
    text = record.a if side == "a" else record.b
    names = {str(index): index for index in range(len(text.tokens or []))}
    if not all(index in names and is_position(position) for index, position in stored.items()):
        return {}
    return {names[index]: (position[0], position[1]) for index, position in stored.items()}


def _page(text: TextRecord, stored: Mapping[int, Position]) -> str:
    """The page without the words beyond its lines, which reading it with the annotations will add again."""
    lines = text.text.split("\n")
    begins = [0, *itertools.accumulate(len(line) + 1 for line in lines)]
    for index in sorted(stored, reverse=True):
        start = (text.tokens or [])[index][0]
        number = bisect_right(begins, start) - 1
        lines[number] = lines[number][: start - begins[number]].removesuffix(" ")
    return "\n".join(lines)


def _positions(record: PairRecord, side: Side) -> list[Position]:
    """The [line, token] of every token of a side: counted in its line, unless the import stored another."""
    text = record.a if side == "a" else record.b
    stored = _stored_positions(record, side)
    positions: list[Position] = []
    line = position = 0
    counts: Counter[int] = Counter()
    for index, (start, _) in enumerate(text.tokens or []):
        line += text.text.count("\n", position, start)
        position = start
        positions.append(stored.get(index, (line, counts[line])))
        counts[line] += 1
    return positions


def _published(
    span: Span, record: PairRecord, positions: Mapping[Side, Sequence[Position]], scheme: Scheme
) -> dict[str, Any]:
    line: dict[str, Any] = {}
    for side, key in reversed(SIDE_FIELDS):
        text = record.a if side == "a" else record.b
        tokens = text.tokens or []
        marked = covered_indices(span.on(side), tokens)
        line[key] = [text.text[slice(*tokens[index])] for index in marked]
        line[f"{key}_positions"] = [list(positions[side][index]) for index in marked]
    value = scheme.value(span.label)
    return line | {"score": int(value) if value == int(value) else value}
