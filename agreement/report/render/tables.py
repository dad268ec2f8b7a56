"""Numbers in tables, and tables as plain text, Markdown and CSV (`latex` has the fourth format).

Words and numbers are in the active language: the reader's on a page, English for commands and published files.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from django.utils.formats import number_format

from agreement.metrics.bootstrap import Estimate
from agreement.report.display_names import note_text
from annotation.figure_tables import NONE, Cell, Table, cell


def drilldown_link(page: str, **filters: object) -> str:
    """A cell's link: an agreement page, narrowed by the given filters."""
    return f"{page}?{urlencode({name: value for name, value in filters.items() if value not in ('', None)})}"


def pair_link(pair: int) -> str:
    """The link to the page of one pair."""
    return drilldown_link("pair", pk=pair)


def number(value: float | None, digits: int = 3) -> str:
    """A number with fixed digits; a dash if there is none."""
    return NONE if value is None else str(number_format(f"{value:.{digits}f}"))


def whole(count: int) -> str:
    """A count, with a thousands separator."""
    return str(number_format(count, force_grouping=True))


def percent(value: float | None, digits: int = 2) -> str:
    """A share times 100, as the papers print theirs."""
    return NONE if value is None else number(100 * value, digits)


def share_of(some: int, of: int) -> str:
    """What share `some` of `of` are, times 100; a dash of nothing."""
    return percent(some / of if of else None)


def minutes(seconds: float | None) -> str:
    """Seconds as minutes with a decimal."""
    return number(None if seconds is None else seconds / 60, 1)


def with_interval(
    estimate: Estimate | None, say: Callable[[float | None], str] = number, *, drilldown: str = ""
) -> Cell:
    """'0.657 [0.629, 0.683]', or just the number if there is no interval; with its note."""
    if estimate is None:
        return cell(NONE)
    if estimate.value is None:
        return cell(NONE, why=note_text(estimate.note), drilldown=drilldown)
    if estimate.interval is None:
        return cell(say(estimate.value), why=note_text(estimate.note), drilldown=drilldown)
    low, high = (say(bound) for bound in estimate.interval)
    text = f"{say(estimate.value)} [{low}{';' if ',' in low + high else ','} {high}]"
    return cell(text, why=note_text(estimate.note), drilldown=drilldown)


def as_text(table: Table) -> str:
    """Aligned columns: the first left-aligned, the rest right-aligned."""
    cells = [table.columns, *table.rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(table.columns))]

    def line(row: Sequence[str]) -> str:
        first, *rest = (
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        return "  ".join([first, *rest]).rstrip()

    rule = "  ".join("-" * width for width in widths)
    body = [table.title, line(table.columns), rule, *map(line, table.rows)]
    return "\n".join([*body, table.below] if table.below else body)


_MARKED = re.compile(r"([\\`*_<>|&~]|\](?=[(\[:]))")
"""Characters that have a meaning in Markdown; a bracket only where it could be a link's, not after an interval."""


def as_markdown(table: Table) -> str:
    """A pipe table under its title in bold."""

    def line(row: Sequence[str]) -> str:
        return "| " + " | ".join(_MARKED.sub(r"\\\1", cell) for cell in row) + " |"

    rule = "| --- |" + " ---: |" * (len(table.columns) - 1)
    body = [f"**{table.title}**", "", line(table.columns), rule, *map(line, table.rows)]
    return "\n".join([*body, "", table.below] if table.below else body)


def as_csv(table: Table) -> str:
    """The title in its own row, then head and rows, comma-separated."""
    out = io.StringIO()
    rows = [*([(table.title,)] if table.title else []), table.columns, *table.rows]
    csv.writer(out).writerows([_not_a_formula(text) for text in row] for row in rows)
    return out.getvalue()


_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+\-]?[\d.,]+([eE][+\-]?\d+)?( \[.*\])?$")


def _not_a_formula(text: str) -> str:
    """Marks a cell that a spreadsheet would evaluate, such as a person's name '=1+1', as text by an apostrophe."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.match(text) else str(text)
