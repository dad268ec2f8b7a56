"""Writes WebAnno TSV 3.3, which INCEpTION reads: one document per pair, side A before side B.

The folders are those of an INCEpTION project: `source/PAIR.tsv` without annotations, `annotation/PAIR.tsv/PERSON.tsv`
and `curation/PAIR.tsv/CURATION_USER.tsv` (the gold). What the format can't hold is in `diptych-webanno.csv`.

Source: INCEpTION's user guide, appendix "WebAnno TSV 3.3 File format". Its offsets count UTF-16 units; its rows are our
tokens, and between them runs of other visible characters, so that the text is complete.
"""

from __future__ import annotations

import csv
import json
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from annotation.formats.implied_scheme import scheme_path
from annotation.formats.omissions import ORIGINS, REASSIGNED, count_reassigned, nonzero_counts
from annotation.formats.record import AnnotationRecord, PairRecord, TextRecord
from annotation.formats.safe_paths import Names, writable
from annotation.formats.webanno.index import COLUMNS, CURATOR, INDEX, annotation_cells, gold_cells, pair_cells
from annotation.formats.webanno.spans import FEATURES, LINKS, SPANS
from annotation.formats.webanno.text import utf16_length
from annotation.formats.webanno.tsv import escaped_text, escaped_value
from annotation.text.schemes import Scheme, Side
from annotation.text.spans import Fragment, Span
from annotation.text.tokens import Range
from annotation.vocabulary import Phase

HEADER = (
    "#FORMAT=WebAnno TSV 3.3\n"
    f"#T_SP={SPANS}|{'|'.join(FEATURES)}\n"
    f"#T_RL={LINKS}|kind|BT_{SPANS}\n\n"  # and one before each sentence
)
_WORD = re.compile(r"\S+")


@dataclass(slots=True)
class WrittenToken:
    """A token of the document: 'sentence-token', its text, and its position in the document, in code points."""

    id: str
    start: int
    end: int
    values: list[str] = field(default_factory=list)


@dataclass(slots=True)
class WrittenDocument:
    """The text of a pair with its rows by sentence.

    `begins` is where each side begins, in code points; `units` the UTF-16 offset of each code point and of the end.
    """

    text: str
    begins: dict[str, int]
    sentences: list[tuple[Range, list[WrittenToken]]]
    units: Sequence[int]

    @property
    def rows(self) -> list[WrittenToken]:
        return [row for _, rows in self.sentences for row in rows]


def document(record: PairRecord) -> WrittenDocument:
    """Side A, a line feed, side B, and after another line feed the statement, if there is one.

    A sentence is a line with at least one token: it begins with its first token and ends with its last.
    """
    parts = {"a": record.a, "b": record.b} | ({"statement": record.statement} if record.statement else {})
    text = "\n".join(part.text for part in parts.values())
    begins: dict[str, int] = {}
    sentences: list[tuple[Range, list[WrittenToken]]] = []
    begin = 0
    for name, part in parts.items():
        begins[name] = begin
        for ranges in _lines(part):
            number = len(sentences) + 1
            rows = [
                WrittenToken(f"{number}-{position}", begin + start, begin + end)
                for position, (start, end) in enumerate(ranges, 1)
            ]
            sentences.append(((rows[0].start, rows[-1].end), rows))
        begin += len(part.text) + 1
    return WrittenDocument(text, begins, sentences, _utf16_offsets(text))


def _utf16_offsets(text: str) -> Sequence[int]:
    """A character beyond the first plane has two units; most texts have none."""
    if utf16_length(text) == len(text):
        return range(len(text) + 1)
    return [0, *accumulate(2 if character > "\uffff" else 1 for character in text)]


def _lines(part: TextRecord) -> Iterator[list[Range]]:
    """The rows of each line; a token with a line feed inside joins two."""
    line: list[Range] = []
    last = 0
    for start, end in _units(part.text, part.tokens or ()):
        if line and "\n" in part.text[last:start]:
            yield line
            line = []
        line.append((start, end))
        last = end
    if line:
        yield line


def _units(text: str, tokens: Sequence[Range]) -> Iterator[Range]:
    """The tokens, and every run of visible characters outside them."""
    last = 0
    for start, end in [*tokens, (len(text), len(text))]:
        for run in _WORD.finditer(text, last, start):
            yield run.span()
        if start < end:
            yield start, end
        last = end


