"""Notifications: one wakes whoever polls for work, and a broker that is away is no reason to fail."""

from __future__ import annotations

from typing import Any

import pytest
from kombu.exceptions import OperationalError

from annotation import job_notifications, polling, tasks
from annotation.models import JobStatus, Project
from assist import workers
from assist.runs import services
from assist.runs.selectors import run_get

pytestmark = pytest.mark.usefixtures("fakes", "notified")


def test_a_task_wakes_the_thread_that_polls(project: Project) -> None:
    run = services.run_request(project=project, method="fake")
    poller = polling._pollers[services.RUNS]
    poller.running.set()
    try:
        tasks.poll(services.RUNS)
        assert poller.wake.is_set()
    finally:
        poller.running.clear()
        poller.wake.clear()
    assert run_get(project, run.slug).status == JobStatus.QUEUED


def test_a_poll_does_the_work_of_its_queues(project: Project) -> None:
    run = services.run_request(project=project, method="fake")
    assert workers.process_waiting_lots(["gpu"], lambda: False) == 0
    assert workers.process_waiting_lots(["celery", "cpu"], lambda: False) == 1
    assert run_get(project, run.slug).status == JobStatus.DONE


@pytest.mark.parametrize("error", [OperationalError("refused"), ConnectionRefusedError("refused")])
def test_a_broker_that_is_away_is_said_and_forgiven(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    def refuse(**_: Any) -> None:
        raise error

    monkeypatch.setattr(tasks.poll, "apply_async", refuse)
    job_notifications.notify("runs", "cpu")
    assert "workers will find the work by themselves" in caplog.text
