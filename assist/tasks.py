"""Celery's part: a message says that there is work, and whoever gets it looks for it. A lost one costs seconds."""

from __future__ import annotations

import logging

from celery import shared_task
from kombu.exceptions import OperationalError

from assist import runs

logger = logging.getLogger(__name__)


@shared_task(name="assist.work")
def work(queue: str) -> None:
    """Have the thread that looks for work look now; in a process without one (a child of a pool) do the work here.

    The pool's threads stay free for other tasks, however long a run lasts.
    """
    if runs.looking.is_set():
        runs.wake.set()
    else:
        runs.work([queue], stop=runs.stopping.is_set)


def ring(queue: str) -> None:
    """Tell the workers of a queue that there is work; where no broker answers, they find it by themselves."""
    try:
        work.apply_async(args=[queue], queue=queue, retry=False, expires=60)
    except (OperationalError, OSError) as error:
        logger.warning("the broker does not answer (%s); workers will find the work by themselves", error)
