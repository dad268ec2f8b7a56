"""What all readers share: files of any size line by line, and a limited number of refusals."""

from __future__ import annotations

import contextlib
import tracemalloc
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from annotation.formats import FORMATS, jsonl, parquet, read, source, table
from annotation.formats.record import FormatError
from annotation.formats.source import Refusals, text_lines
from annotation.text.limits import MAX_REJECTIONS


def refused(name: str, *paths: Path) -> str:
    with pytest.raises(FormatError) as caught:
        read(name, paths, {})
    return str(caught.value)


@pytest.mark.parametrize("name", ["jsonl", "csv", "rsd"])
@pytest.mark.long
def test_a_file_of_line_feeds_takes_no_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / ("pairs.csv" if name == "csv" else "pairs.jsonl")
    path.write_bytes(b"\n" * 100_000)
    tracemalloc.start()
    with contextlib.suppress(FormatError):
        read(name, [path], {})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300_000


@pytest.mark.parametrize("name", ["jsonl", "csv", "rsd"])
def test_too_many_lines_and_too_long_ones_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / ("pairs.csv" if name == "csv" else "pairs.jsonl")
    monkeypatch.setattr(source, "MAX_LINES", 10)
    monkeypatch.setattr(source, "MAX_LINE_LENGTH", 20)
    path.write_bytes(b"\n" * 11)
    assert f"{path.name}:11: a file can have at most 10 lines" in refused(name, path)
    for line in ("x" * 21, "x" * 100, "é" * 21, "x" * 80 + "é"):
        path.write_text("\n" + line, encoding="utf-8")
        assert f"{path.name}:2: a line can have at most" in refused(name, path)


@pytest.mark.parametrize("name", ["xparade", "hub", "swissgov"])
def test_a_file_that_is_read_whole_has_a_limit(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_WHOLE_FILE_BYTES", 1_000)
    large = b"\n" * 1_001
    for place in ("diptych.json", "pages.json", "aligned_pages.json"):
        (tmp_path / place).write_bytes(large)
    (tmp_path / "annotations_raw" / "annotations1" / "de").mkdir(parents=True)
    (tmp_path / "cut_parsed_pages").mkdir()
    assert "a file of this kind can be at most 0 MB; split it" in refused(name, tmp_path)


def test_lines_are_told_apart_by_line_feeds_alone_and_a_mark_at_the_beginning_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("\ufeffone\u2028still\r\n\ntwo".encode())
    assert list(text_lines(path)) == ["one\u2028still\r\n", "\n", "two"]
    path.write_bytes(b"one\n\xff")
    with pytest.raises(FormatError, match=r"text:2: not valid UTF-8"):
        list(text_lines(path))


def test_a_table_may_end_its_lines_with_carriage_returns(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_bytes(b'id,language_a,text_a,language_b,text_b\rp1,en,"one\rtwo",de,eins\r')
    (record,) = table.read([path], {}).records
    assert record.a.text == "one\rtwo"


def test_reading_stops_after_too_many_refusals(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text("{\n" * (MAX_REJECTIONS + 50))
    with pytest.raises(FormatError) as caught:
        jsonl.read([path], {})
    assert len(caught.value.rejections) == MAX_REJECTIONS + 1
    assert "reading stopped here" in caught.value.rejections[-1].reason
    assert Refusals().rejections == []


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_not_there_is_a_refusal_without_its_folder(name: str, tmp_path: Path) -> None:
    assert str(tmp_path) not in refused(name, tmp_path / "none.jsonl")


def test_a_parquet_file_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that is the same in every row is stored once in the file, but once per row in memory."""
    text = "one two " * 20_000
    same = {"id": [str(number) for number in range(300)], "text_a": [text] * 300, "text_b": [text] * 300}
    pyarrow.parquet.write_table(pyarrow.table(same), tmp_path / "train.parquet")
    assert (tmp_path / "train.parquet").stat().st_size < 100_000
    monkeypatch.setattr(parquet, "MAX_UPLOAD_BYTES", 10_000_000)
    monkeypatch.setattr(parquet, "MAX_BATCH_BYTES", 2_000_000)
    assert "train.parquet: rows from 25: the Parquet files of an import may together" in refused("hub", tmp_path)
    monkeypatch.setattr(parquet, "MAX_UPLOAD_BYTES", 10_000_000_000)
    monkeypatch.setattr(parquet, "MAX_ROWS", 299)
    assert "train.parquet: 300 rows; a Parquet file may unpack" in refused("hub", tmp_path)


def test_an_import_has_a_limit_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_ROWS", 3)
    one, other = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    for path in (one, other):
        path.write_text('{"id": 1}\n\n{"id": 2}\n')
    assert "2.jsonl:3: an import can have at most 3 rows" in refused("jsonl", one, other)
