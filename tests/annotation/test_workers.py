"""Workers record their presence while they poll."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation import workers
from annotation.models import Worker
from annotation.selectors.workers import workers_alive

pytestmark = pytest.mark.django_db


def test_a_worker_is_seen_with_its_queues() -> None:
    workers.record_presence(["gpu"])
    workers.record_presence(["gpu"])
    assert Worker.objects.count() == 1
    assert [worker.queues for worker in workers_alive("gpu")] == [["gpu"]]
    assert workers_alive("cpu") == []


def test_a_silent_worker_is_seen_no_more() -> None:
    Worker.objects.create(name="silent", queues=["cpu"], seen=timezone.now() - timedelta(hours=1))
    assert workers_alive() == []
