"""Progress as people read it."""

from __future__ import annotations

import pytest

from annotation.selectors.progress import ProgressCounts


@pytest.mark.parametrize(
    ("finished", "assigned", "percent"),
    [(0, 0, 0), (0, 7, 0), (2, 7, 29), (1, 8, 13), (3, 8, 38), (1, 3, 33), (1, 1000, 1), (999, 1000, 99), (7, 7, 100)],
)
def test_the_percentage_is_rounded_but_never_to_none_or_all(finished: int, assigned: int, percent: int) -> None:
    assert ProgressCounts(assigned=assigned, done=finished).percent == percent
