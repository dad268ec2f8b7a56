"""Valid sources of every format, made from the project's own fixtures by the project's own writers."""

from __future__ import annotations

from pathlib import Path

from annotation import formats
from annotation.formats.record import AnnotationRecord, PairRecord, ParsedSource, TextRecord
from annotation.formats.spreadsheet.sample import write_xlsx
from annotation.text.schemes import PRESETS
from annotation.text.spans import Fragment, Span
from annotation.text.tokens import tokenize
from tests.annotation.formats.made_pages import town_pages
from tests.paths import ROOT

NAMES = (*(name for name, each in formats.import_formats().items() if each.reader), "foreign")
"""All that are read into records; an archive of a project has tests of its own."""
PAIRS = 3


def make(name: str, folder: Path) -> Path:
    """Write the seed of a format into `folder`; returns what is to be read."""
    parsed = _fixture("demo-new" if name == "xparade" else "demo-graded", english=name in ("xparade", "swissgov"))
    folder.mkdir(parents=True, exist_ok=True)
    if name == "foreign":
        _foreign(parsed, folder / "set")
        return folder / "set"
    if name == "pages":
        return town_pages(folder / "town")
    chosen = formats.FORMATS[name]
    out = folder / f"pairs{chosen.ending}"
    if chosen.dataset:
        chosen.dataset.write(parsed.records, parsed.scheme, out, {1: "# Mark"})
    elif name == "spreadsheet":
        out = out.with_suffix(".xlsx")
        _spreadsheet(parsed, out)
    else:
        chosen.write(parsed.records, parsed.scheme, out)
    return out


def _spreadsheet(parsed: ParsedSource, out: Path) -> None:
    rows = [(each.id, each.a.language, each.a.text, each.b.language, each.b.text) for each in parsed.records]
    write_xlsx(out, [("id", "language_a", "text_a", "language_b", "text_b"), *rows])


def options(name: str) -> dict[str, str]:
    """What reading the seed of a format needs beside its path."""
    return {"foreign": {"language_a": "en", "language_b": "de"}}.get(name, {})


def _fixture(name: str, *, english: bool) -> ParsedSource:
    parsed = formats.read("jsonl", [ROOT / "fixtures" / f"{name}.jsonl"])
    found = [each for each in parsed.records if not english or each.a.language == "en"]
    by_language: dict[str, list[PairRecord]] = {}
    for record in found:
        by_language.setdefault(record.b.language, []).append(record)
    chosen = max(by_language.values(), key=len) if english else found
    chosen = sorted(chosen, key=lambda each: len(each.a.text) + len(each.b.text))[:PAIRS]
    scheme = PRESETS["graded"] if name == "demo-graded" else PRESETS["xparade"]
    labels = scheme.keys
    records = [_marked(each, labels, number) for number, each in enumerate(chosen)]
    return ParsedSource(records, scheme)


def _marked(record: PairRecord, labels: list[str], number: int) -> PairRecord:
    """The pair with tokens, and with work and gold that use every part of a span."""
    record.a, record.b = _tokenized(record.a), _tokenized(record.b)
    sides = ("a", "b") if len(labels) > 2 else ("b",)
    spans = []
    for number in range(3):
        fragments = []
        for side in sides:
            start, end = (record.a if side == "a" else record.b).tokens[number * 2]  # type: ignore[index]
            fragments.append(Fragment(side, start, end))  # type: ignore[arg-type]
        spans.append(Span(f"s{number + 1}", labels[number % len(labels)], tuple(fragments)))
    record.annotations = [
        AnnotationRecord("annotator1", spans=spans, comment="Ja 😀"),
        AnnotationRecord("annotator2", spans=spans[:1], active_seconds=7),
    ]
    record.gold = spans[1:]
    record.metadata = {"topic": "x", "n": [1, 2.5, None], "deep": {"a": {"b": True}}}
    record.split = ("train", "dev", "test")[number % 3]
    return record


def _tokenized(text: TextRecord) -> TextRecord:
    return TextRecord(text.language, text.text, text.tokens or tokenize(text.text, text.language))


def _foreign(parsed: ParsedSource, folder: Path) -> None:
    import pyarrow
    import pyarrow.parquet as parquet

    folder.mkdir(parents=True)
    texts = [{"id": each.id, "text_a": each.a.text, "text_b": each.b.text, "n": 1.5} for each in parsed.records]
    labels = [
        {
            "id": f"{each.id}-gold",
            "text_a": "a b c",
            "text_b": "d e",
            "labels_a": [0.0, 0.4, -1.0],
            "labels_b": [1.0, 0.2],
        }
        for each in parsed.records
    ]
    for name, rows in (("train-0.parquet", texts), ("test-0.parquet", labels[:1])):
        parquet.write_table(pyarrow.Table.from_pylist(rows), folder / name)
