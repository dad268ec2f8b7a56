"""Malicious sources: each is refused with location and reason, by every reader in the same way."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as parquet
import pytest

from annotation import formats
from annotation.formats.record import FormatError
from tests.annotation.formats.samples import NAME, lines, pair, parade, town, town_line
from tests.fuzz import seeds

DIGITS, DEEP = "9" * 5000, "[" * 100_000
RAW = {
    DIGITS: "5000 digits",
    "1e999": "too large",
    "NaN": "not a number",
    DEEP: "nested too deeply",
    '"\\ud800"': "half a surrogate pair",
    '"\\u0000"': "NUL character",
}


def refused(name: str, path: Path, **options: str) -> str:
    with pytest.raises(FormatError) as caught:
        formats.read(name, [path], options)
    return "\n".join(f"{item.where}: {item.reason}" for item in caught.value.rejections)


def marked(value: Any) -> str:
    return json.dumps(value)


def jsonl(folder: Path, raw: str) -> Path:
    return lines(folder / "pairs.jsonl", marked(pair(metadata={"n": "@"})).replace('"@"', raw))


def csv(folder: Path, raw: str) -> Path:
    cell = ('{"n": ' + raw + "}").replace('"', '""')
    path = folder / "pairs.csv"
    path.write_text(f'id,language_a,text_a,language_b,text_b,metadata\n1,en,x,de,y,"{cell}"\n')
    return path


def xparade(folder: Path, raw: str) -> Path:
    path = folder / "en-es-dev.json"
    path.write_text(marked([parade(similarity="@")]).replace('"@"', raw))
    return path


def swissgov(folder: Path, raw: str) -> Path:
    return town(folder, first=[marked(town_line(score="@")).replace('"@"', raw)], second=[])


def rsd(folder: Path, raw: str) -> Path:
    line = {"id": "admin_de_1", "text_a": "a", "text_b": "b", "labels_a": ["@"], "labels_b": [0]}
    return lines(folder / "gold.jsonl", marked(line).replace('"@"', raw))


def hub(folder: Path, raw: str) -> Path:
    source = seeds.make("hub", folder)
    path = next((source / "annotations").glob("*.parquet"))
    table = parquet.read_table(path)
    cells = pyarrow.array(['{"n": ' + raw + "}"] * table.num_rows, pyarrow.string())
    parquet.write_table(table.set_column(table.column_names.index("metadata"), "metadata", cells), path)
    return source


MAKERS: tuple[Callable[[Path, str], Path], ...] = (jsonl, csv, xparade, swissgov, rsd, hub)


@pytest.mark.long
@pytest.mark.parametrize("raw", RAW, ids=lambda raw: raw[:8])
@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_a_value_that_cannot_be_stored_is_refused_with_its_location(
    make: Callable[[Path, str], Path], raw: str, tmp_path: Path
) -> None:
    said = refused(make.__name__, make(tmp_path, raw))
    assert RAW[raw] in said
    assert any(place in said for place in (":1: ", ":2: ", "en-es-dev.json: ", "row 1: ")), said[:200]


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (b"", "not a readable Parquet file: it does not begin with PAR1; it may be of another format"),
        (
            b"id,text_a\n1,one\n",
            "not a readable Parquet file: it does not begin with PAR1; it may be of another format",
        ),
        (b"PAR1 but nothing else", "not a readable Parquet file: its end is missing; download or export it again"),
        (b"PAR1 damaged PAR1", "not a readable Parquet file: it is damaged; download or export it again"),
    ],
)
def test_a_file_that_is_no_parquet_is_refused_by_its_name(broken: bytes, reason: str, tmp_path: Path) -> None:
    for name, options in (("hub", {}), ("foreign", seeds.options("foreign"))):
        source = seeds.make(name, tmp_path / name)
        path = sorted(source.rglob("*.parquet"))[0]
        path.write_bytes(broken)
        said = refused("hub", source, **options)
        assert f"{path.name}: {reason}" in said and str(tmp_path) not in said


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (pyarrow.array([10**15], pyarrow.timestamp("ms")), "a date or time is out of range"),
        (
            pyarrow.array([0], pyarrow.timestamp("us", tz="Nowhere/No")),
            "the file is damaged, or they are of a kind",
        ),
    ],
)
def test_values_that_python_lacks_are_refused_with_a_message(values: Any, reason: str, tmp_path: Path) -> None:
    parquet.write_table(pyarrow.table({"id": ["1"], "topic": values}), tmp_path / "train.parquet")
    said = refused("hub", tmp_path, language_a="en", language_b="de")
    assert f"train.parquet: rows from 1: values that cannot be read: {reason}" in said


@pytest.mark.parametrize(
    ("config", "change", "reason"),
    [
        ("annotations", {"id": None}, "row 1: id: missing"),
        (
            "annotations",
            {"position": None},
            "row 1: position: a whole number from 0 to 2147483647 is expected, not null",
        ),
        ("annotations", {"tokens_a": [None]}, "row 1: tokens_a[0]: an object is expected, not null"),
        ("annotations", {"annotations": [{"verdict": 9}]}, "annotations[0].verdict: a class number from 0 to 3"),
        ("annotations", {"metadata": "[]"}, "metadata: an object is expected, not a list"),
        ("gold", {"spans": [{"label": 99}]}, "spans[0].label: a class number from 0 to 4"),
        ("gold", {"spans": [{"label": -1}]}, "spans[0].label: a class number from 0 to 4"),
        ("gold", {"id": "another"}, "gold of a pair that the configuration 'annotations' does not have"),
    ],
)
def test_a_row_with_wrong_values_is_refused_by_its_number(
    config: str, change: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    source = seeds.make("hub", tmp_path)
    path = sorted((source / config).glob("*.parquet"))[0]
    table = parquet.read_table(path)
    rows = [{**table.to_pylist()[0], **change}]
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema=table.schema), path)
    assert reason in refused("hub", source)


@pytest.mark.parametrize("about", ["[]", "7", "null", '{"scheme": [], "guidelines": []}', '{"scheme": {"name": 1}}'])
def test_a_description_of_another_shape_is_refused(about: str, tmp_path: Path) -> None:
    source = seeds.make("hub", tmp_path)
    (source / "diptych.json").write_text(about)
    assert "diptych.json: not a dataset description: " in refused("hub", source)


def test_bytes_that_are_no_text_are_refused_by_their_line(tmp_path: Path) -> None:
    for number, data in enumerate((b"{}\n\xff\xfe", b"{}\na\0b", "{}\nx".encode("utf-16"))):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(data)
        assert refused("jsonl", path).startswith(f"{number}.jsonl:{1 if number == 2 else 2}: ")
    page = town(tmp_path / "town", first=[town_line()], second=[])
    text = next((page / "cut_parsed_pages" / "de").iterdir())
    text.write_bytes(b"one\ntwo\0")
    assert ":2: contains a NUL character" in refused("swissgov", page)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text("\ufeff" + json.dumps(pair()), encoding="utf-8")
    assert [record.id for record in formats.read("jsonl", [path]).records] == ["p1"]


def test_a_list_of_pages_of_another_shape_is_refused(tmp_path: Path) -> None:
    source = town(tmp_path, first=[town_line()], second=[])
    shapes: list[object] = [[], {NAME: [1]}, {NAME: "page"}]
    for wrong in shapes:
        (source / "aligned_pages.json").write_text(json.dumps(wrong))
        assert refused("swissgov", source).startswith("aligned_pages.json: ")


@pytest.mark.parametrize("name", ["jsonl", "csv", "rsd", "swissgov", "xparade"])
def test_metadata_that_has_a_formats_own_names_goes_out_and_comes_in(name: str, tmp_path: Path) -> None:
    """Names that a format reserves for itself have no meaning in another source's metadata."""
    source = seeds.make("xparade" if name == "xparade" else "jsonl", tmp_path / "seed")
    parsed = formats.read("xparade" if name == "xparade" else "jsonl", [source])
    names = ("positions", "scored", "unscored", "indices", "translation_names", "chunk_id", "text_a", "labels_a", "id")
    for record in parsed.records:
        record.metadata |= {key: {"a": {"x": 1}} for key in (*names, "tokens", "pageid", "pair_type", "split")}
        if name == "swissgov":
            record.a = formats.record.TextRecord("en", record.a.text, record.a.tokens)
    ending = formats.FORMATS[name].ending
    formats.FORMATS[name].write(parsed.records, parsed.scheme, tmp_path / f"out{ending}")
    languages = sorted({record.b.language for record in parsed.records})
    options = {"language": languages[0]} if name == "swissgov" else {}
    assert formats.read(name, [tmp_path / f"out{ending}"], options).records


def test_a_carriage_return_in_a_cell_ends_no_row(tmp_path: Path) -> None:
    parsed = formats.read("jsonl", [lines(tmp_path / "pairs.jsonl", pair(metadata={"a": "b"}, split="a\rb"))])
    formats.FORMATS["csv"].write(parsed.records, parsed.scheme, tmp_path / "out.csv")
    (record,) = formats.read("csv", [tmp_path / "out.csv"]).records
    assert record.split == "a\rb"
