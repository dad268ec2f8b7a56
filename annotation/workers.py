"""Celery's part of polling, which starts when a worker is ready and ends when it is told to stop.

While it polls, a worker records its presence, so that pages can say if no worker is running.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

from celery import current_app
from celery.signals import worker_ready, worker_shutdown, worker_shutting_down
from django.db import DatabaseError
from django.db.models.functions import Now

from annotation.models import Worker
from annotation.polling import poll_for, polling_join, polling_start, polling_stop
from annotation.services.claims import WORKER
from annotation.services.deletion import DELETIONS
from annotation.services.import_jobs import IMPORTS, imports_run
from annotation.services.jobs import jobs_run
from annotation.services.webhook_deliveries import DELIVERIES, deliveries_prune
from annotation.services.webhook_notices import notices_send
from annotation.site_version import site_version

END_SECONDS = 20.0

PRESENCE_SECONDS = 5.0
FORGET_AFTER = timedelta(days=1)


def record_presence(queues: Sequence[str], stop: Callable[[], bool] = lambda: False) -> None:
    """Record that this worker is running."""
    about = {"queues": list(queues), "version": site_version(), "seen": Now()}
    Worker.objects.update_or_create(name=WORKER, defaults=about)
    Worker.objects.filter(seen__lt=Now() - FORGET_AFTER).delete()


poll_for(IMPORTS.name, lambda queues, stop: imports_run(stop))
poll_for(DELETIONS.name, lambda queues, stop: jobs_run(DELETIONS, stop))
poll_for(DELIVERIES.name, lambda queues, stop: jobs_run(DELIVERIES, stop), threads=2)
poll_for("webhook-notices", lambda queues, stop: notices_send(), seconds=60)
poll_for("webhook-log", lambda queues, stop: deliveries_prune(), seconds=3600)
poll_for("presence", record_presence, queues=(), seconds=PRESENCE_SECONDS)


@worker_ready.connect
def start(**_: Any) -> None:
    """Poll for the queues that this worker was started with."""
    polling_start(list(current_app.amqp.queues.consume_from))


@worker_shutting_down.connect
def stop(**_: Any) -> None:
    """Jobs stop at their next step and are released."""
    polling_stop()


@worker_shutdown.connect
def end(**_: Any) -> None:
    """Wait until the current jobs are released, and remove the record of this worker's presence.

    Celery can also end a worker by itself, after an error, without telling anything to stop.
    """
    polling_stop()
    polling_join(END_SECONDS)
    # Without a database it can't be removed, and is taken for gone in a few seconds.
    with suppress(DatabaseError):
        Worker.objects.filter(name=WORKER).delete()
