"""X-PARADE files: tokens with gaps, labels as longest runs, and writing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.formats import xparade
from annotation.formats.record import FormatError, ParsedSource
from annotation.formats.xparade import writer as xparade_writer
from tests.annotation.formats.samples import parade, parade_back


def read(tmp_path: Path, *items: Any, name: str = "en-es-adj-dev.json") -> ParsedSource:
    (tmp_path / name).write_text(json.dumps(items))
    return xparade.read([tmp_path / name], {})


def marked(text: str, spans: list[Any]) -> list[tuple[str, str]]:
    return [(span.label, text[span.fragments[0].start : span.fragments[0].end]) for span in spans]


def test_the_premise_is_side_a_and_the_tag_is_no_token(tmp_path: Path) -> None:
    record = read(tmp_path, parade()).records[0]
    assert (record.id, record.split, record.a.language, record.b.language) == ("en-es-77", "dev", "en", "es")
    assert record.a.text == "The museum is open on Mondays." and record.a.tokens is None
    words = [record.b.text[start:end] for start, end in record.b.tokens or []]
    assert words == ["El", "museo", "abre", "los", "lunes", ",", "gratis"]


def test_a_span_is_a_longest_run_and_a_gap_does_not_end_it(tmp_path: Path) -> None:
    record = read(tmp_path, parade()).records[0]
    first, second = record.annotations
    assert marked(record.b.text, first.spans) == [
        ("inferable", "museo abre los"),
        ("connotation", "lunes"),
        ("new", "gratis"),
    ]
    assert (first.annotator, second.annotator, second.comment) == ("0", "1", "free?")
    assert marked(record.b.text, record.gold or []) == [("new", ", gratis")]


def test_an_empty_comment_is_written_as_it_was(tmp_path: Path) -> None:
    item = parade()
    item["annotations"][0]["comment"], item["annotations"][1]["comment"] = "", None
    parsed = read(tmp_path, item)
    (written,) = xparade_writer.write(parsed.records, parsed.scheme, tmp_path / "out")
    (pair,) = json.loads(written.read_text())
    assert [person["comment"] for person in pair["annotations"]] == ["", None] and "empty_comments" not in pair


def test_what_its_files_cannot_hold_is_counted(tmp_path: Path) -> None:
    parsed = read(tmp_path, parade())
    (record,) = parsed.records
    first, second = record.annotations
    assert xparade_writer.omitted(record, parsed.scheme) == {}
    first.phase, first.active_seconds, second.guideline = "trial", 60, 1
    assert xparade_writer.omitted(record, parsed.scheme) == {
        "annotations' phases other than 'main'": 1,
        "annotations' active time": 1,
        "annotations' version of the guidelines": 1,
    }


def test_a_text_that_differs_from_its_tokens_is_made_from_them_and_counted(tmp_path: Path) -> None:
    parsed = read(tmp_path, parade(text="El museo cierra los lunes, gratis"))
    assert parsed.records[0].b.text == "El museo abre los lunes , gratis"
    assert parsed.warnings["texts that differ from their tokens, rebuilt from the tokens"] == 1


def test_an_empty_or_blank_token_keeps_its_position(tmp_path: Path) -> None:
    item = parade(tokens=parade()["tokens"] | {"3": "", "7": " "}, text=None)
    record = read(tmp_path, item).records[0]
    words = [record.b.text[start:end] for start, end in record.b.tokens or []]
    assert words == ["El", "museo", "\ufffd", "los", "lunes", " ", "gratis"]
    assert marked(record.b.text, record.gold or []) == [("new", "  gratis")]


def test_marks_outside_the_text_are_ignored_and_counted(tmp_path: Path) -> None:
    item = parade()
    item["annotations"][0]["spans"]["new information"] = [0, 4, 8]
    parsed = read(tmp_path, item)
    assert ("new", "gratis") in marked(parsed.records[0].b.text, parsed.records[0].annotations[0].spans)
    assert parsed.warnings["marks on tokens that are not in the text, ignored"] == 1
    assert parsed.warnings["marks on the language tag, ignored"] == 1


def test_both_directions_are_each_others_mirror(tmp_path: Path) -> None:
    parsed = read(tmp_path, parade(), parade_back())
    assert [record.mirror for record in parsed.records] == ["es-en-77", "en-es-77"]


def test_annotators_sort_as_the_source_counts(tmp_path: Path) -> None:
    item = parade()
    item["annotations"][1]["annotator_id"] = 10
    record = read(tmp_path, item).records[0]
    assert [annotation.annotator for annotation in record.annotations] == ["00", "10"]


def test_translations_are_of_the_side_that_is_not_english_and_no_metadata(tmp_path: Path) -> None:
    given = parade(translation="The museum opens on Mondays, free", translation2="", translation3="Mondays, free")
    back = {**given, "pair_type": "es-en", "pageid": "78"}
    first, second = read(tmp_path, given, back).records
    texts = ["The museum opens on Mondays, free", "Mondays, free"]
    assert (first.translations, second.translations) == ({"b": texts}, {"a": texts})
    assert first.metadata["title"] == "Museo" and "translation" not in first.metadata


def test_between_other_languages_it_is_unknown_what_was_translated(tmp_path: Path) -> None:
    record = read(tmp_path, parade(pair_type="fr-es", translation="Le musée")).records[0]
    assert record.translations == {} and record.metadata["translation"] == "Le musée"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"tokens": None}, "tokens: missing"),
        ({"tokens": {"x": "a"}}, "tokens: 'x' is not the index of a token"),
        ({"tokens": {"1": ["a"]}}, "tokens.1: a string is expected, not a list"),
        ({"tokens": {"1": "a", "01": "b"}}, "tokens: the index 1 appears twice"),
        ({"tokens": {"9" * 5000: "a"}}, "is not the index of a token"),
        ({"pageid": ["77"]}, "pageid: a string is expected, not a list"),
        ({"pair_type": "en"}, "pair_type: two languages"),
        ({"premise": None}, "premise: missing"),
        ({"annotations": [{"spans": {}}]}, "annotations[0].annotator_id: missing"),
        ({"annotations": [{"annotator_id": 1, "spans": {"odd": [1]}}]}, "the label 'odd' is not one of"),
        ({"translation": ["The museum"]}, "translation: a string is expected, not a list"),
        ({"labels": {"new": ["1"]}}, "labels.new: a list of token indices"),
    ],
)
def test_a_bad_pair_is_refused_by_its_number(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(tmp_path, parade(), parade(**{"pageid": "78", **change}))
    assert [item.where for item in caught.value.rejections] == ["en-es-adj-dev.json: pair 2"]
    assert reason in caught.value.rejections[0].reason


def test_json_that_is_none_is_refused_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "en-es-dev.json").write_text("[\n{]")
    with pytest.raises(FormatError, match=r"en-es-dev\.json:2: not valid JSON"):
        xparade.read([tmp_path], {})


@pytest.mark.parametrize(
    "more", [{}, {"translation": "One.", "translation2": "Two."}, {"translation3": "Three.", "translation2": ""}]
)
def test_what_is_written_is_what_was_published(tmp_path: Path, more: dict[str, str]) -> None:
    parsed = read(tmp_path, parade(**more))
    (written,) = xparade_writer.write(parsed.records, parsed.scheme, tmp_path / "out")
    assert written.name == "en-es-adj-dev.json"
    assert json.loads(written.read_text()) == [parade(**more)]
