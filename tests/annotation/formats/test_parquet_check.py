"""A Parquet file that kills the process which reads it is refused, and that process is not ours."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet as parquet
import pytest

from annotation import formats
from annotation.formats import parquet as parquet_module
from annotation.formats import parquet_check
from annotation.formats.parquet import rows
from annotation.formats.record import FormatError
from tests.fuzz import mutations, seeds

module: Any = parquet_module


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return seeds.make("foreign", tmp_path / "seed")


def test_sound_files_are_tried_to_the_last(folder: Path) -> None:
    files = sorted(folder.glob("*.parquet"))
    assert len(files) == 2
    assert parquet_check.try_in_subprocess(files) == (1, 0)


def test_a_file_that_kills_its_reader_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_check, "try_in_subprocess", lambda paths: (1, -6))
    with pytest.raises(FormatError, match=r"train-0.parquet: not a readable Parquet file: it is damaged"):
        formats.read("hub", [folder], {"language_a": "en", "language_b": "de"})


def test_a_file_that_killed_the_library_s_process(folder: Path) -> None:
    """Found by `python -m tests.fuzz --format foreign --seed 102500 --count 1`, with pyarrow 26."""
    mutations.mutate(folder, random.Random("foreign-102500"))
    last, status = parquet_check.try_in_subprocess(sorted(folder.glob("*.parquet")))
    with pytest.raises(FormatError, match="not a readable Parquet file"):
        formats.read("hub", [folder], {"language_a": "en", "language_b": "de"})
    assert (last, status < 0) in {(0, True), (1, True), (1, False)}


@pytest.mark.parametrize("name", ["hub", "foreign"])
def test_both_kinds_of_folder_are_tried_before_they_are_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Path] = []

    def noted(paths: list[Path]) -> tuple[int, int]:
        tried.extend(paths)
        return len(paths) - 1, 0

    monkeypatch.setattr(parquet_check, "try_in_subprocess", noted)
    source = seeds.make(name, tmp_path / "seed")
    formats.read("hub", [source], seeds.options(name))
    assert sorted(tried) == sorted(path for path in source.rglob("*.parquet") if path.parent.name != "tokens")


PAIR = {"id": ["1"], "text_a": ["Open."], "text_b": ["Offen."], "language_a": ["en"], "language_b": ["de"]}


def parquet_file(folder: Path, columns: dict[str, Any]) -> Path:
    path = folder / "train-0.parquet"
    parquet.write_table(pyarrow.table({**PAIR, **columns}), path, compression="zstd")
    return path


def zeros(number: int) -> Any:
    return pyarrow.ListArray.from_arrays([0, number], pyarrow.array(np.zeros(number, dtype=np.int8)))


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"x": zeros(5_000_000)}, r"column 'x\..*': 5000000 values are too many for its size"),
        ({"x": ["a" * 20_000_000]}, "it unpacks to more than 100 times its size"),
        ({f"c{index}": ["x"] for index in range(996)}, "1001 columns; a table can have at most 1000"),
    ],
)
def test_a_small_file_that_unpacks_to_much_is_refused_by_its_metadata(
    tmp_path: Path, columns: dict[str, Any], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = parquet_file(tmp_path, columns)
    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", lambda *_, **__: iter(()))  # nothing is unpacked
    with pytest.raises(FormatError, match=reason):
        list(rows(path, path.name))


def test_a_file_of_1000_columns_is_read(tmp_path: Path) -> None:
    assert len(list(rows(parquet_file(tmp_path, {f"c{index}": ["x"] for index in range(995)}), "a.parquet"))) == 1


def test_too_many_rows_or_bytes_are_refused_by_the_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = parquet_file(tmp_path, {})
    for limit, reason in (("MAX_ROWS", "1 rows; a Parquet"), ("MAX_UPLOAD_BYTES", "0 MB unpacked; a Parquet")):
        with monkeypatch.context() as patch:
            patch.setattr(module, limit, 0)
            with pytest.raises(FormatError, match=reason):
                list(rows(path, path.name))


@pytest.mark.long
@pytest.mark.takes(8)
def test_what_takes_too_much_memory_is_refused_whatever_its_metadata_says(tmp_path: Path) -> None:
    """The metadata is ignored here, as if it were wrong."""
    sound, bomb = tmp_path / "sound", tmp_path / "bomb"
    sound.mkdir()
    bomb.mkdir()
    files = [parquet_file(sound, {}), parquet_file(bomb, {"x": zeros(100_000_000)})]
    blind = "import sys; from annotation.formats import parquet, parquet_check as c; from pathlib import Path; "
    blind += "parquet._too_large = lambda *_: ''; c.read_all([Path(p) for p in sys.argv[1:]])"
    tried = subprocess.run([sys.executable, "-c", blind, *map(str, files)], capture_output=True)
    assert (tried.stdout, tried.returncode != 0) == (b"..", True)


def repeated(text: str, times: int) -> Any:
    """One text in `times` rows, which the file holds once and, because of its type, the array does too."""
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array(np.zeros(times, np.int32)), pyarrow.array([text]))


def repeating(folder: Path, times: int, texts: Any, name: str = "train-0.parquet") -> Path:
    path = folder / name
    other = {key: [f"{name} {row}" for row in range(times)] if key == "id" else PAIR[key] * times for key in PAIR}
    parquet.write_table(pyarrow.table({**other, "text_a": texts}), path, compression="zstd")
    return path


def listed(text: str, times: int) -> Any:
    """As `repeated`, the texts inside of lists and structures."""
    inside = pyarrow.StructArray.from_arrays([repeated(text, times)], ["text"])
    return pyarrow.ListArray.from_arrays(pyarrow.array(range(times + 1), pyarrow.int32()), inside)


@pytest.mark.parametrize("column", [repeated, listed, lambda text, times: pyarrow.array([text] * times)])
def test_a_value_that_many_rows_repeat_counts_in_each(column: Any, tmp_path: Path) -> None:
    path = repeating(tmp_path, 1_000, column("w " * 50_000, 1_000))
    assert path.stat().st_size < 50_000
    read = 0
    with pytest.raises(FormatError, match=r"rows from 501: the file unpacks to more than 100 times its size, and more"):
        for _ in rows(path, path.name):
            read += 1
    assert read == 500


def test_small_files_may_repeat_a_text(tmp_path: Path) -> None:
    repeating(tmp_path, 500, repeated("word " * 1_000, 500))
    assert len(formats.read("hub", [tmp_path], {}).records) == 500


def test_parquet_files_of_an_import_are_counted_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("train-0.parquet", "train-1.parquet"):
        repeating(tmp_path, 10, repeated("word " * 20_000, 10), name)
    monkeypatch.setattr(module, "MAX_UPLOAD_BYTES", 1_500_000)
    with pytest.raises(FormatError, match=r"train-1.parquet: rows from 1: the Parquet files of an import may together"):
        formats.read("hub", [tmp_path], {})


def test_a_published_dataset_s_configurations_are_counted_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = seeds.make("hub", tmp_path / "seed")
    seen: list[int] = []

    def noted(own: int, packed: int, together: int, number: int) -> str:
        seen.append(together)
        return ""

    monkeypatch.setattr(module, "_too_much", noted)
    formats.read("hub", [source], seeds.options("hub"))
    assert len(seen) > 1 and seen == sorted(set(seen))


@pytest.mark.parametrize("name", ["hub", "foreign"])
def test_rows_of_all_files_are_counted(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = seeds.make(name, tmp_path / "seed")
    number = len(formats.read("hub", [source], seeds.options(name)).records)
    monkeypatch.setattr("annotation.formats.source.MAX_ROWS", number - 1)
    with pytest.raises(FormatError, match=f"an import can have at most {number - 1} rows"):
        formats.read("hub", [source], seeds.options(name))
