"""SwissGov-RSD folders: positions keep their identity, whatever the page says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.formats import swissgov
from annotation.formats.record import FormatError, PairRecord
from annotation.formats.safe_paths import safe_name
from annotation.text.schemes import PRESETS, SIDES
from tests.annotation.formats.samples import NAME, PAGE_DE, PAGE_EN, town, town_line


def quoted(record: PairRecord, number: int = 0) -> list[list[list[str]]]:
    """What an annotator's spans mark: by span, side A's and side B's fragments."""
    texts = {"a": record.a.text, "b": record.b.text}
    return [
        [[texts[side][start:end] for start, end in span.on(side)] for side in SIDES]
        for span in record.annotations[number].spans
    ]


def read(root: Path, **options: str) -> list[PairRecord]:
    return swissgov.read([root], {"language": "de"} | options).records


def test_english_is_side_a_and_the_pages_keep_their_lines_and_spacing(tmp_path: Path) -> None:
    (record,) = read(town(tmp_path, first=[town_line()], second=[]))
    assert record.id == f"de/{NAME}"
    assert (record.a.language, record.a.text) == ("en", "The library: news\nOpen twice a week, in winter.")
    assert (record.b.language, record.b.text) == ("de", "Die Bibliothek\n\nOffen einmal  pro Woche.")
    assert [record.a.text[start:end] for start, end in record.a.tokens or []] == [
        *("The", "library", ":", "news", "Open", "twice", "a", "week", ",", "in", "winter."),
    ]
    assert record.metadata["url_b"] == "https://www.town.example/town/de/start/bibliothek.html"
    assert quoted(record) == [[["twice"], ["einmal"]]]
    assert record.annotations[0].spans[0].label == "3"


def test_an_empty_file_is_an_annotator_who_marked_nothing(tmp_path: Path) -> None:
    (record,) = read(town(tmp_path, first=[], second=[]))
    assert [(item.annotator, item.spans) for item in record.annotations] == [("annotator1", []), ("annotator2", [])]
    assert record.b.text.startswith("Die Bibliothek")


def test_the_annotated_word_replaces_and_extends_the_page(tmp_path: Path) -> None:
    odd = town_line(
        text1=["zweimal", "ausser"],
        text1_positions=[[2, 1], [2, 6]],
        text2=["end"],
        text2_positions=[[4, 0]],
    )
    parsed = swissgov.read([town(tmp_path, first=[odd], second=[town_line(text1=["zweimal"])])], {"language": "de"})
    record = parsed.records[0]
    assert record.b.text == "Die Bibliothek\n\nOffen zweimal  pro Woche. ausser"
    assert record.a.text == "The library: news\nOpen twice a week, in winter.\n\n\nend"
    assert quoted(record) == [[["end"], ["zweimal", "ausser"]]]
    assert parsed.warnings["positions where the page has a different word, replaced by the annotated one"] == 1
    assert parsed.warnings["positions beyond the page, added to it"] == 2


def test_a_position_counts_where_its_word_is_missing(tmp_path: Path) -> None:
    odd = town_line(
        text1=["zweimal", "and", "more"],
        text1_positions=[[2, 1]],
        text2=[" "],
        text2_positions=[[1, 0], [1, 30]],
    )
    parsed = swissgov.read([town(tmp_path, first=[odd], second=[])], {"language": "de"})
    record = parsed.records[0]
    assert quoted(record)[0] == [["Open", "\ufffd"], ["zweimal"]]
    assert record.a.text.endswith("winter. \ufffd")
    assert parsed.warnings["sides of a span whose numbers of words and positions differ (positions are used)"] == 2


def test_both_phases_make_one_text(tmp_path: Path) -> None:
    root = town(tmp_path, first=[town_line()], second=[], trial=[town_line(text1=["zweimal"])])
    (main,), (trial,) = read(root), read(root / "annotations_trial")
    assert main.b == trial.b
    assert [item.phase for item in trial.annotations] == ["trial"]
    assert "einmal" in main.b.text
    parsed = swissgov.read([root], {"language": "de", "phase": "trial"})
    assert parsed.warnings["positions where two annotators have different words (the first is used)"] == 1


def test_spans_without_a_token_are_imported_as_broken(tmp_path: Path) -> None:
    empty = town_line(text1=[], text2=[], text1_positions=[], text2_positions=[])
    (record,) = read(town(tmp_path, first=[empty], second=[]))
    assert [span.fragments for span in record.annotations[0].spans] == [()]


def test_a_missing_page_is_made_of_its_annotated_words(tmp_path: Path) -> None:
    root = town(tmp_path, first=[town_line()], second=[])
    for path in (root / "cut_parsed_pages" / "de").iterdir():
        path.unlink()
    (record,) = read(root)
    assert record.b.text == "\n\neinmal"
    assert quoted(record) == [[["twice"], ["einmal"]]]


