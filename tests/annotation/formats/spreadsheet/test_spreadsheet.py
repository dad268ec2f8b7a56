"""Excel and OpenDocument spreadsheets: what cells show is read, and hostile files are refused in words."""

from __future__ import annotations

import datetime
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from annotation.formats import format_of, read
from annotation.formats.record import FormatError, PairRecord
from annotation.formats.spreadsheet.sample import write_ods, write_ods_content, write_xlsx
from annotation.text import limits

HEADER = ("id", "language_a", "text_a", "language_b", "text_b")
ROW = ("p1", "en", "Open on Sundays.", "de", "Sonntags offen.")


def xlsx(path: Path, *rows: Any, change: Any = None) -> Path:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in rows:
        sheet.append(row)
    if change:
        change(book)
    book.save(path)
    return path


def write_xlsx_sheets(path: Path, sheets: dict[str, list[Any]]) -> None:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


def write_ods_sheets(path: Path, sheets: dict[str, list[Any]]) -> None:
    def row(cells: Any) -> str:
        inside = "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in cells)
        return f"<table:table-row>{inside}</table:table-row>"

    tables = (
        f'<table:table table:name="{name}">{"".join(map(row, rows))}</table:table>' for name, rows in sheets.items()
    )
    write_ods_content(path, "".join(tables))


def refused(path: Path, **options: str) -> str:
    with pytest.raises(FormatError) as caught:
        read("", [path], options)
    return str(caught.value)


@pytest.mark.parametrize(("name", "write"), [("t.xlsx", write_xlsx), ("t.ods", write_ods)])
def test_both_kinds_are_read(tmp_path: Path, name: str, write: Any) -> None:
    write(tmp_path / name, [HEADER, ROW])
    parsed = read("", [tmp_path / name], {})
    (record,) = parsed.records
    assert isinstance(record, PairRecord)
    assert (record.id, record.a.text, record.b.language, record.where) == ("p1", ROW[2], "de", f"{name}:2")
    assert parsed.table is not None and parsed.table.sheets == ["Pairs"]


def test_a_workbook_without_an_ending_is_read_by_its_content(tmp_path: Path) -> None:
    write_xlsx_sheets(tmp_path / "own.xlsx", {"Pairs": [HEADER, ROW]})
    (record,) = read("", [(tmp_path / "own.xlsx").rename(tmp_path / "own")], {}).records
    assert record.a.text == ROW[2]


def test_what_cells_show_is_read(tmp_path: Path) -> None:
    header = (*HEADER, "n", "share", "day", "moment", "yes", "sum")
    cells = (7, "en", "One text.", "de", "Ein Text.", 3.0, 0.5, datetime.date(2026, 3, 1))
    moment = datetime.datetime(2026, 3, 1, 9, 30)
    path = xlsx(tmp_path / "t.xlsx", header, (*cells, moment, True, "=1+1"), (), (8, *ROW[1:]))
    first, second = read("", [path], {}).records
    assert first.id == "7" and first.metadata == {
        "n": "3", "share": "0.5", "day": "2026-03-01", "moment": "2026-03-01 09:30:00", "yes": "true", "sum": ""
    }, "a formula that was never computed shows nothing"  # fmt: skip
    assert second.where == "t.xlsx:4", "empty rows count as rows"


def test_of_merged_cells_the_first_has_the_text_and_the_others_are_refused(tmp_path: Path) -> None:
    path = xlsx(
        tmp_path / "t.xlsx", HEADER, ROW, ("p2", *ROW[1:]), change=lambda book: book.worksheets[0].merge_cells("C2:C3")
    )
    assert "t.xlsx:3: pair 'p2', a.text: empty" in refused(path)


def test_the_first_visible_sheet_is_read_or_the_one_that_is_named(tmp_path: Path) -> None:
    def change(book: openpyxl.Workbook) -> None:
        book.worksheets[0].sheet_state = "hidden"
        for name, identity in (("Main", "m"), ("Other", "o")):
            sheet = book.create_sheet(name)
            sheet.append(HEADER)
            sheet.append((identity, *ROW[1:]))

    path = xlsx(tmp_path / "t.xlsx", HEADER, ROW, change=change)
    assert [record.id for record in read("", [path], {}).records] == ["m"]
    (other,) = read("", [path], {"sheet": "Other"}).records
    assert (other.id, other.where) == ("o", "t.xlsx, Other:2")
    assert "there is no sheet 'X'; the file has Sheet, Main, Other" in refused(path, sheet="X")


@pytest.mark.parametrize("first", [[], [("Tabelle1",)]])
@pytest.mark.parametrize(("name", "write"), [("t.xlsx", write_xlsx_sheets), ("t.ods", write_ods_sheets)])
def test_sheets_without_a_table_are_skipped_if_another_has_one(
    tmp_path: Path, first: list[Any], name: str, write: Any
) -> None:
    write(tmp_path / name, {"Tabelle1": first, "Notes": [], "Data": [HEADER, ROW], "More": [HEADER]})
    parsed = read("", [tmp_path / name], {})
    assert [record.where for record in parsed.records] == [f"{name}, Data:2"]
    assert parsed.table is not None and (parsed.table.sheet, parsed.table.skipped) == ("Data", ["Tabelle1", "Notes"])


