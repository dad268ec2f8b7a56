"""Jobs: kinds of background work, and how a worker does the jobs of one kind until none remains.

To add a kind of job, make a model that extends `annotation.models.Job`, describe it, and have the workers poll for it
(in the `workers` module of its app):

    def transcribe(job: Transcript, heartbeat: Heartbeat) -> None:
        for page in pages_of(job):
            heartbeat.check()                       # raises ClaimLost: cancelled, taken over, worker told to stop
            ...
        with transaction.atomic():
            ...                                     # the result
            claim_finish(job, status=JobStatus.DONE)    # in the same transaction; raises ClaimLost if it was lost

    TRANSCRIPTS = JobKind(
        name="transcripts",
        unfinished=lambda: Transcript.objects.filter(status__in=ACTIVE_JOB).order_by("pk"),
        perform=transcribe,
        failed=lambda job, problem: {"status": JobStatus.FAILED, "problem": problem},
        claimed={"status": JobStatus.RUNNING},
        released={"status": JobStatus.QUEUED},
    )

    poll_for(TRANSCRIPTS.name, lambda queues, stop: jobs_run(TRANSCRIPTS, stop))    # annotation.polling

A service that requests the job writes a row with the status QUEUED (`attempts=0` if a row is reused) and calls
`annotation.job_notifications.notify(TRANSCRIPTS.name)` once that is committed. To cancel, write another status and
clear `claimed_by`: the worker's next heartbeat, `check` or `claim_finish` raises ClaimLost, and nothing of it is
written.
"""

from __future__ import annotations

import errno
import logging
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from annotation.errors import DomainError
from annotation.log_context import log_context, log_duration
from annotation.models import Job, User
from annotation.services.claims import (
    ClaimLost,
    Heartbeat,
    J,
    claim_finish,
    claim_give_back,
    claim_next,
    claim_release,
    job_name,
)

logger = logging.getLogger(__name__)

_STORAGE = (
    errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EEXIST, errno.EISDIR, errno.ENOSPC,
    errno.EDQUOT, errno.EIO,
)  # fmt: skip
"""Error numbers that mean that a job can't use a folder or a disk."""


def job_language(by: User | None) -> str:
    """The requester's language; the site's for a command."""
    return str(by.preferences.get("language") or settings.LANGUAGE_CODE) if by else settings.LANGUAGE_CODE


@dataclass(frozen=True)
class JobKind(Generic[J]):
    """A kind of job.

    `unfinished` returns the jobs in the order to do them, held ones included. `perform` does one and ends with
    `claim_finish`; a DomainError that it raises is shown as it is, any other exception is logged and replaced by a
    general message. `failed` returns the fields of a job that failed with a problem. `claimed` and `released` are the
    fields written with a claim and its release. `language` is that of the user who waits for the job.
    """

    name: str
    unfinished: Callable[[], QuerySet[J]]
    perform: Callable[[J, Heartbeat], None]
    failed: Callable[[J, str], Mapping[str, Any]]
    claimed: Mapping[str, Any] = field(default_factory=dict)
    released: Mapping[str, Any] = field(default_factory=dict)
    language: Callable[[J], str] = lambda job: settings.LANGUAGE_CODE


def jobs_run(kind: JobKind[J], stop: Callable[[], bool] = lambda: False) -> int:
    """Run the jobs of a kind one after another until none is free; returns how many ended, successful or not.

    Any process may call it at any time. A job whose worker stopped sending heartbeats is taken over; one whose worker
    has died JOB_ATTEMPTS times fails with a message. On a database error, the job is released and the error raised: the
    caller retries later.
    """
    done = 0

    def give_up(job: J) -> bool:
        nonlocal done
        logger.error("%s: given up after %d attempts", job_name(job), job.attempts)
        with override(kind.language(job)):
            claim_finish(job, **kind.failed(job, abandoned_message(job.attempts)))
        done += 1
        return True

    while not stop():
        job = claim_next(kind.unfinished(), give_up=give_up, **kind.claimed)
        if job is None:
            break
        done += job_perform(kind, job, stop)
    return done


def job_perform(kind: JobKind[J], job: J, stop: Callable[[], bool] = lambda: False, *, refusals: bool = False) -> bool:
    """Do a claimed job; returns whether it ended, successful or not, and False if it was released or lost.

    With `refusals`, a DomainError is raised instead of stored with the job, because someone is waiting for the
    response.
    """
    with log_context(kind=kind.name, job=job_name(job)), log_duration(logger, "job"):
        return _perform(kind, job, stop, refusals)


def _perform(kind: JobKind[J], job: J, stop: Callable[[], bool], refusals: bool) -> bool:
    try:
        with override(kind.language(job)), Heartbeat(job, stop) as heartbeat:
            kind.perform(job, heartbeat)
    except ClaimLost as lost:
        logger.info("%s: %s", job_name(job), lost)
        claim_release(job, **kind.released)
        return False
    except (OperationalError, InterfaceError) as error:
        claim_give_back(job, error, **kind.released)
        raise
    except Exception as error:
        if refusals and isinstance(error, DomainError):
            raise
        with override(kind.language(job)):
            job_fail(kind, job, error_message(error, job))
    return True


def job_fail(kind: JobKind[J], job: J, problem: str) -> None:
    """End a claimed job with a problem: a message for people."""
    try:
        claim_finish(job, **kind.failed(job, problem))
    except ClaimLost as lost:
        logger.info("%s: %s", job_name(job), lost)


def error_message(error: Exception, job: Job) -> str:
    """The message about an error for people; details for programmers are logged."""
    if isinstance(error, DomainError):
        return str(error)
    stored = isinstance(error, OSError) and error.errno in _STORAGE
    logger.error("%s failed%s", job_name(job), f"; {_free_space_message()}" if stored else "", exc_info=error)
    if stored:
        return _(
            "A folder on the server can't be used: it is missing or protected, or its disk is full. "
            "Ask your server administrator: the log says which folder it is. Then try again."
        )
    return _("Stopped because of an internal error. Ask your server administrator to check the log.")


def _free_space_message() -> str:
    """How much room is left where files are written: an error need not say which folder it is about."""
    parts = []
    for folder in sorted({str(settings.DATA_DIR), tempfile.gettempdir()}):
        try:
            parts.append(f"{shutil.disk_usage(folder).free:,} bytes free in {folder}")
        except OSError as error:
            parts.append(f"{folder}: {error.strerror}")
    return ", ".join(parts)


def abandoned_message(attempts: int) -> str:
    """The message for people about a job that several workers died on."""
    return _(
        "Failed after %(n)s attempts: each time the worker stopped before the job was finished, "
        "possibly because it ran out of memory. Ask your server administrator to check the worker's log."
    ) % {"n": attempts}
