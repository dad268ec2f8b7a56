"""Runs of an archive: those that were not done are cancelled, and nothing else changes."""

from __future__ import annotations

import pytest

from annotation.models import JobStatus, Text
from assist.models import Run
from assist.runs.archived_runs import cancel_unfinished


@pytest.mark.parametrize("status", JobStatus)
def test_an_unfinished_run_is_cancelled(status: JobStatus) -> None:
    row = Run(status=status)
    cancel_unfinished(row)
    ended = status in (JobStatus.DONE, JobStatus.FAILED, JobStatus.CANCELLED)
    assert row.status == (status if ended else JobStatus.CANCELLED)


def test_rows_of_other_tables_are_left_alone() -> None:
    row = Text(language="en")
    cancel_unfinished(row)
    assert not hasattr(row, "status")
