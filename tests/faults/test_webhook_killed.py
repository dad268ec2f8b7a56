"""A worker is killed while a webhook's receiver keeps it waiting: the next one sends the event, under its id."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest

from tests.annotation.receiver import receiving
from tests.faults.test_gold_killed import Lab

pytestmark = [pytest.mark.processes, pytest.mark.long, pytest.mark.takes(10)]


def test_a_killed_worker_loses_no_event(tmp_path: Path, migrated: Path) -> None:
    lab = Lab(tmp_path, migrated, DIPTYCH_PRIVATE_ADDRESSES="1")
    with lab, receiving() as receiver:
        receiver.held = threading.Event()
        lab.do("fill", "library")
        lab.do("hook", "library", receiver.url)
        with lab.worker() as first:
            lab.wait("called", lambda: len(receiver.received) == 1)
            first.send_signal(signal.SIGKILL)
            first.wait()
        assert lab.do("deliveries") == {"rows": [["webhook.test", "sending", 0]]}
        receiver.held.set()
        with lab.worker():
            lab.wait("delivered", lambda: lab.do("deliveries")["rows"] == [["webhook.test", "delivered", 1]])
        assert len({got.headers["webhook-id"] for got in receiver.received}) == 1
        assert len({got.body for got in receiver.received}) == 1 and len(receiver.received) >= 2
