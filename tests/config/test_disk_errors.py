"""What an error of the system says about a disk."""

from __future__ import annotations

import errno

import pytest

from config.disk_errors import disk_problem


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (OSError(errno.ENOSPC, "no room"), "full"),
        (OSError(errno.EDQUOT, "no more room for this user"), "full"),
        (OSError(errno.EROFS, "mounted read-only"), "protected"),
        (OSError(errno.ECONNRESET, "of a network"), ""),
        (ValueError("No space left on device"), ""),
        (None, ""),
    ],
)
def test_a_disk_without_room_is_told_from_one_that_is_protected(error: Exception | None, problem: str) -> None:
    assert disk_problem(error) == problem
    around = RuntimeError("in a task")
    around.__cause__ = error
    assert disk_problem(around) == problem
