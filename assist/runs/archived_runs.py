"""Runs in an archive of a project."""

from __future__ import annotations

from django.db.models import Model

from assist.models import ACTIVE, Run, RunStatus


def cancel_unfinished(row: Model) -> None:
    """Cancel a run that was not done: what it lacks is with the other site's workers."""
    if isinstance(row, Run) and row.status in (*ACTIVE, RunStatus.PAUSED):
        row.status = RunStatus.CANCELLED
