"""A table for spreadsheets: one row per span, of annotators and of the gold. Written only."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from annotation.formats.base import FORMATS, Format
from annotation.formats.omissions import (
    ANSWERS,
    METADATA,
    MIRRORS,
    ORIGINS,
    PAIR_COMMENTS,
    TRANSLATIONS,
    UNMARKED,
    count_answers,
    count_origins,
    nonzero_counts,
    unpublished_counts,
)
from annotation.formats.record import AnnotationRecord, PairRecord, TextRecord
from annotation.formats.safe_cells import safe_cell
from annotation.formats.safe_paths import target_file
from annotation.formats.source import refusal
from annotation.phrases import Phrase
from annotation.text.schemes import SIDES, Scheme
from annotation.text.spans import Span, count_covered

COLUMNS = (
    *("pair", "split", "language_a", "language_b", "annotator", "phase", "round", "verdict", "span", "label"),
    *("label_name", "origin", "predicted", "comment", "text_a", "text_b", "ranges_a", "ranges_b"),
    *("tokens_a", "tokens_b"),
)
GAP = " … "
"""Between the fragments of a side."""
GOLD = "gold"


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path, *, safe: bool) -> list[Path]:
    """Write one row per span to `out`. Raises FormatError for a scheme without labels.

    `safe`: a cell that a spreadsheet may take for a formula begins with an apostrophe, which shows it as text.
    """
    if not scheme.labels:
        raise refusal(f"scheme '{scheme.name}'", Phrase("this scheme has no labels, so there are no spans to list"))
    # With a byte order mark, without which Excel reads UTF-8 as an old code page.
    with target_file(out).open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        for record in records:
            for row in _rows(record, scheme):
                table.writerow({name: safe_cell(cell) for name, cell in row.items()} if safe else row)
    return [out]


def omitted(record: PairRecord, scheme: Scheme) -> Counter[str]:
    unmarked = sum(not item.spans for item in record.annotations) + (record.gold is not None and not record.gold)
    return nonzero_counts(
        (ANSWERS, count_answers(record)),
        (PAIR_COMMENTS, sum(bool(item.comment) for item in record.annotations)),
        (UNMARKED, unmarked),
        (METADATA, bool(record.metadata)),
        (MIRRORS, bool(record.mirror)),
        (TRANSLATIONS, bool(record.translations)),
        (ORIGINS, count_origins(record)),
        *unpublished_counts(record.annotations),
    )


def _rows(record: PairRecord, scheme: Scheme) -> Iterator[dict[str, str | int]]:
    for item in record.annotations:
        for span in item.spans:
            yield _row(record, scheme, span) | _annotation_cells(item)
    for span in record.gold or ():
        yield _row(record, scheme, span) | {"annotator": GOLD, "phase": "", "round": "", "verdict": ""}


def _annotation_cells(item: AnnotationRecord) -> dict[str, str | int]:
    return {"annotator": item.annotator, "phase": item.phase, "round": item.round, "verdict": item.verdict}


def _row(record: PairRecord, scheme: Scheme, span: Span) -> dict[str, str | int]:
    row: dict[str, str | int] = {
        "pair": record.id,
        "split": record.split,
        "span": span.id,
        "label": span.label,
        "label_name": scheme.label(span.label).name if span.label in scheme.keys else "",
        "origin": span.origin,
        "predicted": span.predicted,
        "comment": span.comment,
    }
    for side in SIDES:
        text: TextRecord = getattr(record, side)
        ranges = span.on(side)
        row[f"language_{side}"] = text.language
        row[f"text_{side}"] = GAP.join(text.text[start:end] for start, end in ranges)
        row[f"ranges_{side}"] = " ".join(f"{start}..{end}" for start, end in ranges)
        row[f"tokens_{side}"] = count_covered(ranges, text.tokens or ())
    return row


FORMAT = FORMATS.register(
    Format(
        "spans-csv",
        "a table of spans",
        None,
        partial(write, safe=False),
        exports="a table of spans for spreadsheets, one row per span, cells unchanged",
        ending=".csv",
        omitted=omitted,
    )
)
SAFE = FORMATS.register(
    Format(
        "spans-csv-safe",
        "a table of spans without formulas",
        None,
        partial(write, safe=True),
        exports="the same table for files with texts from others: no cell can be taken for a formula",
        ending=".csv",
        omitted=omitted,
    )
)
