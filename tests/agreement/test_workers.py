"""A worker does what is asked for, and looks only where it is work of its queue."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agreement import workers
from agreement.card import Terms
from agreement.models import Building, Publication
from agreement.services import publications
from tests.factories import PairFactory


@pytest.mark.django_db
def test_a_look_writes_what_waits(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(publications, "AT_ONCE", 0)
    publications.publication_request(project=PairFactory().project, to="jsonl", terms=Terms(), by=None)
    assert workers.look() == 1 and workers.look() == 0
    assert Publication.objects.get().status == Building.DONE


@pytest.mark.parametrize(("queues", "looks"), [({"cpu": 1}, 1), ({"gpu": 1}, 0), ({"cpu": 1, "gpu": 1}, 1)])
def test_only_workers_of_the_queue_look(queues: dict[str, int], looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []
    app = SimpleNamespace(amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=queues)))
    monkeypatch.setattr(workers, "current_app", app)
    monkeypatch.setattr(workers, "repeat", lambda *arguments: begun.append(arguments))
    workers.start()
    for thread in threading.enumerate():
        if thread.name == "agreement":
            thread.join()
    assert begun == [(workers.LOOK_SECONDS, workers.look, workers.stopping)] * looks
    workers.stop()
    assert workers.stopping.is_set()
