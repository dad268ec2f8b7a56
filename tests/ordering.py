"""The order of tests in several processes: the longest start first, so that none is left running alone at the end.

pytest-xdist's `worksteal` gives each process a stretch of the list of tests, equally long, and lets a process that is
done take the last tests of another. So each stretch begins with its share of the long tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def longest_first(tests: Sequence[T], seconds: Sequence[float], groups: Sequence[str], processes: int) -> list[T]:
    """The tests in the order to run: dealt to the stretches of `processes` processes, the longest first in each.

    `seconds` says how long each test takes (0: not long, which stay in their order); long tests of the same group stay
    together, in their order.
    """
    at_once: dict[str, list[int]] = {}
    for number, takes in enumerate(seconds):
        if takes:
            at_once.setdefault(groups[number], []).append(number)
    shares: list[list[int]] = [[] for _ in range(processes)]
    loads = [0.0] * processes
    for together in sorted(at_once.values(), key=lambda numbers: -sum(seconds[number] for number in numbers)):
        least = loads.index(min(loads))
        shares[least] += together
        loads[least] += sum(seconds[number] for number in together)
    short = [number for number, takes in enumerate(seconds) if not takes]
    order: list[int] = []
    left = len(tests)
    for index, share in enumerate(shares):
        stretch = left // (processes - index)
        fill = max(0, stretch - len(share))
        order += share + short[:fill]
        short, left = short[fill:], left - stretch
    return [tests[number] for number in order + short]
