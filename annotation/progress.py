"""What long work calls to say how much of it is done. A callback may raise, which ends the work: a job is cancelled so.

Work takes one of these as `on_progress`.
"""

from collections.abc import Callable

OnProgress = Callable[[int, int, str], None]
"""Gets how many are done, of how many, and what: the stage of the work, the name of a model …"""
OnCount = Callable[[int, int], None]
"""Gets how many are done, and of how many."""
OnDone = Callable[[int], None]
"""Gets how many are done."""
OnAdvance = Callable[[int], None]
"""Gets how many more are done than at the last call."""


def ignore_progress(*_done: object) -> None:
    """Does nothing: the default where work needs a callback."""
