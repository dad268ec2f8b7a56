"""A Parquet file that ends the process which reads it is a refusal, and that process is not ours."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from annotation import formats
from annotation.formats import parquet_check
from annotation.formats.record import FormatError
from tests.fuzz import mutations, seeds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return seeds.make("foreign", tmp_path / "seed")


def test_sound_files_are_tried_to_the_last(folder: Path) -> None:
    files = sorted(folder.glob("*.parquet"))
    assert len(files) == 2
    assert parquet_check.try_apart(files) == (1, 0)


def test_a_file_that_ends_its_reader_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_check, "try_apart", lambda paths: (1, -6))
    with pytest.raises(FormatError, match=r"train-0.parquet: not a readable Parquet file: it is damaged"):
        formats.read("hub", [folder], {"language_a": "en", "language_b": "de"})


def test_a_file_that_ended_the_library_s_process(folder: Path) -> None:
    """Found by `python -m tests.fuzz --format foreign --seed 102500 --count 1`, with pyarrow 26."""
    mutations.mutate(folder, random.Random("foreign-102500"))
    last, status = parquet_check.try_apart(sorted(folder.glob("*.parquet")))
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

    monkeypatch.setattr(parquet_check, "try_apart", noted)
    source = seeds.make(name, tmp_path / "seed")
    formats.read("hub", [source], seeds.options(name))
    assert sorted(tried) == sorted(source.rglob("*.parquet"))
