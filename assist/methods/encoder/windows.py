"""How a text of any length is cut into windows that an encoder can read, each token kept from exactly one of them."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Window:
    """Subwords ``start`` to ``stop`` are read together; the vectors of ``keep`` to ``keep_stop`` are kept."""

    start: int
    stop: int
    keep: int
    keep_stop: int


def plan(length: int, room: int, overlap: int, word_starts: Sequence[int] = ()) -> list[Window]:
    """Windows of at most ``room`` subwords that keep every one of ``length`` subwords exactly once, in order.

    Neighbouring windows share at least ``overlap`` subwords (fewer if ``room`` does not allow it), and the kept ranges
    meet in the middle of the shared part, so every subword has context on both sides. The boundary is moved to the
    nearest start of a word within the shared part, if there is one: ``word_starts`` are ascending subword indices. A
    text that fits is one window. Raises ValueError if ``room`` is not positive.
    """
    if room < 1:
        raise ValueError(f"a window must have room for at least one subword, not {room}")
    if length <= room:
        return [Window(0, length, 0, length)] if length else []
    overlap = min(overlap, room // 2)
    count = -(-(length - overlap) // (room - overlap))
    starts = [index * (length - room) // (count - 1) for index in range(count)]
    cuts = [0]
    for before, after in itertools.pairwise(starts):
        cuts.append(_word_start(word_starts, max(after, cuts[-1] + 1), before + room))
    cuts.append(length)
    return [Window(start, start + room, low, high) for start, low, high in zip(starts, cuts, cuts[1:], strict=False)]


def _word_start(word_starts: Sequence[int], low: int, high: int) -> int:
    """The start of a word in [low, high] that is nearest to the middle; the middle itself if no word starts there."""
    middle = (low + high) // 2
    at = int(np.searchsorted(word_starts, middle))
    near = [start for start in word_starts[max(0, at - 1) : at + 1] if low <= start <= high]
    return int(min(near, key=lambda start: abs(start - middle), default=middle))
