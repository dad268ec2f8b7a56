"""Ranges of numbers, as arrays of where they start and end."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Numbers = NDArray[np.integer[Any]]


def members(starts: Numbers, ends: Numbers) -> tuple[Ids, Ids]:
    """For every number from ``starts`` to before ``ends``, range by range: the range it is in, and the number."""
    counts = ends - starts
    range_of = np.repeat(np.arange(len(counts)), counts)
    return range_of, np.arange(len(range_of)) + (starts - np.cumsum(counts) + counts)[range_of]
