"""Reads about workers: whether any are running."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models.functions import Now

from annotation.models import Worker

CPU = "cpu"
"""The queue of all work that needs no GPU."""


def workers_alive(queue: str | None = None) -> list[Worker]:
    """The workers whose presence was recorded within the lease time, of one queue or of all.

    A presence of the future was recorded before the database's clock was set back, perhaps by a worker that is gone.
    """
    lease = timedelta(seconds=settings.JOB_LEASE_SECONDS)
    workers = Worker.objects.filter(seen__gte=Now() - lease, seen__lte=Now() + lease)
    return [worker for worker in workers if queue is None or queue in worker.queues]
