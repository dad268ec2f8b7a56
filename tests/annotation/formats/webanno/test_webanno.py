"""WebAnno TSV 3.3, read back by a reader of its own, written by the specification in INCEpTION's user guide."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from annotation.formats import FORMATS, read
from annotation.formats.record import AnnotationRecord, PairRecord, TextRecord
from annotation.formats.webanno.index import INDEX
from annotation.formats.webanno.spans import LINKS, SPANS
from annotation.formats.webanno.tsv import escaped_text, escaped_value, unescape
from annotation.text.schemes import PRESETS, Scheme
from annotation.text.spans import Fragment, Span, spans_document
from annotation.text.tokens import tokenize
from tests.annotation.formats import odd
from tests.paths import ROOT

_UNESCAPED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}


@dataclass
class Read:
    """What the second reader finds: rows as (id, begin, end, text), annotations, relations, sentences."""

    rows: list[tuple[str, int, int, str]] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    spans: dict[int, dict[str, str]] = field(default_factory=dict)
    covers: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    relations: list[tuple[str, int, int]] = field(default_factory=list)


def plain(value: str) -> str:
    return re.sub(r"\\(->|.)", lambda found: _UNESCAPED.get(found[1], found[1]), value, flags=re.DOTALL)


def parts(value: str) -> list[str]:
    """A column's values: stacked annotations are separated by '|'."""
    return re.split(r"(?<!\\)(?:\\\\)*\|", value) if value != "_" else []


def parse(text: str) -> Read:
    lines = text.split("\n")
    assert lines[0] == "#FORMAT=WebAnno TSV 3.3" and lines[3:5] == ["", ""] and lines[-1] == ""
    span_layer, *features = lines[1].removeprefix("#T_SP=").split("|")
    assert (span_layer, lines[2]) == (SPANS, f"#T_RL={LINKS}|kind|BT_{SPANS}")
    found = Read()
    for line in lines[5:]:
        if line.startswith("#Text="):
            found.sentences.append(plain(line.removeprefix("#Text=")))
            continue
        if not line:
            continue
        identity, offsets, token, *cells, last = line.split("\t")
        assert last == "" and len(cells) == len(features) + 2, line
        begin, end = map(int, offsets.split("-"))
        index = len(found.rows)
        found.rows.append((identity, begin, end, plain(token)))
        for name, cell in zip(features, cells, strict=False):
            for part in parts(cell):
                match = re.fullmatch(r"(.*)\[(\d+)\]", part, re.DOTALL)
                assert match, part
                value = "" if match[1] == "*" else plain(match[1])
                assert found.spans.setdefault(int(match[2]), {}).setdefault(name, value) == value
                if name == features[0]:
                    found.covers[int(match[2])].append(index)
        for kind, target in zip(parts(cells[-2]), parts(cells[-1]), strict=True):
            match = re.fullmatch(r"(\d+-\d+)\[(\d+)_(\d+)\]", target)
            assert match
            source, to = int(match[2]), int(match[3])
            assert found.rows[found.covers[source][0]][0] == match[1], "the row in which the first annotation begins"
            found.relations.append((kind, source, to))
    return found


def utf16(text: str) -> bytes:
    return text.encode("utf-16-le")


def spans_in(found: Read, record: PairRecord) -> set[tuple[str, str, str, str, tuple[Fragment, ...]]]:
    """The spans of a file, put together again: fragments joined by relations, in code points of their sides."""
    whole = "\n".join(part.text for part in (record.a, record.b, record.statement) if part)
    begin_b = len(record.a.text) + 1
    data = utf16(whole)
    parents = {to: source for _, source, to in found.relations}
    by_first: dict[int, list[Fragment]] = defaultdict(list)
    for number, values in found.spans.items():
        rows = [found.rows[index] for index in found.covers[number]]
        start, end = (len(data[: 2 * at].decode("utf-16-le")) for at in (rows[0][1], rows[-1][2]))
        offset = begin_b if values["side"] == "b" else 0
        by_first[parents.get(number, number)].append(
            Fragment("b" if values["side"] == "b" else "a", start - offset, end - offset)
        )
    keys = ("difference", "label", "predicted", "comment")
    return {
        (*(found.spans[first][key] for key in keys), tuple(sorted(parts)))  # type: ignore[misc]
        for first, parts in by_first.items()
    }


def expected(spans: list[Span]) -> set[tuple[str, str, str, str, tuple[Fragment, ...]]]:
    return {
        (span.id, span.label, span.predicted, span.comment, tuple(sorted(span.fragments)))
        for span in spans
        if span.fragments
    }


