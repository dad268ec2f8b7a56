"""What makes a Celery worker look for reports and publications by itself, from its start to its end.

One that is cut short loses nothing: its claim grows old, and another worker takes it over.
"""

from __future__ import annotations

import threading
from typing import Any

from celery import current_app
from celery.signals import worker_ready, worker_shutting_down

from agreement.services.publications import publications_work
from agreement.services.reports import reports_work
from annotation.looking import repeat

LOOK_SECONDS = 5.0
QUEUE = "cpu"
stopping = threading.Event()


def look() -> int:
    """Do whatever is asked for; returns how much that was."""
    return reports_work() + publications_work()


@worker_ready.connect
def start(**_: Any) -> None:
    """Begin to look, in workers of the queue that this is work for."""
    if QUEUE in current_app.amqp.queues.consume_from:
        stopping.clear()
        threading.Thread(target=repeat, args=(LOOK_SECONDS, look, stopping), name="agreement", daemon=True).start()


@worker_shutting_down.connect
def stop(**_: Any) -> None:
    stopping.set()
