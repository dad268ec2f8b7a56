"""Tables of whole numbers in little memory: of a table of labels by labels, a document fills only a few cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement.metrics.arrays import Bools, Ints, smallest


@dataclass(frozen=True, slots=True)
class Packed:
    """Rows of whole numbers (rows, *shape), without the zeros.

    Row r has `numbers[starts[r] : starts[r + 1]]` in the `cells` at the same indices, which are those of a flat row.
    """

    shape: tuple[int, ...]
    starts: NDArray[Any]
    cells: NDArray[Any]
    numbers: NDArray[Any]

    @classmethod
    def of(cls, tables: Ints) -> Packed:
        """Pack `tables` (rows, *shape)."""
        flat = tables.reshape(len(tables), math.prod(tables.shape[1:]))
        rows, cells = np.nonzero(flat)
        sizes = np.bincount(rows, minlength=len(tables))
        return cls(tables.shape[1:], _starts(sizes), smallest(cells), smallest(flat[rows, cells]))

    @classmethod
    def joined(cls, parts: Sequence[Packed]) -> Packed:
        """The rows of all parts, one part after the other."""
        sizes = np.concatenate([part.sizes for part in parts])
        cells, numbers = ([getattr(part, name) for part in parts] for name in ("cells", "numbers"))
        return cls(parts[0].shape, _starts(sizes), np.concatenate(cells), np.concatenate(numbers))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Ints:
        """How many numbers of each row are kept: (rows,)."""
        starts = self.starts.astype(np.int64)
        return np.asarray(starts[1:] - starts[:-1])

    @property
    def nbytes(self) -> int:
        return self.starts.nbytes + self.cells.nbytes + self.numbers.nbytes

    def __getitem__(self, rows: slice | Bools | Ints) -> Packed:
        """Some rows: neighbours, chosen ones, or those with these numbers, in this order."""
        if isinstance(rows, slice):
            first, last, _ = rows.indices(len(self))
            starts = self.starts[first : max(last, first) + 1]
            part = slice(int(starts[0]), int(starts[-1]))
            return Packed(self.shape, starts - starts[0], self.cells[part], self.numbers[part])
        chosen = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        begins = self.starts[chosen].astype(np.int64)
        sizes = self.starts[chosen + 1].astype(np.int64) - begins
        starts = _starts(sizes)
        at = np.arange(sizes.sum()) + np.repeat(begins - starts[:-1], sizes)
        return Packed(self.shape, starts, self.cells[at], self.numbers[at])

    def tables(self) -> Ints:
        """The tables with their zeros: (rows, *shape), in the type of the numbers."""
        width = math.prod(self.shape)
        flat = np.zeros(len(self) * width, dtype=self.numbers.dtype)
        flat[np.repeat(np.arange(len(self)) * width, self.sizes) + self.cells] = self.numbers
        return flat.reshape(len(self), *self.shape)

    def total(self) -> Ints:
        """All rows added up: `shape`. Sums are exact up to 2 ** 53."""
        added = np.bincount(self.cells, weights=self.numbers, minlength=math.prod(self.shape))
        return added.astype(np.int64).reshape(self.shape)


def _starts(sizes: Ints) -> Ints:
    return smallest(np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]))
