"""Celery's part of jobs: messages about new jobs. A lost one costs only seconds, because workers poll."""

from __future__ import annotations

import logging

from celery import shared_task
from kombu.exceptions import OperationalError

from annotation.polling import wake

logger = logging.getLogger(__name__)


@shared_task(name="annotation.poll")
def poll(name: str) -> None:
    """Make the thread that polls for this kind of job poll now; the worker's own thread stays free for messages."""
    wake(name)


def notify(name: str, queue: str = "cpu") -> None:
    """Tell the workers of a queue that there is a job of this kind; without a broker they find it by polling."""
    try:
        poll.apply_async(args=[name], queue=queue, retry=False, expires=60)
    except (OperationalError, OSError) as error:
        logger.warning("the broker does not answer (%s); workers will find the work by themselves", error)
