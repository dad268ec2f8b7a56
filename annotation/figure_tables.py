"""Tables of figures, which pages of all apps show in one way: a figure may say why it is missing and open to its data.

Words and numbers are in the active language: the reader's on a page, English for commands and published files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

NONE = "–"
MAX_NAMED = 4
"""How many figures a remark names; if there are more, they are counted."""


class Cell(str):
    """The text of a cell. `why` says why there is no number, or why it is rough; `drilldown` links to its data.

    `drilldown` is a list with its filters, such as 'spans?annotator=A1&label=new'; the page turns it into a URL.
    """

    why: str = ""
    drilldown: str = ""


def cell(text: str, *, why: str = "", drilldown: str = "") -> Cell:
    converted = Cell(text)
    converted.why, converted.drilldown = why, drilldown
    return converted


@dataclass(frozen=True, slots=True)
class Table:
    """A title, column heads and rows of text; the first column names the row. `note` is printed below.

    `key` names the table in addresses, whatever the language of its title: '#table-confusion'.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    key: str = ""

    @property
    def remarks(self) -> list[str]:
        """Why figures are missing or based on too little, each reason once with the figures it is about."""
        named: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for head, *cells in self.rows:
            for column, value in zip(self.columns[1:], cells, strict=True):
                if isinstance(value, Cell) and value.why:
                    named[value.why][head].append(column if len(self.columns) > 2 else "")
        reasons = ((_(why), describe_figures(rows)) for why, rows in named.items())
        return [f"{why[:1].upper()}{why[1:]} ({figures})." for why, figures in reasons]

    @property
    def below(self) -> str:
        """All notes below the table."""
        return " ".join(filter(None, (self.note, *self.remarks)))


def describe_figures(rows: Mapping[str, Sequence[str]]) -> str:
    """The figures that a remark is about, by their rows and columns ('' for the only one), or their number."""
    count = sum(map(len, rows.values()))
    if count <= MAX_NAMED:
        return "; ".join(": ".join(filter(None, (head, ", ".join(columns)))) for head, columns in rows.items())
    return ngettext("%(n)s figure", "%(n)s figures", count) % {"n": count}


def table_json(table: Table) -> dict[str, Any]:
    """A table as pages keep it: cells have `text`, and where there are any `why` and `drilldown`."""
    return {
        "key": table.key,
        "title": table.title,
        "columns": list(table.columns),
        "rows": [[_cell_json(text) for text in row] for row in table.rows],
        "note": table.note,
        "remarks": table.remarks,
    }


def _cell_json(text: str) -> dict[str, str]:
    if not isinstance(text, Cell):
        return {"text": text}
    more = {"why": _(text.why) if text.why else "", "drilldown": text.drilldown}
    return {"text": str(text), **{name: value for name, value in more.items() if value}}


def table_linked(table: Mapping[str, Any], address: Callable[[str], str]) -> dict[str, Any]:
    """A table as `_figures_table.html` shows it: `address` turns each cell's `drilldown` into its `href`."""
    rows = [
        [{**value, "href": address(value["drilldown"])} if "drilldown" in value else value for value in row]
        for row in table["rows"]
    ]
    return {**table, "rows": rows}
