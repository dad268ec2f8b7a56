"""How a worker process finds work by itself: apps say what to poll for, each in a thread of its own.

A message of the broker only makes a thread poll at once. When a message is lost, or a worker died with a job in its
hands, the next poll finds it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from django.conf import settings
from django.db import close_old_connections, connection

from annotation.connections import reconnect

logger = logging.getLogger(__name__)

stopping = threading.Event()
"""Set when this process is told to end: work stops at its next step and is given back."""


@dataclass
class Poller:
    """Something to poll for: `action` gets the queues that the worker serves and a function that says to stop.

    `queues` are those of which a worker must serve one (none: every worker polls). `wake` has it poll at once.
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
    """Have every worker process that serves one of `queues` call `action` every so many seconds, in so many threads.

    Called when an app's `workers` module is imported. `seconds` defaults to JOB_POLL_SECONDS.
    """
    _pollers[name] = Poller(name, action, queues, seconds, threads)


def wake(name: str) -> bool:
    """Have this process poll at once for what `name` says; returns whether a thread of this process polls for it."""
    poller = _pollers.get(name)
    if poller is None or not poller.running.is_set():
        return False
    poller.wake.set()
    return True


def polling_start(queues: Sequence[str]) -> None:
    """Start a thread for everything that a worker of these queues polls for."""
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
    """Have every thread end: work stops at its next step and gives its job back."""
    stopping.set()
    for poller in _pollers.values():
        poller.wake.set()
        poller.running.clear()


def polling_join(seconds: float) -> None:
    """Wait until the jobs in hand are given back."""
    while _threads:
        _threads.pop().join(timeout=seconds)


def repeat(
    seconds: float, action: Callable[[], object], stopping: threading.Event, wake: threading.Event | None = None
) -> None:
    """Do `action` every so many seconds, and when `wake` is set, until `stopping` is; an error is never the end.

    Whoever sets `stopping` sets `wake` too, where there is one. A database connection that broke is replaced.
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
