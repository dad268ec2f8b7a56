"""File names made of values from outside: safe, distinct, and under their target in every format."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.formats import FORMATS, hub, swissgov, xparade
from annotation.formats.record import AnnotationRecord, FormatError, PairRecord, TextRecord
from annotation.formats.safe_paths import (
    MAX_NAME_BYTES,
    Names,
    files_inside,
    fold_case,
    local_name,
    safe_name,
    target_file,
    writable,
)
from annotation.formats.xparade import writer as xparade_writer
from annotation.text.schemes import PRESETS
from annotation.text.spans import Fragment, Span

HOSTILE = [
    "../../../outside",
    "/tmp/outside",
    "..",
    ".",
    "",
    " ",
    "a/b",
    "..\\..\\outside",
    "C:\\outside",
    "con",
    "NUL.txt",
    "name.",
    "a\0b",
    "a\nb",
    "x" * 5_000,
    "é" * 300,
    ".hidden",
    "~root",
    "a:b*c?",
    "\u202egnp.exe",
]


def record(identity: str, value: str = "x", text: str = "one", **changes: Any) -> PairRecord:
    """A pair whose every value that could become part of a path is `value`."""
    side = TextRecord(value, text, [(0, len(text))])
    span = Span("s1", "new", (Fragment("b", 0, len(text)),))
    work = [AnnotationRecord(value, phase, spans=[span]) for phase in ("main", "trial")]
    metadata = {"document": value, "page_a": value, "page_b": f"{value}_b"}
    return PairRecord(identity, side, side, split=value, metadata=metadata, annotations=work, gold=[span], **changes)


def graded(records: list[PairRecord]) -> list[PairRecord]:
    for each in records:
        each.gold = [Span("s1", "3", (Fragment("b", 0, len(each.b.text)),))]
        for item in each.annotations:
            item.spans = each.gold
    return records


def written(name: str, records: list[PairRecord], folder: Path) -> list[Path]:
    out = folder / f"pairs{FORMATS[name].ending}"
    if name == "xparade":
        return FORMATS[name].write(records, PRESETS["xparade-extended"], out)
    return FORMATS[name].write(graded(records), PRESETS["graded"], out)


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.writer])
def test_no_writer_writes_outside_its_folder(name: str, value: str, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "down" / "here"
    folder.mkdir(parents=True)
    paths = written(name, [record("p1", value)], folder)
    assert paths
    for path in paths:
        assert path.resolve().is_relative_to(folder) and path.is_file()
    everything = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(everything) == sorted(set(paths))
    assert not Path("/tmp/outside").exists()


@given(st.text())
@example("COM¹.txt")
@example("\ud800")
@example("a" * 238 + "é.html")
def test_a_safe_name_is_one_part_of_a_path_and_stays_as_it_is(value: str) -> None:
    name = safe_name(value)
    assert Path("/root", name).parts == ("/", "root", name)
    assert name.isprintable() and not name.endswith((".", " ")) and not set(name) & set('<>:"/\\|?*')
    assert len(name.encode()) <= MAX_NAME_BYTES
    assert safe_name(name) == name and unicodedata.is_normalized("NFC", name)


@given(st.text())
@example("../nul.csv")
@example("\ud800")
@example("a" * 238 + "é.html")
def test_a_local_name_is_one_part_of_a_path_too(value: str) -> None:
    name = local_name(value)
    assert Path("/root", name).parts == ("/", "root", name)
    assert name.isprintable() and "\\" not in name and len(name.encode()) <= MAX_NAME_BYTES
    assert local_name(name) == name and unicodedata.is_normalized("NFC", name)


@pytest.mark.parametrize("name", ["nul.csv", "What? (1).csv", 'a:"b".tsv'])
def test_a_local_name_keeps_what_only_windows_refuses(name: str) -> None:
    assert local_name(name) == name != safe_name(name)


def test_an_ordinary_name_is_kept_and_a_long_one_keeps_its_ending() -> None:
    assert safe_name("town.example_town_de_start.html") == "town.example_town_de_start.html"
    one, other = safe_name("a" * 400 + "1.html"), safe_name("a" * 400 + "2.html")
    assert one.endswith(".html") and one != other


@given(st.lists(st.text(alphabet="aA/_.:é\u0301 ", max_size=4), unique=True))
def test_different_owners_have_different_names_even_on_case_insensitive_systems(owners: list[str]) -> None:
    names = Names()
    found = [names.name(owner, owner) for owner in owners]
    assert len(set(map(fold_case, found))) == len(owners)
    assert [names.name(owner, "anything") for owner in owners] == found


@pytest.mark.parametrize(
    ("one", "other"), [("a/b", "a_b"), ("Page", "page"), ("é", "e\u0301"), ("x.txt", "x"), ("x.", "x")]
)
def test_two_ids_that_would_be_one_file_name_both_come_out(one: str, other: str, tmp_path: Path) -> None:
    records = [record(one, "de", "eins"), record(other, "de", "drei")]
    for each in records:
        each.metadata, each.split, each.annotations[0].annotator = {}, "", "annotator1"
        each.a = TextRecord("en", f"the {each.id}", [(0, 3)])
    paths = swissgov.write(graded(records), PRESETS["graded"], tmp_path / "set")
    assert len({fold_case(str(path)) for path in paths}) == len(paths)
    again = swissgov.read([tmp_path / "set"], {}).records
    assert sorted(each.b.text for each in again) == ["drei", "eins"]
    assert sorted(each.a.text for each in again) == sorted(f"the {each.id}" for each in records)
    assert all(item.spans for each in again for item in each.annotations)


def test_annotators_and_pages_that_would_share_a_file_both_come_out(tmp_path: Path) -> None:
    first, second = graded([record("p1", "de", "eins"), record("p2", "fr", "un")])
    for each, name in ((first, "p1"), (second, "p1")):
        each.metadata = {"document": name, "page_a": "https___www.p1.html"}
        each.a = TextRecord("en", f"one in {each.id}", [(0, 3)])
        each.annotations = [AnnotationRecord(alias, spans=each.gold or []) for alias in ("1", "annotator1")]
    swissgov.write([first, second], PRESETS["graded"], tmp_path / "set")
    for language, each in (("de", first), ("fr", second)):
        (again,) = swissgov.read([tmp_path / "set"], {"language": language}).records
        assert (again.a.text, again.b.text, len(again.annotations)) == (each.a.text, each.b.text, 2)


def test_a_re_test_does_not_overwrite_the_first_work(tmp_path: Path) -> None:
    (made,) = graded([record("p1", "de", "eins")])
    made.annotations = [AnnotationRecord("1", spans=made.gold or []), AnnotationRecord("1", round=1)]
    swissgov.write([made], PRESETS["graded"], tmp_path / "set")
    (again,) = swissgov.read([tmp_path / "set"], {}).records
    assert [len(item.spans) for item in again.annotations] == [1]


def test_groups_that_would_share_a_file_of_x_parade_both_come_out(tmp_path: Path) -> None:
    records = [record("p1", "en"), record("p2", "en")]
    records[0].split, records[1].split = "Dev", "dev"
    paths = xparade_writer.write(records, PRESETS["xparade-extended"], tmp_path / "set")
    assert len({fold_case(path.name) for path in paths}) == 2
    assert len(xparade.read([tmp_path / "set"], {}).records) == 2


def test_splits_that_would_share_a_file_of_a_data_set_share_it_whole(tmp_path: Path) -> None:
    records = graded([record("p1"), record("p2"), record("p3")])
    for each, split in zip(records, ("a/b", "a_b", "A_b"), strict=True):
        each.split = split
    paths = hub.write(records, PRESETS["graded"], tmp_path / "set")
    assert sum(path.suffix == ".parquet" for path in paths) == 3
    again = hub.read([tmp_path / "set"], {}).records
    assert [each.split for each in again] == ["a/b", "a_b", "A_b"]


@pytest.mark.parametrize("part", ["annotations_raw", "cut_parsed_pages/de"])
def test_a_link_inside_the_target_is_not_followed(part: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "set" / part
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    with pytest.raises(FormatError, match="through a link"):
        swissgov.write(graded([record("p1", "de")]), PRESETS["graded"], tmp_path / "set")
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.writer and each.ending])
def test_a_file_that_is_a_link_is_not_written_through(name: str, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("dear")
    (tmp_path / f"pairs{FORMATS[name].ending}").symlink_to(tmp_path / "mine")
    with pytest.raises(FormatError, match="is a link"):
        written(name, [record("p1")], tmp_path)
    assert (tmp_path / "mine").read_text() == "dear"


def test_what_is_no_safe_path_is_refused_whoever_made_it(tmp_path: Path) -> None:
    for part in ("..", "a/b", "/etc", "con", "a\0", "x" * 300):
        with pytest.raises(FormatError, match="is not a valid file name"):
            writable(tmp_path, part)
    assert writable(tmp_path, "a", "b.txt") == tmp_path / "a" / "b.txt"
    with pytest.raises(FormatError, match="is a folder"):
        target_file(tmp_path)


def test_an_archive_packs_no_link(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "one.txt").write_text("one")
    assert [name for _, name in files_inside(tmp_path / "set")] == ["one.txt"]
    (tmp_path / "set" / "two.txt").symlink_to("/etc/hostname")
    with pytest.raises(FormatError, match="is a link"):
        list(files_inside(tmp_path / "set"))