@pytest.mark.parametrize(("name", "write"), [("t.xlsx", write_xlsx_sheets), ("t.ods", write_ods_sheets)])
def test_later_sheets_with_a_table_are_named_because_they_are_not_read(tmp_path: Path, name: str, write: Any) -> None:
    rows = [HEADER, ROW]
    write(tmp_path / name, {"Notes": [], "One": rows, "Empty": [], "Two": rows, "Title": [("Title",)], "Three": rows})
    table = read("", [tmp_path / name], {}).table
    assert table is not None and (table.sheet, table.skipped, table.left_out) == ("One", ["Notes"], ["Two", "Three"])
    table = read("", [tmp_path / name], {"sheet": "Two"}).table
    assert table is not None and table.left_out == []


def test_a_workbook_without_any_table_still_says_which_sheets_it_has(tmp_path: Path) -> None:
    write_xlsx_sheets(tmp_path / "t.xlsx", {"One": [("Title",)], "Two": []})
    with pytest.raises(FormatError, match=r"t\.xlsx, One: an empty table") as caught:
        read("", [tmp_path / "t.xlsx"], {})
    table = caught.value.table
    assert table is not None and (table.sheet, table.sheets, table.columns) == ("One", ["One", "Two"], ["Title"])


@pytest.mark.parametrize(("name", "write"), [("t.xlsx", write_xlsx), ("t.ods", write_ods)])
def test_a_title_above_the_header_is_named_and_can_be_skipped(tmp_path: Path, name: str, write: Any) -> None:
    write(tmp_path / name, [("Texts of the town",), HEADER, ROW, ("p2", *ROW[1:])])
    with pytest.raises(FormatError) as caught:
        read("", [tmp_path / name], {})
    assert str(caught.value).splitlines()[0] == (
        f"{name}:2: a cell in a column without a name; row 1 has to name every column, or choose another header row "
        "(option header)"
    )
    assert caught.value.table is not None and caught.value.table.columns == ["Texts of the town"]
    parsed = read("", [tmp_path / name], {"header": "2"})
    assert [record.where for record in parsed.records] == [f"{name}:3", f"{name}:4"]
    assert parsed.table is not None and parsed.table.header_row == 2


@pytest.mark.parametrize("given", ["0", "-1", "x", "²", "10000", "1.0"])
def test_a_header_that_is_no_row_is_refused(tmp_path: Path, given: str) -> None:
    write_xlsx(tmp_path / "t.xlsx", [HEADER, ROW])
    assert "option header: a row number from 1 to 9999" in refused(tmp_path / "t.xlsx", header=given)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "an empty table"),
        ([HEADER, (*ROW, "more")], "t.xlsx:2: a cell in a column without a name"),
        ([("id", "id", "text_a", "text_b")], "t.xlsx:1: the column 'id' appears twice"),
        ([(*HEADER[:4], None, "text_b")], "a column without a name"),
        ([(*HEADER, "#REF!"), ROW], "t.xlsx:1: a cell shows an error (#REF!); correct its formula"),
        ([tuple(f"c{n}" for n in range(limits.MAX_COLUMNS + 1))], "at most 1000 columns"),
    ],
)
def test_bad_tables_are_refused_by_row(tmp_path: Path, rows: list[Any], reason: str) -> None:
    assert reason in refused(xlsx(tmp_path / "t.xlsx", *rows))


FAILED = "a cell shows an error (%s); correct its formula"


def test_every_cell_with_an_error_is_named_and_the_other_rows_are_read(tmp_path: Path) -> None:
    rows = [("p2", "en", "#REF!", "de", "x"), ROW, ("p3", "en", "#N/A", "de", "#VALUE!"), ("p4", "en", "", "de", "x")]
    write_xlsx_sheets(tmp_path / "t.xlsx", {"Notes": [], "Data": [HEADER, *rows]})
    with pytest.raises(FormatError) as caught:
        read("", [tmp_path / "t.xlsx"], {})
    assert str(caught.value).splitlines() == [
        f"t.xlsx, Data:2: text_a: {FAILED % '#REF!'}",
        f"t.xlsx, Data:4: text_a: {FAILED % '#N/A'}",
        f"t.xlsx, Data:4: text_b: {FAILED % '#VALUE!'}",
        "t.xlsx, Data:5: pair 'p4', a.text: empty; a text with at least one word is needed",
    ]
    assert [record.id for record in caught.value.records] == ["p1", "p4"]


def test_a_workbook_of_nothing_but_errors_is_read_only_up_to_a_bound(tmp_path: Path) -> None:
    wrong = ("p", "en", *["#N/A"] * 3)
    found = refused(xlsx(tmp_path / "t.xlsx", HEADER, *[wrong] * limits.MAX_REJECTIONS)).splitlines()
    assert len(found) == limits.MAX_REJECTIONS + 1 and "reading stopped here" in found[-1]


