"""Runs in an archive of a project."""

from __future__ import annotations

from django.db.models import Model

from annotation.models import ACTIVE_JOB, JobStatus
from assist.models import Run


def cancel_unfinished(row: Model) -> None:
    """Cancel a run that was not done: what it lacks is with the other site's workers."""
    if isinstance(row, Run) and row.status in (*ACTIVE_JOB, JobStatus.PAUSED):
        row.status = JobStatus.CANCELLED
