"""Messages to workers about new jobs. A lost one costs only seconds, because workers poll."""

from __future__ import annotations

import logging

logger = logging.getLogger(__name__)


def notify(name: str, queue: str = "cpu") -> None:
    """Tell the workers of a queue that there is a job of this kind; without a broker they find it by polling."""
    # A process that sends no message needs no Celery, which takes as much memory as Django.
    from kombu.exceptions import OperationalError

    from annotation.tasks import poll

    try:
        poll.apply_async(args=[name], queue=queue, retry=False, expires=60)
    except (OperationalError, OSError) as error:
        logger.warning("the broker does not answer (%s); workers will find the work by themselves", error)
