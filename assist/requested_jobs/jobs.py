"""Work that a lead requests and a worker does, such as mining or comparing encoders: what all types of it share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import ACTIVE_JOB, JobStatus
from annotation.services.claims import Heartbeat, claim_renew
from annotation.services.jobs import JobKind, job_language
from annotation.settings_model import SettingError, Settings, check_web
from assist.models import RequestedJob

R = TypeVar("R", bound=RequestedJob)
S = TypeVar("S", bound=Settings)
ENDED_EARLY = (JobStatus.FAILED, JobStatus.CANCELLED)
JOBS_LISTED = 20
"""How many of a project's jobs its page lists."""
_PROGRESS_SECONDS = 1.0


def web_settings(cls: type[S], values: Mapping[str, object]) -> S:
    """Settings that came by the web. Raises Invalid for one that is wrong, or that only a command may have."""
    try:
        chosen = cls.read(values)
        check_web(chosen)
    except SettingError as error:
        raise Invalid(error.phrase.text(_), code="setting", where=error.setting) from error
    return chosen


def newest_jobs(rows: QuerySet[R], *without: str) -> QuerySet[R]:
    """The newest of these jobs, without their large columns."""
    return rows.defer(*without).select_related("requested_by")[:JOBS_LISTED]


def cancel_jobs(rows: QuerySet[R]) -> bool:
    """Cancel a job that waits or runs; False if it has ended."""
    waiting = rows.filter(status__in=ACTIVE_JOB)
    return bool(waiting.update(status=JobStatus.CANCELLED, claimed_by="", heartbeat=None, finished=Now()))


def requeue(rows: QuerySet[R]) -> bool:
    """Have a job done again that failed or was cancelled; False if it is none of these."""
    fresh = {"status": JobStatus.QUEUED, "attempts": 0, "problem": "", "finished": None, "done": 0}
    return bool(rows.filter(status__in=ENDED_EARLY).update(**fresh))


def stop_jobs(rows: QuerySet[R], cancel: Callable[[R], None]) -> int:
    """Cancel the jobs of a project that is being archived or deleted; returns how many."""
    stopped = 0
    for row in rows.filter(status__in=ACTIVE_JOB):
        with suppress(Conflict):  # it has just ended
            cancel(row)
            stopped += 1
    return stopped


def job_failed(row: RequestedJob, problem: str) -> dict[str, Any]:
    """The columns of a job that failed."""
    return {"status": JobStatus.FAILED, "problem": problem, "finished": Now()}


def job_kind(
    model: type[R],
    name: str,
    perform: Callable[[R, Heartbeat], None],
    failed: Callable[[R, str], dict[str, Any]] = job_failed,
    ready: Q | None = None,
) -> JobKind[R]:
    """The kind of job whose rows `model` has; `perform` and `failed` are as in `JobKind`.

    Rows wait for a worker if they are `ready`, where not all are from the beginning.
    """
    condition = Q(status__in=ACTIVE_JOB) & (ready or Q())
    rows = model._default_manager
    return JobKind(
        name=name,
        unfinished=lambda: rows.filter(condition).select_related("project", "requested_by").order_by("pk"),
        perform=perform,
        failed=failed,
        claimed={"status": JobStatus.RUNNING},
        released={"status": JobStatus.QUEUED},
        language=lambda row: job_language(row.requested_by),
    )


class StoredProgress:
    """The progress of a job: parts, each with a share of the whole, stored at most once a second."""

    def __init__(self, row: RequestedJob, heartbeat: Heartbeat) -> None:
        self.row, self.heartbeat = row, heartbeat
        self.last_stored = 0.0
        self.parts: dict[str, int] = {}

    def report(self, part: str, done: int, total: int) -> None:
        """So much of a part is done. Raises ClaimLost if there is no point in going on."""
        self.heartbeat.check()
        before = sum(size for name, size in self.parts.items() if name != part)
        self.row.total = max(before + total, self.row.total)
        if time.monotonic() - self.last_stored > _PROGRESS_SECONDS:
            claim_renew(self.row, done=before + done, total=self.row.total)
            self.last_stored = time.monotonic()
        if done >= total:
            self.parts[part] = total
