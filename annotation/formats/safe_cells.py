"""Cells of tables for spreadsheets that none takes for a formula."""

from __future__ import annotations

from decimal import Decimal

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A spreadsheet may take a cell that begins with one of these for a formula."""


def safe_cell(cell: str | int | Decimal) -> str | int | Decimal:
    """A text that a spreadsheet may take for a formula begins with an apostrophe; numbers, also below 0, stay."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
