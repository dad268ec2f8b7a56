"""Merged token labels: `text_a, text_b, labels_a, labels_b, id` per line, as in iSTS-RSD and SwissGov-RSD's gold.

A label is the graded label divided by five; 0 is equivalent; -1 is on punctuation, which has no label.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats import omissions
from annotation.formats.base import FORMATS, Format, Option
from annotation.formats.field_types import FieldError, short_repr
from annotation.formats.graded_tokens import (
    EXCEPTIONS,
    OWN_FIELDS,
    STEPS,
    labelled_record,
    language_from_source,
    supports_scheme,
    words_and_labels,
)
from annotation.formats.record import PairRecord, ParsedSource, TextRecord
from annotation.formats.safe_paths import target_file
from annotation.formats.source import Refusals, files, first_object, json_lines, refusal
from annotation.phrases import Phrase
from annotation.text.schemes import PRESETS, Scheme, Side

OPTIONS = {
    "language_a": Option("language of side A, if page addresses, ids or the file name don't show it"),
    "language_b": Option("language of side B, if there is no such column"),
    "split": Option("the split of all pairs"),
}
# Keys of a written line; metadata with these names never replaces them.
_RESERVED_FIELDS = {*OWN_FIELDS, "language_a", "language_b", "split", "chunk_id", *EXCEPTIONS}


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read `.jsonl` files, or folders of them, as gold in the graded scheme.

    Raises FormatError with every line that is refused.
    """
    refusals = Refusals()
    parsed = ParsedSource([], PRESETS["graded"])
    for path in files(paths, (".jsonl",)):
        for where, data in json_lines(path, refusals):
            try:
                parsed.records.append(labelled_record(data, options, path, where, parsed.warnings))
            except FieldError as error:
                refusals.add(where, error.phrase)
    refusals.raise_any(parsed.records)
    return parsed


def scheme_problem(scheme: Scheme) -> Phrase | None:
    """Why the labels of a scheme can't be written; None if they can."""
    if supports_scheme(scheme):
        return None
    return Phrase("token labels are grades from 0 to %(steps)s; this scheme has others", {"steps": str(STEPS)})


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write the records that have gold to `out`, one line each.

    A token under several spans takes the last one's label, as in SwissGov-RSD's merged gold.
    """
    with target_file(out).open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            if record.gold is not None:
                file.write(json.dumps(_line(record, scheme), ensure_ascii=False) + "\n")
    return [out]


def omitted(record: PairRecord, scheme: Scheme) -> Counter[str]:
    """Everything but the gold, and of that what one label per token can't hold."""
    gold = record.gold or ()
    return omissions.nonzero_counts(
        (omissions.ANNOTATIONS, len(record.annotations)),
        (omissions.NO_GOLD, record.gold is None),
        (omissions.OVERLAPS, omissions.count_overlaps(record, gold)),
        (omissions.NO_TOKEN, omissions.count_broken_spans(gold)),
        (omissions.COMMENTS, omissions.count_comments(gold)),
        (omissions.LINKED, sum(len(span.sides) > 1 for span in gold)),
        (omissions.SUGGESTED, omissions.count_suggested(gold)),
        (omissions.ORIGINS, omissions.count_origins(record)),
        (omissions.ANSWERS, len(record.gold_answers)),
        (omissions.MIRRORS, bool(record.mirror)),
        (omissions.TRANSLATIONS, bool(record.translations)),
    )


def _line(record: PairRecord, scheme: Scheme) -> dict[str, Any]:
    line: dict[str, Any] = {}
    sides: tuple[tuple[Side, TextRecord], ...] = (("a", record.a), ("b", record.b))
    for side, _text in sides:
        words, line[f"labels_{side}"] = words_and_labels(record, side, scheme)
        if spaced := next((word for word in words if " " in word), None):
            reason = Phrase(
                "side %(side)s: the token %(spaced)s contains a space, which separates tokens in this format",
                {"side": str(side), "spaced": short_repr(spaced)},
            )
            raise refusal(f"pair '{record.id}'", reason)
        line[f"text_{side}"] = " ".join(words)
    chunk = record.metadata.get("chunk_id")
    if type(chunk) is int and chunk > 0 and record.id.endswith(f"_{chunk}"):
        line |= {"id": record.id.removesuffix(f"_{chunk}"), "chunk_id": chunk}
    else:
        line["id"] = record.id
    split = {"split": record.split} if record.split else {}
    metadata = {key: value for key, value in record.metadata.items() if key not in _RESERVED_FIELDS}
    line |= split | metadata
    for side, text in sides:
        # As published, lines don't repeat what their id or addresses say.
        if f"language_{side}" in record.metadata or language_from_source(side, line) != text.language:
            line[f"language_{side}"] = text.language
    return line


def is_rsd(path: Path) -> bool:
    """Whether a file's first line has merged token labels."""
    return {"text_a", "text_b", "labels_a", "labels_b"} <= first_object(path).keys()


FORMAT = FORMATS.register(
    Format(
        "rsd",
        "merged token labels, imported as gold",
        read,
        write,
        OPTIONS,
        extensions=(".jsonl",),
        recognises=is_rsd,
        exports="token labels from the gold",
        ending=".jsonl",
        omitted=omitted,
        scheme_problem=scheme_problem,
        scheme=PRESETS["graded"],
    )
)
