"""What an NLI model reads at once: of a premise and a hypothesis of any length, parts that fit together.

A premise that is too long is cut into windows, and what any of them entails is entailed. A hypothesis that would leave
the premise less than half of the room is cut into parts, all of which must be entailed.
"""

from __future__ import annotations

from dataclasses import dataclass

from assist.methods.base import Range
from assist.methods.encoder.windows import plan

OVERLAP = 32
"""Subwords that neighbouring windows share."""


@dataclass(frozen=True, slots=True)
class WindowPair:
    """Ranges of subwords of premise and hypothesis that are read together, and those of the hypothesis to keep."""

    premise: Range
    hypothesis: Range
    keep: Range

    @property
    def size(self) -> int:
        """Subwords of both texts."""
        return self.premise[1] - self.premise[0] + self.hypothesis[1] - self.hypothesis[0]


def window_pairs(premise: int, hypothesis: int, room: int) -> list[list[WindowPair]]:
    """For each part of a hypothesis of so many subwords the windows of the premise that it is judged against.

    The parts' ``keep`` are the hypothesis, each subword once; a list is empty only if the hypothesis is.
    """
    most = max(room - premise, room // 2)
    parts = []
    for part in plan(hypothesis, most, OVERLAP):
        windows = plan(premise, room - (part.stop - part.start), OVERLAP)
        ranges = [(each.start, each.stop) for each in windows] or [(0, 0)]
        parts.append([WindowPair(each, (part.start, part.stop), (part.keep, part.keep_stop)) for each in ranges])
    return parts
