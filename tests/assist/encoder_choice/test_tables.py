"""Reading the files of the two evaluations."""

from __future__ import annotations

from pathlib import Path

import pytest

from assist.encoder_choice import tables
from assist.encoder_choice.tables import MAX_CELL_LENGTH, Ranked, Sample, TableError, read_clsd, read_samples


def written(folder: Path, text: str, name: str = "rows.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_rows_have_any_number_of_distractors(tmp_path: Path) -> None:
    text = 'Source,Target,TargetAdv1,TargetAdv2\r\n"Hello, you","Guten\nTag",Gute Nacht, Kein Tag \r\n\r\nb,c,d,e\r\n'
    first, second = read_clsd(written(tmp_path, "\ufeff" + text))
    assert first.direct == Ranked("Hello, you", "Guten\nTag", ("Gute Nacht", "Kein Tag"))
    assert (first.line, second.line) == (2, 5)
    assert first.pivot is None and first.parts_of_speech == ("", "")


def test_tabs_pivot_and_parts_of_speech(tmp_path: Path) -> None:
    head = "Source\tTarget\tTargetAdv1\tSourcePivot\tTargetPivot\tTargetAdv1Pivot\tPOS1"
    (row,) = read_clsd(written(tmp_path, f"{head}\na\tb\tc\tx\ty\tz\t noun\n"))
    assert row.pivot == Ranked("x", "y", ("z",)) and row.parts_of_speech == ("NOUN",)


def test_a_sentence_may_contain_characters_that_end_lines_elsewhere(tmp_path: Path) -> None:
    (row,) = read_clsd(written(tmp_path, "Source,Target,TargetAdv1\na\u2028b,c\x85d,e\n"))
    assert row.direct == Ranked("a\u2028b", "c\x85d", ("e",))


def test_a_file_that_is_no_table_is_refused_before_it_costs_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(TableError, match="has 1003 columns; at most 1000 are read"):
        read_clsd(written(tmp_path, "Source,Target,TargetAdv1" + "," * 1000 + "\na,b,c\n"))
    monkeypatch.setattr(tables, "MAX_WHOLE_FILE_BYTES", 1_048_576)
    with pytest.raises(TableError, match="is larger than 1 MB"):
        read_clsd(written(tmp_path, "Source,Target,TargetAdv1\n" + "a,b,c\n" * 200_000))


def test_samples(tmp_path: Path) -> None:
    found = read_samples(written(tmp_path, "operator,A,B,target\nUnion,a,b,ab\noverlap,x,y,z\n"))
    assert found == [Sample("a", "b", "ab", "union"), Sample("x", "y", "z", "overlap")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty: the first line must name the columns"),
        ("Source,Target\na,b\n", "has no column 'TargetAdv1'; its columns are: Source, Target"),
        ("Source,Target,TargetAdv1\n", "has a header but no rows"),
        ("Source,Target,TargetAdv1\na,b,c\na,,c\n", "line 3: 'Target' is empty"),
        ("Source,Target,TargetAdv1\na,b\n", "line 2: 2 cells instead of 3"),
        ("Source,Target,TargetAdv1,Target\na,b,c,d\n", "column 'Target' occurs twice"),
        ("Source,Target,TargetAdv1,SourcePivot\na,b,c,d\n", "has no column 'TargetPivot'"),
        ('Source,Target,TargetAdv1\n"a"b,c,d\n', "line 2: "),
        (
            f"Source,Target,TargetAdv1\na,{'b' * (MAX_CELL_LENGTH + 1)},c\n",
            "line 2: 'Target' has over 10,000 characters",
        ),
    ],
)
def test_invalid_rows_are_refused_with_their_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(TableError) as refused:
        read_clsd(written(tmp_path, text))
    assert str(refused.value).startswith("rows.csv") and said in str(refused.value)


@pytest.mark.parametrize(("character", "said"), [("\0", "a NUL character at 3"), ("\ud800", "surrogate pair at 3")])
def test_characters_that_no_database_stores_are_refused_with_their_line(
    tmp_path: Path, character: str, said: str
) -> None:
    text = f'Source,Target,TargetAdv1,note\n"a\nb",c,d,e\na,b{character},c,\n'
    with pytest.raises(TableError, match=rf"^rows\.csv, line 4: .*{said}"):
        tables.parse_clsd(text, "rows.csv")
    if character == "\0":
        with pytest.raises(TableError, match=rf"^rows\.csv, line 4: .*{said}"):
            read_clsd(written(tmp_path, text))


def test_a_folder_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="is a folder; one table is expected"):
        read_clsd(tmp_path)


def test_an_unknown_operator_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"line 3: operator 'sum' is not known; use overlap, difference, union"):
        read_samples(written(tmp_path, "A,B,target,operator\na,b,c,union\na,b,c,sum\n"))


def test_what_is_no_utf8_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_bytes(b"A,B\xff")
    with pytest.raises(TableError, match=r"rows.csv is not UTF-8 text \(byte 4\)"):
        read_samples(tmp_path / "rows.csv")
    with pytest.raises(TableError, match=r"absent\.csv cannot be read: No such file"):
        read_samples(tmp_path / "absent.csv")
