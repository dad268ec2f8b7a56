"""Claims: how workers share jobs. One worker holds a job at a time, under a lease that its heartbeat renews.

A worker that falls silent loses its job to another, and what it still says is refused. All times are the database's
own, so that machines with different clocks agree on which lease has run out.

The rows of a kind of job extend `annotation.models.Job`; `annotation.services.jobs` does the common case (claim,
heartbeat, finish or fail) and needs none of these functions but `claim_finish`.
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

from annotation.connections import connection_lost, reconnect
from annotation.models import Job

logger = logging.getLogger(__name__)

_AGAIN_SECONDS = 0.5

J = TypeVar("J", bound=Job)

WORKER = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:6]}"
"""This process, as claims name it; never the same again, so that a restarted worker does not own a dead one's jobs."""


class ClaimLost(Exception):
    """The job is no longer this worker's: another took it over, it was cancelled, or the worker is to stop."""


def claim_next(
    jobs: QuerySet[J],
    *,
    give_up: Callable[[J], bool],
    worker: str = WORKER,
    on_claim: Callable[[J, str], None] | None = None,
    max_attempts: int | None = None,
    **changes: Any,
) -> J | None:
    """Claim the first of `jobs` that nobody holds, with `changes` to its other fields; None where there is none.

    `jobs` are the unfinished ones in the order in which to do them, held ones included. A job that has been claimed
    `max_attempts` times (default: JOB_ATTEMPTS) without a result is handed to `give_up`, which settles it and returns
    True, or returns False to have it tried again. `on_claim` gets the job as it was and the worker that fell silent on
    it ('' for none). Both are called in the transaction of the claim.

    PostgreSQL passes over rows that another worker is claiming at this moment; on SQLite the transaction holds the
    write lock from its beginning. Either way the row is taken only if it is still as it was read.
    """
    limit = settings.JOB_ATTEMPTS if max_attempts is None else max_attempts
    silent = Now() - timedelta(seconds=settings.JOB_LEASE_SECONDS)
    free = jobs.filter(Q(claimed_by="") | Q(heartbeat=None) | Q(heartbeat__lt=silent))
    while free.exists():
        with transaction.atomic():
            job = free.select_for_update(skip_locked=True, of=("self",)).first()
            if job is None:
                return None
            if job.attempts >= limit and give_up(job):
                continue
            if not _held(job).update(
                claimed_by=worker, claimed=Now(), heartbeat=Now(), attempts=F("attempts") + 1, **changes
            ):
                continue
            if on_claim is not None:
                on_claim(job, job.claimed_by)
        job.refresh_from_db()
        return job
    return None


def claim_renew(job: Job, **changes: Any) -> None:
    """Say that the worker lives, and how far it is. Raises ClaimLost where the job is no longer its own."""
    if not _held(job).update(heartbeat=Now(), **changes):
        raise ClaimLost(f"{name_of(job)} was taken over or cancelled")


def claim_release(job: Job, *, counted: bool = False, **changes: Any) -> bool:
    """Let another worker have the job at once; returns whether it was still this worker's.

    The attempt does not count, unless `counted`: then a job that never succeeds is given up at last.
    """
    attempts = F("attempts") if counted else F("attempts") - 1
    return bool(_held(job).update(claimed_by="", heartbeat=None, attempts=attempts, **changes))


def claim_give_back(job: Job, error: Exception, **changes: Any) -> None:
    """Let another worker have a job that a database error ended, as soon as the database answers.

    The attempt counts unless the connection was lost: that says nothing about the job or the worker.
    """
    until = time.monotonic() + settings.JOB_LEASE_SECONDS
    while True:
        reconnect()
        try:
            claim_release(job, counted=not connection_lost(error), **changes)
            return
        except (OperationalError, InterfaceError) as away:
            logger.warning("%s: not given back yet: %s", name_of(job), away)
            if time.monotonic() > until:
                return  # whoever claims it next sees that the lease ran out
            time.sleep(_AGAIN_SECONDS)


def claim_finish(job: Job, **changes: Any) -> None:
    """End the claim and write the result in one step. Raises ClaimLost, and writes nothing, where it was lost.

    Call it in the transaction that writes everything else the job comes to, so that it is done once.
    """
    if not _held(job).update(claimed_by="", heartbeat=None, **changes):
        raise ClaimLost(f"{name_of(job)} was taken over or cancelled")


def _held(job: J) -> QuerySet[J]:
    """The job's row as long as it is held as `job` says."""
    rows: QuerySet[J] = type(job)._base_manager.filter(pk=job.pk, claimed_by=job.claimed_by, attempts=job.attempts)
    return rows


def name_of(job: Job) -> str:
    """A job as logs name it; unlike `str`, it asks nothing of a database that may be away."""
    return f"{type(job).__name__} {job.pk}"


class Heartbeat:
    """Renews a claim from a thread of its own while `with` lasts; long work calls `check` now and then.

    `renew` is what a beat does (it raises ClaimLost to end the work), `stop` says whether the worker is to end.
    """

    def __init__(
        self, job: Job, stop: Callable[[], bool] = lambda: False, renew: Callable[[Any], None] = claim_renew
    ) -> None:
        self.job = job
        self.stop = stop
        self.renew = renew
        self.lost: ClaimLost | None = None
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
                    self.renew(self.job)
                except ClaimLost as lost:
                    self.lost = lost
                    return
                except Exception as error:
                    # A database that is away for a moment costs a beat, not the job; the next beat connects anew.
                    reconnect()
                    logger.warning("%s: no heartbeat: %s", name_of(self.job), error)
        finally:
            if not connection.in_atomic_block:
                connection.close()

    def check(self) -> None:
        """Raises ClaimLost where going on would be in vain."""
        if self.lost is not None:
            raise self.lost
        if self.stop():
            raise ClaimLost("the worker was told to stop")