def check(records: list[PairRecord], scheme: Scheme, out: Path) -> list[dict[str, str]]:
    """Write the records and compare every file with its annotation; returns the rows of the index."""
    FORMATS["webanno"].write(records, scheme, out)
    with (out / INDEX).open(encoding="utf-8", newline="") as file:
        index = list(csv.DictReader(file))
    by_id = {record.id: record for record in records}
    assert len(index) == sum(1 + len(item.annotations) + (item.gold is not None) for item in records)
    for about in index:
        record = by_id[about["pair"]]
        found = parse((out / about["file"]).read_bytes().decode())
        spans: list[Span] = []
        if about["annotator"] == "CURATION_USER":
            spans = list(record.gold or ())
        elif about["annotator"]:
            key = (about["annotator"], about["phase"], int(about["round"]))
            spans = next(item.spans for item in record.annotations if (item.annotator, item.phase, item.round) == key)
        assert spans_in(found, record) == expected(spans), about["file"]
        without = {
            str(position): spans_document([span])["spans"][0]
            for position, span in enumerate(spans)
            if not span.fragments
        }
        assert json.loads(about["broken"] or "{}") == without
        whole = "\n".join(part.text for part in (record.a, record.b, record.statement) if part)
        for _, begin, end, token in found.rows:
            assert utf16(whole)[2 * begin : 2 * end].decode("utf-16-le") == token
        visible = "".join(token for *_, token in found.rows)
        assert "".join(visible.split()) == "".join(whole.split()), "all that can be seen is in a row"
        assert "".join("".join(found.sentences).split()) == "".join(whole.split())
        if about["annotator"]:
            continue
        assert (about["text_a"], about["text_b"]) == (record.a.text, record.b.text)
        assert utf16(whole)[: 2 * int(about["begin_b"])].decode("utf-16-le") == record.a.text + "\n"
    return index


def test_every_odd_thing_is_read_back(tmp_path: Path) -> None:
    index = check(odd.records(), odd.SCHEME, tmp_path / "out")
    names = [row["file"].casefold() for row in index]
    assert len(set(names)) == len(names), "no two files have one name, whatever the file system"
    last = next(row for row in index if row["pair"] == "gaps" and row["annotator"] == "1")
    assert last["answers"] == '{"agree": "4"}'
    first = next(row for row in index if row["pair"] == "gaps" and not row["annotator"])
    assert (first["language_statement"], first["text_statement"]) == ("en", "They greet 😀.")


@pytest.mark.parametrize(("name", "scheme"), [("demo-graded", "graded"), ("demo-new", "xparade")])
def test_the_demos_are_read_back(tmp_path: Path, name: str, scheme: str) -> None:
    records = read("jsonl", [ROOT / "fixtures" / f"{name}.jsonl"]).records
    for record in records:
        record.a, record.b = (
            TextRecord(text.language, text.text, text.tokens or tokenize(text.text, text.language))
            for text in (record.a, record.b)
        )
        first = (record.b.tokens or [])[0]
        record.annotations.append(
            AnnotationRecord("new", spans=[Span("n", PRESETS[scheme].keys[0], (Fragment("b", *first),))])
        )
    check(records, PRESETS[scheme], tmp_path / "out")


def test_the_specifications_own_examples() -> None:
    assert escaped_value("a\\[b]|c_d->e;f\tg\nh*-i>") == "a\\\\\\[b\\]\\|c\\_d\\->e\\;f\\tg\\nh\\*-i>"
    assert escaped_text("a\tb\\c\rd\x01[_]|") == "a\\tb\\\\c\\rd\\\x01[_]|"


def test_a_smiley_counts_two_and_sentences_are_lines(tmp_path: Path) -> None:
    a = TextRecord("en", "I like it 😊 .\nYes.", [(0, 1), (2, 6), (7, 9), (10, 11), (12, 13), (14, 17), (17, 18)])
    record = PairRecord("p", a, TextRecord("de", "Ja.", [(0, 2), (2, 3)]))
    FORMATS["webanno"].write([record], PRESETS["graded"], tmp_path / "out")
    body = (tmp_path / "out" / "source" / "p.tsv").read_text(encoding="utf-8").split("\n\n\n")[1]
    empty = "\t_" * 8 + "\t"
    assert body == "\n".join(
        [
            "#Text=I like it 😊 .",
            *(f"1-{row}{empty}" for row in ("1\t0-1\tI", "2\t2-6\tlike", "3\t7-9\tit", "4\t10-12\t😊", "5\t13-14\t.")),
            "",
            "#Text=Yes.",
            *(f"2-{row}{empty}" for row in ("1\t15-18\tYes", "2\t18-19\t.")),
            "",
            "#Text=Ja.",
            *(f"3-{row}{empty}" for row in ("1\t20-22\tJa", "2\t22-23\t.")),
            "",
        ]
    )


@pytest.mark.parametrize("value", ["a\\b", "x->y|z", "[1]", "_", "*", "tab\tline\n\r", "\\->", "😀;"])
def test_escapes_are_read_as_they_are_written(value: str) -> None:
    assert unescape(escaped_value(value)) == value == plain(escaped_value(value))
    assert unescape(escaped_text(value.replace("\n", " "))) == value.replace("\n", " ")
