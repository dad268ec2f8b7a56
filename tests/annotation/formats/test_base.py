"""The registry: every format by its name, every option documented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from annotation.formats import FORMATS, export_formats, format_of, import_formats, read
from annotation.formats.record import FormatError
from tests.annotation.formats.samples import lines, pair
from tests.paths import ROOT


@pytest.mark.parametrize("name", FORMATS)
def test_the_documentation_has_every_format_and_option(name: str) -> None:
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert section, f"docs/formats.md has no section '{name}'"
    for option in FORMATS[name].options:
        assert option in section, f"docs/formats.md, {name}: the option {option} is missing"


def test_the_table_of_exports_says_what_the_formats_say_of_themselves() -> None:
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    table = text.partition("## What each format contains")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| `")]
    documented = {
        name.strip(" `"): (names == "the project's own", unfinished == "yes")
        for formats, _, names, unfinished in rows
        for name in formats.split(",")
    }
    stated = {name: (each.complete, each.complete or each.project) for name, each in export_formats().items()}
    assert documented == stated
    assert all(each.exports for each in export_formats().values())


def test_the_readme_lists_every_format_that_can_be_imported() -> None:
    listed = re.search(r"--format ([\w|-]+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert listed and {*listed[1].split("|")} == import_formats().keys()


NAMED = re.compile(r"""\bformat(?:__\w+)? ?(?:==|!=|=|in) ?\(?["']([\w-]+)["']""")


def test_nothing_but_a_formats_own_module_names_it() -> None:
    """What pages, services and commands need to know of a format is a field of `Format`, which they read."""
    found = [
        (str(path.relative_to(ROOT)), name)
        for folder in ("annotation", "assist", "agreement", "operation", "config", "templates")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".html") and not {"migrations", "formats"} & set(path.parts)
        for name in NAMED.findall(path.read_text(encoding="utf-8"))
        if name in FORMATS
    ]
    assert not found
    assert NAMED.findall("""if row.format == "hub" or import_request(format='jsonl')""") == ["hub", "jsonl"]


def test_a_format_is_recognised_by_the_extension(tmp_path: Path) -> None:
    assert read("", [lines(tmp_path / "pairs.jsonl", pair())]).records[0].id == "p1"
    assert [format_of([Path(name)]) for name in ("a.csv", "B.TSV", "c.json", "x.JSONL")] == [
        "csv",
        "csv",
        "xparade",
        "jsonl",
    ]
    (tmp_path / "folder").mkdir()
    lines(tmp_path / "folder" / "x.JSONL", pair(id="in capitals"))
    assert read("jsonl", [tmp_path / "folder"]).records[0].id == "in capitals"
    (tmp_path / "empty").mkdir()
    for paths in ([Path("a.csv"), Path("notes.txt")], [Path("a.csv"), tmp_path / "empty"]):
        with pytest.raises(FormatError, match="neither the file extension nor the content shows the format") as refused:
            format_of(paths)
        assert refused.value.rejections[0].where == paths[1].name, "only what is not recognised is named"
    with pytest.raises(FormatError, match=r"formats \(a.csv: csv; b.jsonl: jsonl\); import each"):
        format_of([Path("a.csv"), Path("b.jsonl")])


def test_content_decides_between_formats_of_one_extension_and_for_unknown_ones(tmp_path: Path) -> None:
    gold = {"id": "admin_de_1", "text_a": "Ein Wort", "text_b": "A word", "labels_a": [0, 1], "labels_b": [0, 1]}
    assert format_of([lines(tmp_path / "gold_admin_de.jsonl", gold)]) == "rsd"
    assert format_of([lines(tmp_path / "gold.txt", gold)]) == "rsd"
    assert format_of([lines(tmp_path / "own.jsonl", pair())]) == "jsonl"
    assert format_of([lines(tmp_path / "own.data", pair())]) == "jsonl"
    assert format_of([lines(tmp_path / "broken.jsonl", "{")]) == "jsonl", "whose reader says what is wrong"
    assert read("", [lines(tmp_path / "gold_admin_de.jsonl", gold)]).records[0].gold


def test_the_format_of_a_folder_is_that_of_its_files(tmp_path: Path) -> None:
    lines(tmp_path / "x.jsonl", pair())
    (tmp_path / "x.scheme.json").write_text("{}")
    (tmp_path / "README.md").touch()
    assert format_of([tmp_path]) == "jsonl"
    (tmp_path / "y.csv").touch()
    with pytest.raises(FormatError, match="files of several formats"):
        format_of([tmp_path])
    (tmp_path / "diptych.json").touch()
    assert format_of([tmp_path]) == "hub", "an export is recognised by its marker, whatever else is in the folder"


def test_a_parquet_file_is_recognised_alone_and_in_folders(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "train.PARQUET").touch()
    assert format_of([tmp_path]) == format_of([Path("train.PARQUET")]) == "hub"


@pytest.mark.parametrize("name", FORMATS)
def test_no_option_that_names_a_path_is_accepted_from_the_web(name: str) -> None:
    for option in FORMATS[name].options.values():
        names_a_path = any(word in option.describes.lower() for word in ("folder with", "file with", "path"))
        assert not (option.web and names_a_path), option.describes
    assert "pages" in FORMATS["swissgov"].options and "pages" not in FORMATS["swissgov"].web_options


def test_what_the_web_may_not_use_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"option pages: this format has no such option; it has language, phase"):
        read("swissgov", [tmp_path / "none"], {"pages": "/"}, from_web=True)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(FormatError, match="choose one of archive, csv, "):
        read("pdf", [])
