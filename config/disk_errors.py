"""What an error of the system says about a disk. Knows nothing of Django."""

from __future__ import annotations

import errno
from typing import Literal

_FULL = (errno.ENOSPC, errno.EDQUOT)
_PROTECTED = (errno.EROFS,)


def disk_problem(error: BaseException | None) -> Literal["full", "protected", ""]:
    """Whether `error`, or its cause, means that a file has no room, or that its disk can't be written."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _FULL:
            return "full"
        if isinstance(error, OSError) and error.errno in _PROTECTED:
            return "protected"
        error = error.__cause__
    return ""
