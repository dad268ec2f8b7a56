"""A table in text, Markdown, LaTeX and CSV."""

from agreement.metrics.bootstrap import Estimate
from agreement.report.tables import Table, as_csv, as_latex, as_markdown, as_text, number, percent, with_interval

TABLE = Table("Title_1", ("", "a & b"), (("x|y", "1.0"), ("long name", "–")), "50 % of it.")


def test_text_is_aligned() -> None:
    assert as_text(TABLE).splitlines() == [
        "Title_1", "           a & b", "---------  -----", "x|y          1.0", "long name      –", "50 % of it."
    ]  # fmt: skip


def test_markdown_and_latex_escape() -> None:
    assert "| x\\|y | 1.0 |" in as_markdown(TABLE)
    latex = as_latex(TABLE)
    assert r" & a \& b \\" in latex and r"\caption{Title\_1. 50 \% of it.}" in latex and r"long name & -- \\" in latex


def test_csv_quotes() -> None:
    assert as_csv(Table("", ("", "n"), (("a,b", "1"),))) == ',n\r\n"a,b",1\r\n'


def test_numbers() -> None:
    assert (number(None), number(0.12345), percent(0.12345)) == ("–", "0.123", "12.35")
    assert with_interval(Estimate(0.5, 0.25, 0.75)) == "0.500 [0.250, 0.750]"
    assert with_interval(Estimate(0.5)) == "0.500"
    assert with_interval(None) == with_interval(Estimate(None)) == "–"
