"""Tables: columns, delimiters, refusals by line, and writing."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.formats import jsonl, table
from annotation.formats.record import FormatError, PairRecord, TextRecord
from annotation.text.limits import MAX_COLUMNS
from annotation.text.schemes import PRESETS
from tests.annotation.formats.samples import lines, pair, span


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def reasons(path: Path, **options: str) -> list[str]:
    with pytest.raises(FormatError) as caught:
        table.read([path], options)
    return [str(rejection) for rejection in caught.value.rejections]


@pytest.mark.parametrize(("name", "mark"), [("t.csv", ","), ("t.csv", ";"), ("t.csv", "\t"), ("t.tsv", "\t")])
def test_columns_that_are_not_ours_become_metadata(tmp_path: Path, name: str, mark: str) -> None:
    text = "id,text_a,text_b,topic\n1,one,eins,numbers\n".replace(",", mark)
    parsed = table.read([write(tmp_path / name, text)], {"language_a": "en", "language_b": "de"})
    record = parsed.records[0]
    assert (record.a.text, record.b.language, record.metadata) == ("one", "de", {"topic": "numbers"})


def test_lines_are_counted_through_cells_with_line_breaks(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", 'id,text_a,text_b\n1,"one\ntwo",eins\n,three,drei\n4,four\n')
    assert reasons(path, language_a="en", language_b="de") == [
        "t.csv:4: id: missing",
        "t.csv:5: 2 cells where the header has 3",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "id,text_a,text_b," + ",".join(map(str, range(MAX_COLUMNS))),
            "t.csv:1: 1003 columns; a table can have at most",
        ),
        ("id,text_a\n1,one\n", "t.csv:1: no column was recognised as text_b; the header has: id, text_a"),
        ("id,id,text_a,text_b\n", "t.csv:1: the column 'id' appears twice"),
        ("", "t.csv: an empty table"),
        (
            "id,language_a,text_a,language_b,text_b\n1,,one,de,eins\n",
            "t.csv:2: language_a: missing; add the column or set the option language_a=LANGUAGE",
        ),
        (
            "id,text_a,language_b,text_b\n1,one,de,eins\n2,two,de,zwei\n",
            "t.csv:1: the language of text A could not be determined; choose it, add the column language_a, or "
            "set the option language_a=LANGUAGE",
        ),
        ('id,text_a,text_b\n1,"one,eins\n', "t.csv:2: not a table row"),
        ("id,language_a,text_a,language_b,text_b,gold\n1,en,x,de,y,{\n", "t.csv:2: gold: not valid JSON"),
        (
            "id,language_a,text_a,language_b,text_b,metadata\n1,en,x,de,y,[]\n",
            "t.csv:2: metadata: an object is expected",
        ),
    ],
)
def test_a_bad_table_is_refused_with_line_and_reason(tmp_path: Path, text: str, reason: str) -> None:
    found = reasons(write(tmp_path / "t.csv", text))
    assert len(found) == 1 and found[0].startswith(reason)


@pytest.mark.parametrize("title", ["Texts; of the town", '"Texts\nof";the;town', "\n"])
def test_a_title_above_the_header_is_skipped_by_its_lines(tmp_path: Path, title: str) -> None:
    path = write(tmp_path / "t.csv", f"{title}\nid,text_a,text_b\n1,one,eins\n2,two\n")
    header = str(title.count("\n") + 2)
    at = int(header) + 2
    assert reasons(path, language_a="en", language_b="de", header=header) == [
        f"t.csv:{at}: 2 cells where the header has 3"
    ]
    path.write_text(path.read_text().replace("2,two\n", ""))
    (record,) = table.read([path], {"language_a": "en", "language_b": "de", "header": header}).records
    assert (record.a.text, record.where) == ("one", f"t.csv:{at - 1}")


def test_rows_longer_than_a_title_say_that_the_header_is_elsewhere(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "Texts\nid,text_a,text_b\n")
    assert reasons(path) == [
        "t.csv:2: 3 cells where the header has 1; row 1 has to name every column, or choose another header row "
        "(option header)"
    ]


def test_rows_of_single_texts_become_pairs(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "id,language,text,topic\nr,en,one,n\nr,de,eins,n\n")
    record = table.read([path], {"side_a": "de"}).records[0]
    assert (record.id, record.a.text, record.b.text) == ("r-en", "eins", "one")
    assert record.metadata == {"topic": "n", "document": "r"}


@pytest.mark.parametrize("name", ["t.csv", "t.tsv"])
def test_what_is_written_is_read_back_the_same(tmp_path: Path, name: str) -> None:
    source = lines(
        tmp_path / "pairs.jsonl",
        pair(
            metadata={"n": 1}, gold={"spans": []}, annotations=[{"annotator": "x", "spans": [span("1", ("a", 0, 4))]}]
        ),
        pair(id="p2", a={"language": "ar", "text": 'a,b\t"c"\nd', "tokens": [[0, 1]]}, mirror="p1", split="test"),
        pair(id="p3", translations_a=["Sonntags offen.", 'a,b\t"c"'], translations_b=["Open."]),
    )
    records = jsonl.read([source], {}).records
    table.write(records, PRESETS["graded"], tmp_path / name)
    again = table.read([tmp_path / name], {}).records
    for record in [*records, *again]:
        record.where = ""
    assert again == records


def test_cells_that_a_spreadsheet_takes_for_formulas_come_back_as_they_were(tmp_path: Path) -> None:
    """An escape character before them would become part of the text; `docs/formats.md` says how to open such a file."""
    texts = ["=1+1", "+39 06 1234", "-5 degrees", "@town"]
    records = [PairRecord(f"={n}", TextRecord("en", text), TextRecord("de", text)) for n, text in enumerate(texts)]
    written, _scheme = table.write(records, PRESETS["graded"], tmp_path / "out.csv")
    assert [record.a.text for record in table.read([written], {}).records] == texts
