"""Sections and tables of the documentation, for tests that compare them with the code."""

from __future__ import annotations

from tests.paths import ROOT


def section(page: str, title: str) -> str:
    """The text below a heading of the second level; '' if the page has no such heading."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows_of(page: str, title: str) -> list[list[str]]:
    """The cells of every row of the tables in a section."""
    lines = [line for line in section(page, title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
