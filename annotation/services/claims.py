"""Claims: how workers share jobs. One worker holds a job at a time, under a lease that its heartbeat renews.

A worker that stops sending heartbeats loses its job to another, and its later writes are refused. All times are the
database's, so machines with different clocks agree on which leases have expired. A heartbeat of the future is no sign
of life: the database's clock was set back since.

The models of jobs extend `annotation.models.Job`; `annotation.services.jobs` covers the common case (claim, heartbeat,
finish or fail) and needs only `claim_finish` from here.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from annotation.connections import connection_lost, reconnect, storage_problem
from annotation.models import Job

logger = logging.getLogger(__name__)

_RETRY_SECONDS = 0.5

J = TypeVar("J", bound=Job)

WORKER = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:6]}"
"""This process's name in claims; never reused, so that a restarted worker does not own a dead one's jobs."""


class ClaimLost(Exception):
    """This worker no longer holds the job: another took it over, it was cancelled, or the worker was told to stop."""


def claim_next(
    jobs: QuerySet[J],
    *,
    give_up: Callable[[J], bool],
    worker: str = WORKER,
    on_claim: Callable[[J, str], None] | None = None,
    max_attempts: int | None = None,
    **fields: Any,
) -> J | None:
    """Claim the first of `jobs` that no worker holds, with `fields` as its other fields; None if there is none.

    `jobs` are the unfinished ones in the order to do them, held ones included. A job that has been claimed
    `max_attempts` times (default: JOB_ATTEMPTS) without a result is passed to `give_up`, which ends it and returns
    True, or returns False to have it retried. `on_claim` gets the job as it was and the worker that lost it ('' for
    none). Both are called in the transaction of the claim.

    PostgreSQL skips rows that another worker is claiming at the moment; on SQLite the transaction holds the write lock
    from its beginning. Either way the row is claimed only if it has not changed since it was read.
    """
    limit = settings.JOB_ATTEMPTS if max_attempts is None else max_attempts
    lease = timedelta(seconds=settings.JOB_LEASE_SECONDS)
    silent = Q(heartbeat=None) | Q(heartbeat__lt=Now() - lease) | Q(heartbeat__gt=Now() + lease)
    free = jobs.filter(Q(claimed_by="") | silent)
    while free.exists():
        with transaction.atomic():
            job = free.select_for_update(skip_locked=True, of=("self",)).first()
            if job is None:
                return None
            if job.attempts >= limit and give_up(job):
                continue
            if not _claimed_row(job).update(
                claimed_by=worker, claimed=Now(), heartbeat=Now(), attempts=F("attempts") + 1, **fields
            ):
                continue
            if on_claim is not None:
                on_claim(job, job.claimed_by)
        job.refresh_from_db()
        return job
    return None


def claim_renew(job: Job, **fields: Any) -> None:
    """Record that the worker is alive, and its progress. Raises ClaimLost if it no longer holds the job."""
    if not _claimed_row(job).update(heartbeat=Now(), **fields):
        raise ClaimLost(f"{job_name(job)} was taken over or cancelled")


def claim_release(job: Job, *, counted: bool = False, **fields: Any) -> bool:
    """Let another worker have the job at once; returns whether this worker still held it.

    The attempt does not count unless `counted`, which ensures that a job that never succeeds is eventually given up.
    """
    attempts = F("attempts") if counted else F("attempts") - 1
    return bool(_claimed_row(job).update(claimed_by="", heartbeat=None, attempts=attempts, **fields))


def claim_give_back(job: Job, error: Exception, **fields: Any) -> None:
    """Release a job that a database error interrupted, as soon as the database responds again.

    The attempt counts unless the connection was lost or the disk is full, which says nothing about the job or the
    worker: it is done when there is a connection, or room, again.
    """
    counted = not (connection_lost(error) or storage_problem(error))
    until = time.monotonic() + settings.JOB_LEASE_SECONDS
    while True:
        reconnect()
        try:
            claim_release(job, counted=counted, **fields)
            return
        except (OperationalError, InterfaceError) as away:
            logger.warning("%s: not given back yet: %s", job_name(job), away)
            if time.monotonic() > until:
                return  # the next worker sees that the lease has expired
            time.sleep(_RETRY_SECONDS)


def claim_finish(job: Job, **fields: Any) -> None:
    """End the claim and write the result in one step. Raises ClaimLost, and writes nothing, if the claim was lost.

    Call it in the transaction that writes the job's other results, so that they are written only once.
    """
    if not _claimed_row(job).update(claimed_by="", heartbeat=None, **fields):
        raise ClaimLost(f"{job_name(job)} was taken over or cancelled")


def _claimed_row(job: J) -> QuerySet[J]:
    """The job's row if it is still held as `job` says."""
    rows: QuerySet[J] = type(job)._base_manager.filter(pk=job.pk, claimed_by=job.claimed_by, attempts=job.attempts)
    return rows


def job_name(job: Job) -> str:
    """A job's name for logs; unlike `str`, it needs no query, which might fail."""
    return f"{type(job).__name__} {job.pk}"


class Heartbeat:
    """Renews a claim from a separate thread inside a `with` block; long jobs call `check` from time to time.

    `renew` is called at each beat (it raises ClaimLost to end the job); `stop` returns whether the worker should stop.
    A job that reads in a long transaction can't write its own progress: it assigns it to `progress`, fields of the job
    that the next beat writes.
    """

    def __init__(
        self, job: Job, stop: Callable[[], bool] = lambda: False, renew: Callable[..., None] = claim_renew
    ) -> None:
        self.job = job
        self.stop = stop
        self.renew = renew
        self.lost: ClaimLost | None = None
        self.progress: dict[str, Any] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat of {job.pk}", daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._ended.wait(settings.JOB_LEASE_SECONDS / 6):
                try:
                    self.renew(self.job, **self.progress)
                except ClaimLost as lost:
                    self.lost = lost
                    return
                except Exception as error:
                    # A database that is briefly unreachable costs one heartbeat, not the job; the next one reconnects.
                    reconnect()
                    logger.warning("%s: no heartbeat: %s", job_name(self.job), error)
        finally:
            if not connection.in_atomic_block:
                connection.close()

    def check(self) -> None:
        """Raises ClaimLost if the job should not continue."""
        if self.lost is not None:
            raise self.lost
        if self.stop():
            raise ClaimLost("the worker was told to stop")
