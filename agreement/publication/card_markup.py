"""What people wrote, in the Markdown of a card, such that it can't change the card around it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agreement.report.render.tables import as_markdown
from annotation.figure_tables import Table
from annotation.text.markdown import markdown_html

_MARKED = re.compile(r"([\\`*_{}\[\]<>#|~!&])")
_HEADING = re.compile(r"(</?h)([1-6])")
_CODE = re.compile(r"<pre[ >].*?</pre>", re.DOTALL)
MAX_TEXT_LENGTH = 300
MAX_ITEMS = 6


def inline(text: str) -> str:
    """`text` in one line, as it is: nothing in it is Markdown or HTML."""
    return _MARKED.sub(r"\\\1", " ".join(text.split()))


def block(markdown: str, *, down: int = 2) -> str:
    """Markdown that a person wrote, as clean HTML, its headings `down` levels lower than written.

    As one block of HTML, without an empty line, it ends where it ends: no heading, list or unclosed code of it can
    reach into what follows.
    """
    html = _HEADING.sub(lambda match: f"{match[1]}{min(6, int(match[2]) + down)}", markdown_html(markdown))
    # Line breaks of code are kept; those between elements mean nothing.
    html = _CODE.sub(lambda match: match[0].replace("\n", "&#10;"), html)
    lines = " ".join(line.strip() for line in html.splitlines() if line.strip())
    return f"<div>{lines}</div>" if lines else ""


def fenced(text: str, language: str = "") -> str:
    """`text` as it is, between fences that are longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.strip()}\n{fence}"


def table(title: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]], note: str = "") -> str:
    """A table of cells that people may have written."""
    clean = tuple(tuple(" ".join(str(cell).split()) for cell in row) for row in rows)
    return as_markdown(Table(inline(title), columns, clean, note))


def figures(table: Table) -> str:
    """A table of a report; every column has a head, which those who hear a page need."""
    return as_markdown(replace(table, columns=tuple(head or "figure" for head in table.columns)))


def example(row: Mapping[str, Any]) -> str:
    """A row of a dataset as JSON, with long texts and lists cut."""
    return fenced(json.dumps(_short(row), ensure_ascii=False, indent=1, default=str), "json")


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > MAX_TEXT_LENGTH:
        return f"{value[:MAX_TEXT_LENGTH]}… ({len(value):,} characters)"
    if isinstance(value, Mapping):
        return {key: _short(inner) for key, inner in value.items()}
    if isinstance(value, list):
        items = [_short(inner) for inner in value[:MAX_ITEMS]]
        return [*items, f"… ({len(value):,} in all)"] if len(value) > MAX_ITEMS else items
    return value
