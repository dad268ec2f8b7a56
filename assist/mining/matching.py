"""One-to-one matches of paragraphs: kept where each of the two prefers the other."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

CELLS = 1 << 22
"""Similarities that are in memory at once, so that two articles of 10,000 paragraphs need 16 MB instead of 400."""

Blocks = Iterable[tuple[int, Floats]]
"""Similarities of some rows to all columns, [rows, columns], each with the number of its first row, in order."""


def block_rows(columns: int) -> int:
    """How many rows of similarities to so many columns are computed at once."""
    return max(1, CELLS // max(1, columns))


def mutual(blocks: Blocks, columns: int) -> list[tuple[int, int, float]]:
    """(row, column, similarity) of all that prefer each other, by row; ties go to the first.

    A similarity of 0 or less is no match. Memory grows with rows and columns, not with their product.
    """
    best = np.zeros(columns, np.float32)
    best_row = np.full(columns, -1, np.int64)
    rows: list[tuple[int, int, float]] = []
    for start, block in blocks:
        if not block.size:
            continue
        top = block.argmax(axis=1)
        values = block[np.arange(len(block)), top]
        rows.extend(
            (start + index, int(column), float(value))
            for index, (column, value) in enumerate(zip(top, values, strict=True))
            if value > 0
        )
        highest = block.argmax(axis=0)
        column_values = block[highest, np.arange(columns)]
        better = column_values > best
        best[better], best_row[better] = column_values[better], highest[better] + start
    return [(row, column, value) for row, column, value in rows if best_row[column] == row]
