"""How a worker process finds jobs by itself: apps register what to poll for, each in its own thread.

A broker message only makes a thread poll at once. If a message is lost, or a worker dies while it holds a job, the next
poll finds it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from django.conf import settings
from django.db import close_old_connections, connection

from annotation.connections import reconnect

logger = logging.getLogger(__name__)

stopping = threading.Event()
"""Set when this process is told to end: jobs stop at their next step and are released."""


@dataclass
class Poller:
    """Something to poll for: `action` gets the queues that the worker serves and a function that tells it to stop.

    A worker polls if it serves one of `queues` (empty: every worker polls). Setting `wake` makes it poll at once.
    """

    name: str
    action: Callable[[Sequence[str], Callable[[], bool]], object]
    queues: tuple[str, ...] = ("cpu",)
    seconds: float | None = None
    threads: int = 1
    wake: threading.Event = field(default_factory=threading.Event)
    running: threading.Event = field(default_factory=threading.Event)


_pollers: dict[str, Poller] = {}
_threads: list[threading.Thread] = []


def poll_for(
    name: str,
    action: Callable[[Sequence[str], Callable[[], bool]], object],
    *,
    queues: tuple[str, ...] = ("cpu",),
    seconds: float | None = None,
    threads: int = 1,
) -> None:
    """Make every worker process that serves one of `queues` call `action` every `seconds`, in `threads` threads.

    Called when an app's `workers` module is imported. `seconds` defaults to JOB_POLL_SECONDS.
    """
    _pollers[name] = Poller(name, action, queues, seconds, threads)


def poll_now(name: str) -> bool:
    """Make this process poll for `name` at once; returns whether one of its threads polls for it."""
    poller = _pollers.get(name)
    if poller is None or not poller.running.is_set():
        return False
    poller.wake.set()
    return True


def polling_start(queues: Sequence[str]) -> None:
    """Start the threads that poll for a worker of these queues."""
    stopping.clear()
    for poller in _pollers.values():
        if poller.queues and not set(poller.queues) & set(queues):
            continue
        seconds = settings.JOB_POLL_SECONDS if poller.seconds is None else poller.seconds
        action = partial(poller.action, queues, stopping.is_set)
        poller.running.set()
        for _ in range(poller.threads):
            arguments = (seconds, action, stopping, poller.wake)
            thread = threading.Thread(target=repeat, args=arguments, name=poller.name, daemon=True)
            thread.start()
            _threads.append(thread)


def polling_stop() -> None:
    """End all threads: jobs stop at their next step and are released."""
    stopping.set()
    for poller in _pollers.values():
        poller.wake.set()
        poller.running.clear()


def polling_join(seconds: float) -> None:
    """Wait until the current jobs have been released, for at most `seconds`."""
    until = time.monotonic() + seconds
    while _threads:
        _threads.pop().join(timeout=max(0.0, until - time.monotonic()))


def repeat(
    seconds: float, action: Callable[[], object], stopping: threading.Event, wake: threading.Event | None = None
) -> None:
    """Call `action` every `seconds`, and whenever `wake` is set, until `stopping` is set; errors are logged and don't
    end it.

    Whoever sets `stopping` also sets `wake`, if there is one. A broken database connection is replaced.
    """
    while not stopping.is_set():
        try:
            close_old_connections()
            action()
        except Exception as error:
            logger.warning("%s: %s; trying again in %.0f s", type(error).__name__, error, seconds)
            reconnect()
        (wake or stopping).wait(seconds)
        if wake is not None:
            wake.clear()
    connection.close()
