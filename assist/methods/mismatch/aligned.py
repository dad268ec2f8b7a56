"""The input of the search for differences: a pair, its aligned passages, and the counterparts of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assist.methods.base import Range, TextSide

Kind = Literal["number", "date", "time", "unit", "period", "negation", "quantifier", "modality", "name"]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """What A says and what B says instead, as code points; ``kind`` is what differs."""

    kind: Kind
    a: Range
    b: Range


@dataclass(frozen=True)
class Aligned:
    """A pair and its aligned passages, as token ranges of A and of B in text order.

    ``counterparts`` holds for each token of A, and of B, the number of its best counterpart (-1: none),
    ``similarities`` how similar they are, in [0, 1].
    """

    a: TextSide
    b: TextSide
    passages: Sequence[tuple[Range, Range]]
    counterparts: tuple[NDArray[np.int64], NDArray[np.int64]]
    similarities: tuple[NDArray[np.float64], NDArray[np.float64]]

    def span(self, side: int, tokens: Range) -> Range:
        """The code points from the first to the last of some tokens of A (0) or B (1)."""
        ranges = (self.a, self.b)[side].tokens
        return ranges[tokens[0]][0], ranges[tokens[1] - 1][1]
