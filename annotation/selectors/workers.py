"""Reads about workers: whether anybody does what is waiting."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models.functions import Now

from annotation.models import Worker

CPU = "cpu"
"""The queue of everything that needs no GPU."""


def workers_alive(queue: str | None = None) -> list[Worker]:
    """The workers that were seen within the time after which a silent one is given up, of one queue or of all."""
    seen = Worker.objects.filter(seen__gte=Now() - timedelta(seconds=settings.JOB_LEASE_SECONDS))
    return [worker for worker in seen if queue is None or queue in worker.queues]
