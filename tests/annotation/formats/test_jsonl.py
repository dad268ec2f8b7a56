"""Our own format: what it accepts, what it refuses and where, and that what is written is read back the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats import jsonl, read
from annotation.formats.record import AnnotationRecord, FormatError, PairRecord, StoredRanges, TextRecord
from annotation.text.schemes import PRESETS
from annotation.text.spans import Fragment, Span
from tests.annotation.formats.samples import lines, pair, span


def reasons(path: Path, **options: str) -> list[str]:
    with pytest.raises(FormatError) as caught:
        jsonl.read([path], options)
    return [str(rejection) for rejection in caught.value.rejections]


def test_a_full_line_is_read(tmp_path: Path) -> None:
    data = pair(
        split="dev",
        mirror="p2",
        metadata={"topic": "libraries"},
        translations_a=["Sonntags geöffnet.", "Am Sonntag offen."],
        translations_b=[],
        annotations=[{"annotator": "anna", "phase": "trial", "spans": [span("4", ("a", 0, 4), ("b", 9, 14))]}],
        gold={"spans": []},
    )
    record = jsonl.read([lines(tmp_path / "pairs.jsonl", data)], {}).records[0]
    assert (record.id, record.split, record.mirror, record.metadata) == ("p1", "dev", "p2", {"topic": "libraries"})
    assert record.a == TextRecord("en", "Open on Sundays.")
    assert record.translations == {"a": ["Sonntags geöffnet.", "Am Sonntag offen."]}
    assert record.annotations[0].spans == [Span("s1", "4", (Fragment("a", 0, 4), Fragment("b", 9, 14)))]
    assert record.gold == [] and record.where == "pairs.jsonl:1"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not valid JSON"),
        ("[1]", "a JSON object is expected"),
        (pair(id=None), "id: missing"),
        (pair(a=None), "a: missing"),
        (pair(b={"language": "de"}), "b.text: missing"),
        (pair(metdata={}), "metdata: unknown"),
        (pair(translations_a="Offen."), "translations_a: a list is expected, not a string"),
        (pair(translations_b=["Open.", 7]), "translations_b[1]: a string is expected, not a number"),
        (pair(translations_b=[" "]), "translations_b[0]: empty"),
        (pair(translations_b=["a\0b"]), "translations_b[0]: contains a NUL character at 1"),
        (pair(a={"language": "en", "text": "ab", "tokens": [[0, 3]]}), "a.tokens[0]: [0, 3) ends beyond"),
        (
            pair(a={"language": "en", "text": "ab", "tokens": [[0, 2], [1, 2]]}),
            "a.tokens[1]: [1, 2) is empty or begins",
        ),
        (pair(a={"language": "en", "text": "a\0b"}), "a.text: contains a NUL character at 1"),
        ('{"id": "\\ud800", "a": {}, "b": {}}', "id: contains half a surrogate pair"),
        (pair(annotations=[{"annotator": "x", "phase": "final"}]), "annotations[0].phase: 'final' is not one of"),
        (pair(annotations=[{"annotator": "x"}, {"annotator": "x"}]), "annotations[1]: 'x' appears twice"),
        (pair(annotations=[{"annotator": "x", "spans": [span("1", ("c", 0, 1))]}]), "'c' is neither 'a' nor 'b'"),
        (pair(gold={"spans": [span("1", ("a", 4, 2))]}), "gold: spans[0].fragments[0]: [4, 2) is not a range"),
        ('{"id": "x", "language": "en", "text": "one"}', "need the option side_a=LANGUAGE"),
    ],
)
def test_a_bad_line_is_refused_with_file_line_and_reason(tmp_path: Path, line: Any, reason: str) -> None:
    found = reasons(lines(tmp_path / "pairs.jsonl", pair(id="fine"), line))
    assert len(found) == 1
    assert found[0].startswith("pairs.jsonl:2: ") and reason in found[0]


def test_every_bad_line_is_named(tmp_path: Path) -> None:
    found = reasons(lines(tmp_path / "pairs.jsonl", "{", pair(), pair(id="")))
    assert [item.split(": ")[0] for item in found] == ["pairs.jsonl:1", "pairs.jsonl:3"]


def test_a_byte_that_is_no_utf8_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b"{}\n\xff\n")
    assert reasons(path) == ["pairs.jsonl:2: not valid UTF-8; save the file as UTF-8"]


def test_missing_files_and_unknown_options_are_refused(tmp_path: Path) -> None:
    assert "no such file" in reasons(tmp_path / "none.jsonl")[0]
    with pytest.raises(
        FormatError, match="option colour: this format has no such option; it has pairs, sentences, side_a"
    ):
        read("jsonl", [lines(tmp_path / "pairs.jsonl", pair())], {"colour": "red"})


def test_rows_of_single_texts_become_pairs_with_the_language_of_side_a(tmp_path: Path) -> None:
    rows = [{"id": "report", "language": language, "text": language * 3} for language in ("de", "en", "fr")]
    parsed = jsonl.read([lines(tmp_path / "texts.jsonl", *rows)], {"side_a": "en"})
    assert [(record.id, record.a.text, record.b.text) for record in parsed.records] == [
        ("report-de", "enenen", "dedede"),
        ("report-fr", "enenen", "frfrfr"),
    ]
    with pytest.raises(FormatError, match="'report' has no text in it"):
        jsonl.read([tmp_path / "texts.jsonl"], {"side_a": "it"})


def test_the_labels_used_imply_the_scheme(tmp_path: Path) -> None:
    for label, name in (("5", "graded"), ("new", "xparade"), ("reference", "xparade-extended")):
        path = lines(tmp_path / f"{name}.jsonl", pair(gold={"spans": [span(label, ("b", 0, 8))]}))
        assert jsonl.read([path], {}).scheme == PRESETS[name]


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30)
WORDS = TEXT.filter(str.strip)


@st.composite
def text_records(draw: st.DrawFn) -> TextRecord:
    text = draw(TEXT)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    tokens = draw(st.sampled_from([None, list(zip(cuts[::2], cuts[1::2], strict=False))]))
    return TextRecord(draw(st.sampled_from(["en", "ar", "zh"])), text, tokens)


@st.composite
def spans(draw: st.DrawFn) -> list[Span]:
    return [
        Span(
            f"s{number}",
            draw(st.sampled_from("12345")),
            tuple(Fragment(draw(st.sampled_from("ab")), index, index + 2) for index in range(draw(st.integers(0, 2)))),
            draw(st.sampled_from(["manual", "accepted", "edited"])),
            draw(TEXT),
        )
        for number in range(draw(st.integers(0, 3)))
    ]


@st.composite
def records(draw: st.DrawFn) -> list[PairRecord]:
    return [
        PairRecord(
            f"pair {number}",
            draw(text_records()),
            draw(text_records()),
            statement=draw(st.none() | text_records()),
            split=draw(st.sampled_from(["", "dev"])),
            metadata=draw(st.dictionaries(TEXT, TEXT | st.integers(-(10**18), 10**18) | st.lists(TEXT), max_size=2)),
            translations=draw(st.dictionaries(st.sampled_from("ab"), st.lists(WORDS, min_size=1, max_size=2))),
            annotations=[
                AnnotationRecord(
                    f"a{index}",
                    phase=draw(st.sampled_from(["trial", "main"])),
                    round=draw(st.integers(0, 2)),
                    status=draw(st.sampled_from(["", "done", "started"])),
                    guideline=draw(st.none() | st.integers(1, 9)),
                    verdict=draw(st.sampled_from(["", "submitted", "flagged"])),
                    reason=draw(TEXT),
                    comment=draw(TEXT),
                    spans=draw(spans()),
                    active_seconds=draw(st.integers(0, 9999)),
                )
                for index in range(draw(st.integers(0, 2)))
            ],
            gold=draw(st.none() | spans()),
        )
        for number in range(draw(st.integers(1, 3)))
    ]


@given(records())
def test_what_is_written_is_read_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, made: list[PairRecord]
) -> None:
    path = tmp_path_factory.mktemp("out") / "pairs.jsonl"
    assert jsonl.write(made, PRESETS["graded"], path) == [path, path.with_suffix(".scheme.json")]
    parsed = jsonl.read([path], {})
    for record in parsed.records:
        record.where = ""
    assert parsed.records == made
    assert parsed.scheme == PRESETS["graded"]


@pytest.mark.parametrize("stored", ["[]", "[[0, 4]]", "[[0, 4], [5, 9]]"])
def test_stored_ranges_are_written_as_they_are_and_read_when_needed(tmp_path: Path, stored: str) -> None:
    parsed = [(start, end) for start, end in json.loads(stored)]
    ranges = StoredRanges(stored)
    assert (len(ranges), list(ranges), ranges == parsed) == (len(parsed), parsed, True)
    metadata = {"é": [1, None, {"deep": "«"}], "n": 1.5, "empty": {}}
    for tokens in (ranges, parsed):
        record = PairRecord("p", TextRecord("en", "Open now.", tokens), TextRecord("de", "", None), metadata=metadata)
        (out, _scheme) = jsonl.write([record], PRESETS["graded"], tmp_path / "out.jsonl")
        a = {"language": "en", "text": "Open now.", "tokens": parsed}
        data = {"id": "p", "a": a, "b": {"language": "de", "text": ""}, "metadata": metadata}
        assert out.read_text() == json.dumps(data, ensure_ascii=False) + "\n"
