"""How a process looks for work by itself, because a broker's bell may be lost."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from django.db import close_old_connections, connection

logger = logging.getLogger(__name__)


def repeat(
    seconds: float, action: Callable[[], object], stopping: threading.Event, wake: threading.Event | None = None
) -> None:
    """Do `action` every so many seconds, and when `wake` is set, until `stopping` is; an error is never the end.

    Whoever sets `stopping` sets `wake` too, where there is one.
    """
    while not stopping.is_set():
        close_old_connections()
        try:
            action()
        except Exception as error:
            logger.warning("%s: %s; trying again in %.0f s", type(error).__name__, error, seconds)
        (wake or stopping).wait(seconds)
        if wake is not None:
            wake.clear()
    connection.close()
