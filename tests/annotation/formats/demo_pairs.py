"""The pairs of the demo, as formats that hold whole annotations write them."""

from __future__ import annotations

from annotation.formats import read
from annotation.formats.record import PairRecord, TextRecord
from annotation.text.spans import Span
from annotation.text.tokens import tokenize
from tests.paths import ROOT


def demo_pairs(name: str) -> list[PairRecord]:
    """The pairs of a demo project, tokenized, with annotations that have a verdict, and fragments in order."""
    records = read("jsonl", [ROOT / "fixtures" / f"{name}.jsonl"]).records
    for record in records:
        record.a, record.b = (
            TextRecord(text.language, text.text, text.tokens or tokenize(text.text, text.language))
            for text in (record.a, record.b)
        )
        record.annotations = [item for item in record.annotations if item.verdict]
        for item in record.annotations:
            item.status = ""
        for spans in (record.gold or [], *(item.spans for item in record.annotations)):
            spans[:] = [
                Span(each.id, each.label, tuple(sorted(each.fragments)), each.origin, each.comment, each.predicted)
                for each in spans
            ]
    return records