def tsv(content: WrittenDocument, spans: Iterable[Span]) -> str:
    """A document with these spans.

    Each fragment is an annotation of the layer `SPANS`; relations of the layer `LINKS` lead from the first fragment of
    a span to each of its others, on the same side ('gap') or on the other ('side').
    """
    rows = content.rows
    starts = [row.start for row in rows]
    cells: dict[str, list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    links: dict[str, list[tuple[str, str]]] = defaultdict(list)
    number = 0
    for span in spans:
        first: tuple[Fragment, str, int] | None = None
        for fragment in sorted(span.fragments):
            number += 1
            begin = content.begins[fragment.side]
            low = bisect_left(starts, begin + fragment.start)
            high = bisect_left(starts, begin + fragment.end)
            values = _features(span, fragment.side)
            for row in rows[low:high]:
                cells[row.id].append((number, values))
            if low >= high:
                continue
            if first is None:
                first = (fragment, rows[low].id, number)
                continue
            kind = "gap" if first[0].side == fragment.side else "side"
            links[rows[low].id].append((kind, f"{first[1]}[{first[2]}_{number}]"))
    return HEADER + "".join(_sentence(content, bounds, own, cells, links) for bounds, own in content.sentences)


def _features(span: Span, side: Side) -> tuple[str, ...]:
    values = {
        "comment": span.comment,
        "difference": span.id,
        "label": span.label,
        "origin": span.origin,
        "predicted": span.predicted,
        "side": side,
    }
    return tuple(escaped_value(values[name]) or "*" for name in FEATURES)


def _sentence(
    content: WrittenDocument,
    bounds: Range,
    rows: Sequence[WrittenToken],
    cells: dict[str, list[tuple[int, tuple[str, ...]]]],
    links: dict[str, list[tuple[str, str]]],
) -> str:
    lines = [""]
    lines += [f"#Text={escaped_text(line)}" for line in content.text[bounds[0] : bounds[1]].split("\n")]
    for row in rows:
        own = cells.get(row.id, ())
        features = [
            "|".join(f"{values[index]}[{number}]" for number, values in own) or "_" for index in range(len(FEATURES))
        ]
        relations = links.get(row.id, ())
        features += ["|".join(kind for kind, _ in relations) or "_", "|".join(target for _, target in relations) or "_"]
        offsets = f"{content.units[row.start]}-{content.units[row.end]}"
        lines.append("\t".join([row.id, offsets, escaped_value(content.text[row.start : row.end]), *features, ""]))
    return "\n".join(lines) + "\n"


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write the folders of an INCEpTION project to `out`; returns the files written. Raises FormatError."""
    out.mkdir(parents=True, exist_ok=True)
    documents, written = Names(), [writable(out, INDEX), writable(out, scheme_path(Path(INDEX)).name)]
    written[1].write_text(json.dumps(scheme.to_json(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    with written[0].open("w", encoding="utf-8", newline="") as file:
        index = csv.DictWriter(file, COLUMNS)
        index.writeheader()
        for record in records:
            content = document(record)
            name = documents.name(record.id, f"{record.id}.tsv")
            path = writable(out, "source", name)
            path.write_text(tsv(content, ()), encoding="utf-8", newline="")
            begins = {part: content.units[begin] for part, begin in content.begins.items() if part != "a"}
            index.writerow(_row(name, path, out) | pair_cells(record, begins))
            written.append(path)
            people = Names()
            for item in record.annotations:
                key = (item.annotator, item.phase, item.round)
                path = writable(out, "annotation", name, people.name(key, f"{_person(item)}.tsv"))
                path.write_text(tsv(content, item.spans), encoding="utf-8", newline="")
                index.writerow(_row(name, path, out) | {"pair": record.id} | annotation_cells(item))
                written.append(path)
            if record.gold is not None:
                path = writable(out, "curation", name, f"{CURATOR}.tsv")
                path.write_text(tsv(content, record.gold), encoding="utf-8", newline="")
                index.writerow(_row(name, path, out) | {"pair": record.id} | gold_cells(record))
                written.append(path)
    return written


def _person(item: AnnotationRecord) -> str:
    """The annotator, as INCEpTION names the file; other phases and re-tests are files of their own."""
    phase = "" if item.phase == Phase.MAIN else f"-{item.phase}"
    return f"{item.annotator}{phase}{f'-{item.round}' if item.round else ''}"


def _row(name: str, path: Path, out: Path) -> dict[str, str]:
    return {"document": name, "file": path.relative_to(out).as_posix()}


def omitted(record: PairRecord, scheme: Scheme) -> Counter[str]:
    """The rules and annotators that gold spans come from."""
    return nonzero_counts((ORIGINS, len(record.origins)), (REASSIGNED, count_reassigned(record.annotations)))
