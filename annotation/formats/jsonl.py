"""Our own format: one pair per line, as JSON; texts, and optionally tokens, metadata, annotations and gold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from annotation.formats import language_pairs
from annotation.formats.base import FORMATS, Format, Option
from annotation.formats.field_types import FieldError
from annotation.formats.fields import json_text, pair_record, record_json
from annotation.formats.implied_scheme import implied_scheme, scheme_path
from annotation.formats.parallel import ParallelDocuments
from annotation.formats.record import PairRecord, ParsedSource
from annotation.formats.safe_paths import target_file
from annotation.formats.source import Refusals, files, first_object, json_lines
from annotation.text.schemes import Scheme

OPTIONS = {
    "side_a": Option("language of side A, if rows are single texts (id, language, text)"),
    **language_pairs.OPTIONS,
}


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read `.jsonl` files, or folders of them. Raises FormatError with every line that is refused."""
    sources = files(paths, (".jsonl",))
    refusals = Refusals()
    records: list[PairRecord] = []
    documents = ParallelDocuments(options)
    for path in sources:
        for where, data in json_lines(path, refusals):
            try:
                if "text" in data and "a" not in data:
                    documents.add(data, where)
                else:
                    records.append(pair_record(data, where))
            except FieldError as error:
                refusals.add(where, error.phrase)
    records.extend(documents.pairs(refusals))
    refusals.raise_any(records)
    return ParsedSource(records, implied_scheme(sources, records), documents=documents.report)


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write one line per record to `out`, and the scheme next to it; returns the files written."""
    out, beside = target_file(out), target_file(scheme_path(out))
    beside.write_text(json.dumps(scheme.to_json(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    with out.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(json_text(record_json(record)) + "\n")
    return [out, beside]


def is_jsonl(path: Path) -> bool:
    """Whether a file's first line is a pair, or a text of a pair."""
    keys = first_object(path).keys()
    return {"a", "b"} <= keys or {"language", "text"} <= keys


FORMAT = FORMATS.register(
    Format(
        "jsonl",
        "pairs, annotations and gold, one JSON object per line",
        read,
        write,
        OPTIONS,
        extensions=(".jsonl",),
        recognises=is_jsonl,
        exports="JSONL: everything, including work in progress, with the project's own names",
        ending=".jsonl",
        complete=True,
    )
)
