"""The bell: it wakes whoever looks for work, and a broker that is away is no reason to fail."""

from __future__ import annotations

from typing import Any

import pytest
from kombu.exceptions import OperationalError

from annotation.models import Project
from assist import runs, services, tasks, workers
from assist.models import Queue, RunStatus, Worker
from assist.selectors import run_get, workers_alive

pytestmark = pytest.mark.usefixtures("fakes", "rung")


def test_a_task_wakes_the_thread_that_looks(project: Project) -> None:
    run = services.run_request(project=project, method="fake")
    runs.looking.set()
    tasks.work("cpu")
    assert runs.wake.is_set()
    assert run_get(project, run.slug).status == RunStatus.QUEUED


def test_where_nobody_looks_the_task_does_the_work(project: Project) -> None:
    run = services.run_request(project=project, method="fake")
    tasks.work("cpu")
    assert run_get(project, run.slug).status == RunStatus.DONE


@pytest.mark.parametrize("error", [OperationalError("refused"), ConnectionRefusedError("refused")])
def test_a_broker_that_is_away_is_said_and_forgiven(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    def refuse(**_: Any) -> None:
        raise error

    monkeypatch.setattr(tasks.work, "apply_async", refuse)
    tasks.ring("cpu")
    assert "workers will find the work by themselves" in caplog.text


@pytest.mark.django_db
def test_a_worker_is_seen_with_its_queues() -> None:
    workers.presence([Queue.GPU])
    workers.presence([Queue.GPU])
    assert Worker.objects.count() == 1
    assert [worker.queues for worker in workers_alive(Queue.GPU)] == [["gpu"]]
    assert workers_alive(Queue.CPU) == []
