"""Rows of cached reports, as reports and analyses write them: requested from workers, computed, failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from agreement.models import CachedReport
from annotation.job_notifications import notify


def cached_report_write(row: CachedReport, fields: Mapping[str, Any]) -> CachedReport:
    """Write these fields; returns the row as it is then, with its project."""
    CachedReport.objects.filter(pk=row.pk).update(**fields)
    return CachedReport.objects.select_related("project").get(pk=row.pk)


def cached_report_request(row: CachedReport, current: str, job: str, *, retry: bool = False) -> CachedReport:
    """Request the row for the `current` work from the workers of this kind of job, unless that is done or it failed."""
    if row.requested_fingerprint != current and (retry or row.failed != current):
        # A worker that is computing the report continues: if work changes all the time, its report is still the newest.
        # It waits since it was first requested, not since the work last changed.
        requeued = {} if row.requested_fingerprint else {"attempts": 0, "requested": timezone.now()}
        row = cached_report_write(row, {"requested_fingerprint": current, "failed": "", "problem": "", **requeued})
        transaction.on_commit(lambda: notify(job))
    return row


def computed_fields(body: Mapping[str, Any], current: str, seconds: float) -> dict[str, Any]:
    """The fields of a row that was computed for the `current` work in so many seconds."""
    return {
        "body": body,
        "fingerprint": current,
        "made": timezone.now(),
        "seconds": seconds,
        "requested_fingerprint": "",
        "requested": None,
        "failed": "",
        "problem": "",
    }


def failed_fields(row: CachedReport, problem: str) -> dict[str, Any]:
    """The fields of a row that could not be computed."""
    return {"requested_fingerprint": "", "requested": None, "failed": row.requested_fingerprint, "problem": problem}
