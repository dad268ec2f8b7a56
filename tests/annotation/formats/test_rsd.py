"""Merged token labels: fifths of a graded label, -1 on punctuation, languages from wherever they are given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.formats import rsd
from annotation.formats.record import FormatError
from annotation.text.schemes import PRESETS
from tests.annotation.formats.samples import lines

LINE = {
    "text_a": "Open - on Sundays . No fee",
    "text_b": "Offen -- immer",
    "labels_a": [0.4, -1.0, 0.4, 0.0, -1.0, 1.0, 0.2],
    "labels_b": [0.0, 0.0, 0.6000000001],
    "subset": "towns",
    "id": "admin_de_0",
}


def test_runs_of_one_label_are_spans_and_punctuation_ends_none(tmp_path: Path) -> None:
    parsed = rsd.read([lines(tmp_path / "gold.jsonl", LINE)], {})
    record = parsed.records[0]
    assert (record.a.language, record.b.language, record.metadata["subset"]) == ("en", "de", "towns")
    text = {"a": record.a.text, "b": record.b.text}
    assert [
        (span.label, [text[part.side][part.start : part.end] for part in span.fragments]) for span in record.gold or []
    ] == [("2", ["Open", "on"]), ("5", ["No"]), ("1", ["fee"]), ("3", ["immer"])]
    assert parsed.warnings["tokens that are scored although they are ASCII punctuation"] == 1


def test_what_is_written_is_what_was_read(tmp_path: Path) -> None:
    line = LINE | {"labels_b": [0.0, 0.0, 0.6]}
    parsed = rsd.read([lines(tmp_path / "gold.jsonl", line)], {})
    rsd.write(parsed.records, PRESETS["graded"], tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text()) == line


@pytest.mark.parametrize(
    ("change", "added"),
    [
        ({"id": "1", "page_en": "https:__a_en_b", "page_other": "https:__a_it_b"}, {}),
        ({"id": "1", "page_en": "https:__a_en_b"}, {"language_b": "de"}),
        ({"id": "1"}, {"language_a": "en", "language_b": "de"}),
        ({"id": "admin_de_1", "language_b": "de-CH"}, {}),
        ({"id": "admin_fr_1", "language_a": "en", "language_b": "fr"}, {}),
    ],
)
def test_languages_are_written_where_the_line_does_not_say_them(
    tmp_path: Path, change: dict[str, Any], added: dict[str, str]
) -> None:
    line = LINE | {"labels_b": [0.0, 0.0, 0.6]} | change
    parsed = rsd.read([lines(tmp_path / "test.en-de.jsonl", line)], {})
    rsd.write(parsed.records, PRESETS["graded"], tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text()) == line | added
    again = rsd.read([tmp_path / "out.jsonl"], {}).records
    assert [(one.a, one.b, one.gold) for one in again] == [(one.a, one.b, one.gold) for one in parsed.records]


@pytest.mark.parametrize(
    ("name", "change", "options", "languages"),
    [
        ("x.jsonl", {"id": "1", "page_en": "https:__a_en_b", "page_other": "https:__a_it_b"}, {}, ("en", "it")),
        ("gold_en.jsonl", {"id": "1"}, {}, ("en", "en")),
        ("test.en-fr.jsonl", {"id": "1"}, {}, ("en", "fr")),
        ("x.jsonl", {"id": "1"}, {"language_a": "hi", "language_b": "zh"}, ("hi", "zh")),
    ],
)
def test_languages_are_found(
    tmp_path: Path, name: str, change: dict[str, Any], options: dict[str, str], languages: tuple[str, str]
) -> None:
    record = rsd.read([lines(tmp_path / name, LINE | change)], options).records[0]
    assert (record.a.language, record.b.language) == languages


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"labels_a": [0.0]}, "labels_a: 1 labels for 7 tokens"),
        ({"labels_b": [0.0, 0.0, 0.3]}, "labels_b[2]: 0.3 is not one of"),
        ({"labels_b": [0.0, 0.0, 1.2]}, "labels_b[2]: 1.2 is not one of"),
        ({"labels_b": [0.0, 0.0, float("nan")]}, "labels_b[2]: NaN is not a number"),
        ({"labels_b": [0.0, 0.0, True]}, "labels_b[2]: true is not one of"),
        ({"labels_b": [0.0, 0.0, 10**18]}, "is not one of -1, 0"),
        ({"id": "x" * 301}, "id: 301 characters"),
        ({"text_b": None}, "text_b: missing"),
        ({"id": "1"}, "language_a: not found in"),
        ({"scored": "yes"}, "scored: the import uses this name itself"),
    ],
)
def test_a_bad_line_is_refused(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        rsd.read([lines(tmp_path / "gold.jsonl", LINE, LINE | change)], {})
    assert [item.where for item in caught.value.rejections] == ["gold.jsonl:2"]
    assert reason in caught.value.rejections[0].reason