@pytest.mark.parametrize("inside", ["", "annotations"])
def test_the_pages_are_found_in_the_folder_beside_and_above_it(tmp_path: Path, inside: str) -> None:
    root = town(tmp_path / inside, first=[town_line()], second=[])
    (root / "cut_parsed_pages").rename(tmp_path / "pages")
    with pytest.raises(FormatError, match="put it in the folder that you import, or above it"):
        read(root)
    assert len(read(root, pages=str(tmp_path / "pages"))) == 1
    (tmp_path / "pages").rename(tmp_path / "cut_parsed_pages")
    assert len(read(tmp_path)) == 1
    assert len(read(root / "annotations_raw")) == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not valid JSON"),
        (town_line(text1=[1]), "text1[0]: a string is expected, not a number"),
        (town_line(text2_positions=[[1]]), "text2_positions[0]: [line, token] below 100000 is expected, not [1]"),
        (town_line(text2_positions=[[1, -1]]), "text2_positions[0]: [line, token] below 100000 is expected"),
        (town_line(score=None), "score: a label is expected"),
    ],
)
def test_a_bad_line_is_refused(tmp_path: Path, line: Any, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(town(tmp_path, first=[town_line(), line], second=[]))
    (rejection,) = caught.value.rejections
    assert f"{NAME}.jsonl:2" in rejection.where and reason in rejection.reason


def test_what_the_folder_lacks_is_refused(tmp_path: Path) -> None:
    root = town(tmp_path, first=[], second=[])
    for options, reason in (
        ({"language": "fr"}, "annotations_raw holds de"),
        ({"phase": "trial"}, "no annotations_trial"),
        ({"phase": "last"}, "not one of main, trial"),
    ):
        with pytest.raises(FormatError, match=reason):
            read(root, **options)
    with pytest.raises(FormatError, match="one folder is expected"):
        swissgov.read([root / "aligned_pages.json"], {})


@pytest.mark.parametrize("alone", [False, True])
def test_pages_keep_the_names_that_each_annotators_file_has(tmp_path: Path, alone: bool) -> None:
    other = town_line(
        page_en=PAGE_EN.replace("https___", "https:__"), page_other=PAGE_DE.replace("https___", "https:__")
    )
    root = town(tmp_path / "in", first=[] if alone else [town_line()], second=[other], trial=[other])
    for phase in ("main", "trial"):
        swissgov.write(swissgov.read([root], {"phase": phase}).records, PRESETS["graded"], tmp_path / "out")
    for path in sorted(root.glob("annotations_*/*/de/*.jsonl")):
        written = (tmp_path / "out" / path.relative_to(root)).read_text()
        assert list(map(json.loads, written.splitlines())) == list(map(json.loads, path.read_text().splitlines()))
    names = {path.name for path in (tmp_path / "out").rglob("*")}
    assert all(safe_name(name) == name for name in names) and PAGE_EN.replace(".html", ".txt") in names
    assert [one.annotations for one in read(tmp_path / "out")] == [one.annotations for one in read(root)]


def test_an_annotators_own_name_is_not_in_metadata(tmp_path: Path) -> None:
    other = town_line(page_en=PAGE_EN.replace("https___", "https:__"))
    root = town(tmp_path, first=[town_line()], second=[other])
    folder = root / "annotations_raw" / "annotations2"
    folder.rename(folder.with_name("annotations-ada"))
    (record,) = read(root)
    assert "ada" in record.annotations[0].annotator and "ada" not in json.dumps(record.metadata)


def test_what_is_written_is_what_was_published(tmp_path: Path) -> None:
    hole = town_line(text1=["ausser"], text1_positions=[[2, 6]], text2=[], text2_positions=[])
    root = town(tmp_path / "in", first=[town_line(), hole], second=[], trial=[town_line(score=5)])
    main, trial = swissgov.read([root], {}), swissgov.read([root], {"phase": "trial"})
    swissgov.write(main.records, main.scheme, tmp_path / "out")
    swissgov.write(trial.records, trial.scheme, tmp_path / "out")
    for folder in ("annotations_raw/annotations1", "annotations_raw/annotations2", "annotations_trial/annotations1"):
        path = f"{folder}/de/{NAME}.jsonl"
        assert [json.loads(line) for line in (tmp_path / "out" / path).read_text().splitlines()] == [
            json.loads(line) for line in (root / path).read_text().splitlines()
        ]
    again = swissgov.read([tmp_path / "out"], {}).records
    assert [(record.id, record.a, record.b, record.annotations) for record in again] == [
        (record.id, record.a, record.b, record.annotations) for record in main.records
    ]
