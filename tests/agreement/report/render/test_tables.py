"""A table in text, Markdown and CSV."""

import pytest
from django.utils import translation
from markdown_it import MarkdownIt

from agreement.metrics.bootstrap import Estimate, rough
from agreement.report.render.tables import as_csv, as_markdown, as_text, number, percent, with_interval
from annotation.figure_tables import Table

TABLE = Table("Title_1", ("", "a & b"), (("x|y", "1.0"), ("long name", "–")), "50 % of it.")


def test_text_is_aligned() -> None:
    assert as_text(TABLE).splitlines() == [
        "Title_1", "           a & b", "---------  -----", "x|y          1.0", "long name      –", "50 % of it."
    ]  # fmt: skip


def test_markdown_renders_as_the_table_it_is() -> None:
    """Whatever a name holds, each cell is read as it stands."""
    odd = ("x|y", "a*b*", "<script>", "`c`", "_d_", r"e\f", "[0.1, 0.2]", "–")
    table = Table("Odd names", ("", *odd[:2]), tuple((name, "1", name) for name in odd), "Below.")
    parsed = MarkdownIt("commonmark").enable("table").parse(as_markdown(table))
    texts = ["".join(part.content for part in token.children or ()) for token in parsed if token.type == "inline"]
    cells = [cell for row in (table.columns, *table.rows) for cell in row]
    assert texts == ["Odd names", *cells, "Below."]
    assert sum(token.type == "tr_open" for token in parsed) == 1 + len(table.rows)


def test_csv_quotes() -> None:
    assert as_csv(Table("", ("", "n"), (("a,b", "1"),))) == ',n\r\n"a,b",1\r\n'


def test_csv_names_its_table() -> None:
    assert as_csv(TABLE).splitlines()[:2] == ["Title_1", ",a & b"]


@pytest.mark.parametrize("name", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx"])
def test_csv_holds_no_formula(name: str) -> None:
    assert as_csv(Table("", ("", "n"), ((name, "-0.250"), ("B", "-0.250 [-0.500, 0.100]")))).splitlines() == [
        ",n",
        f"'{name},-0.250",
        'B,"-0.250 [-0.500, 0.100]"',
    ]


def test_numbers() -> None:
    assert (number(None), number(0.12345), percent(0.12345)) == ("–", "0.123", "12.35")
    assert with_interval(Estimate(0.5, 0.25, 0.75)) == "0.500 [0.250, 0.750]"
    assert with_interval(Estimate(0.5)) == "0.500"
    assert with_interval(None) == with_interval(Estimate(None)) == "–"


def test_a_rough_interval_says_so_in_the_readers_language() -> None:
    note = rough(4)
    assert note == "only 4 documents: the interval is rough" and not rough(10)
    with translation.override("de"):
        table = Table("Titel", ("", "n"), (("A", with_interval(Estimate(0.5, 0.25, 0.75, 4, note))),))
        assert table.below == "Nur 4 Dokumente: Das Intervall ist ungenau (A)."