def test_errors_in_opendocument_cells_are_told_from_texts(tmp_path: Path) -> None:
    calc = 'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
    kinds = ("", f'{calc} calcext:value-type="error"', 'table:formula="of:=NA()" office:value-type="string"')
    cell = "<table:table-cell {}><text:p>{}</text:p></table:table-cell>"
    rows = ["".join(cell.format("", name) for name in ("id", "text_a", "text_b"))]
    rows += [
        f"{cell.format('', n)}{cell.format(kind, 'Err:502')}{cell.format('', 'x')}" for n, kind in enumerate(kinds)
    ]
    table = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    write_ods_content(tmp_path / "t.ods", f'<table:table table:name="P">{table}</table:table>')
    with pytest.raises(FormatError) as caught:
        read("", [tmp_path / "t.ods"], {"language_a": "en", "language_b": "de"})
    assert str(caught.value).splitlines() == [
        f"t.ods:3: text_a: {FAILED % 'Err:502'}",
        f"t.ods:4: text_a: {FAILED % 'Err:502'}",
    ]
    assert [record.a.text for record in caught.value.records] == ["Err:502"], "a text that only looks like an error"


def test_a_value_in_the_last_corner_takes_neither_memory_nor_time(tmp_path: Path) -> None:
    path = xlsx(tmp_path / "t.xlsx", HEADER, change=lambda book: book.worksheets[0].cell(1048576, 16384, "x"))
    assert "at most 200000 rows" in refused(path)
    filler = '<table:table-cell table:number-columns-repeated="16000"/>'
    far = f"{filler}<table:table-cell><text:p>x</text:p></table:table-cell>"
    write_ods_content(
        tmp_path / "t.ods", f'<table:table table:name="P"><table:table-row>{far}</table:table-row></table:table>'
    )
    assert "at most 1000 columns" in refused(tmp_path / "t.ods")


def test_repeated_cells_and_rows_are_counted_and_fillers_are_not(tmp_path: Path) -> None:
    cell = "<table:table-cell><text:p>%s</text:p></table:table-cell>"
    head = "".join(cell % name for name in HEADER)
    body = "".join(cell % value for value in ROW)
    filler = '<table:table-cell table:number-columns-repeated="16000"/>'
    empty = f'<table:table-row table:number-rows-repeated="1048000">{filler}</table:table-row>'
    rows = f"<table:table-row>{head}{filler}</table:table-row><table:table-row>{body}{filler}</table:table-row>{empty}"
    write_ods_content(tmp_path / "t.ods", f'<table:table table:name="P">{rows}</table:table>')
    assert len(read("", [tmp_path / "t.ods"], {}).records) == 1
    many = f'<table:table-row table:number-rows-repeated="900000">{body}</table:table-row>'
    write_ods_content(
        tmp_path / "m.ods", f'<table:table table:name="P"><table:table-row>{head}</table:table-row>{many}</table:table>'
    )
    assert "at most 200000 rows" in refused(tmp_path / "m.ods")


def test_archives_that_unpack_to_too_much_or_are_no_spreadsheet_are_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b" " * 30_000_000)
    assert "times its size" in refused(bomb)
    (tmp_path / "old.xlsx").write_bytes(b"\xd0\xcf\x11\xe0" + b"\0" * 600)
    assert "has a password, or is an old .xls file" in refused(tmp_path / "old.xlsx")
    (tmp_path / "no.ods").write_text("id,text")
    assert refused(tmp_path / "no.ods") == "no.ods: damaged, or not a spreadsheet; open it and save it again"
    # The end of a file is what a download that was cut lacks.
    whole = xlsx(tmp_path / "cut.xlsx", HEADER, ROW).read_bytes()
    (tmp_path / "cut.xlsx").write_bytes(whole[: len(whole) // 2])
    assert refused(tmp_path / "cut.xlsx") == "cut.xlsx: damaged, or not a spreadsheet; open it and save it again"
    with zipfile.ZipFile(tmp_path / "odd.xlsx", "w") as packed:
        packed.writestr("xl/workbook.xml", "<workbook/>")
    assert "damaged, or not a spreadsheet" in refused(tmp_path / "odd.xlsx")


def test_entities_are_refused_and_links_to_other_files_never_opened(tmp_path: Path) -> None:
    path = tmp_path / "t.ods"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr("content.xml", '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>')
    assert "damaged, or not a spreadsheet" in refused(path)
    linked = xlsx(tmp_path / "t.xlsx", HEADER, ("p1", "en", "='[/etc/passwd]Sheet1'!A1", "de", "Ein Text."))
    assert "a.text: empty" in refused(linked)


def test_a_spreadsheet_is_recognised_under_another_name(tmp_path: Path) -> None:
    write_xlsx(tmp_path / "t.xlsx", [HEADER, ROW])
    renamed = (tmp_path / "t.xlsx").rename(tmp_path / "table.bin")
    assert format_of([renamed]) == "spreadsheet"
