"""The table of spans: one row each, read back by Python's reader; no formula if that was asked for."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from annotation.formats import FORMATS
from annotation.formats.record import FormatError
from annotation.formats.safe_cells import FORMULA
from annotation.formats.spans_csv import GAP
from annotation.text.schemes import PRESETS
from tests.annotation.formats import odd


def rows(name: str, out: Path) -> list[dict[str, str]]:
    FORMATS[name].write(odd.records(), odd.SCHEME, out)
    assert out.read_bytes().startswith(b"\xef\xbb\xbf"), "without this mark, Excel reads an old code page"
    with out.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_every_span_is_a_row_with_its_words_and_offsets(tmp_path: Path) -> None:
    found = rows("spans-csv", tmp_path / "spans.csv")
    records = {record.id: record for record in odd.records()}
    assert len(found) == sum(
        len(spans)
        for record in records.values()
        for spans in (*(each.spans for each in record.annotations), record.gold or ())
    )
    for row in found:
        record = records[row["pair"]]
        if row["annotator"] == "gold":
            spans = record.gold or []
        else:
            key = (row["annotator"], row["phase"], row["round"])
            spans = next(
                each.spans for each in record.annotations if (each.annotator, each.phase, str(each.round)) == key
            )
        span = next(each for each in spans if each.id == row["span"])
        assert (row["label"], row["comment"], row["predicted"]) == (span.label, span.comment, span.predicted)
        for side, text in (("a", record.a.text), ("b", record.b.text)):
            places = [tuple(map(int, part.split(".."))) for part in row[f"ranges_{side}"].split()]
            assert places == span.on(side)  # type: ignore[arg-type]
            assert row[f"text_{side}"] == GAP.join(text[start:end] for start, end in places)


def test_no_cell_is_a_formula_if_that_was_asked_for(tmp_path: Path) -> None:
    plain, safe = rows("spans-csv", tmp_path / "plain.csv"), rows("spans-csv-safe", tmp_path / "safe.csv")
    assert any(cell.startswith(FORMULA) for row in plain for cell in row.values())
    assert not any(cell.startswith(FORMULA) for row in safe for cell in row.values())
    for one, other in zip(plain, safe, strict=True):
        assert {name: cell.removeprefix("'") for name, cell in other.items()} == one


def test_a_scheme_without_spans_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="has no labels"):
        FORMATS["spans-csv"].write([], PRESETS["likert"], tmp_path / "spans.csv")
