"""What makes a Celery worker look for work by itself: started when it is ready, ended when it is told to stop.

The broker is only a bell. When a message is lost, or a worker died with work in its hands, the next look finds it.
"""

from __future__ import annotations

import logging
import threading
from datetime import timedelta
from functools import partial
from typing import Any

from celery import current_app
from celery.signals import worker_ready, worker_shutdown, worker_shutting_down
from django.conf import settings
from django.db.models.functions import Now

from annotation.looking import repeat
from assist import runs
from assist.automatic import prelabel_automatically
from assist.models import Queue, Worker

logger = logging.getLogger(__name__)

PRESENCE_SECONDS = 5.0
FORGOTTEN = timedelta(days=1)
_threads: list[threading.Thread] = []


def look(queues: list[str]) -> None:
    """One look: order what projects want done by themselves, then do whatever there is to do."""
    prelabel_automatically()
    runs.work(queues, stop=runs.stopping.is_set)


def presence(queues: list[str]) -> None:
    """Let leads see that this worker lives."""
    Worker.objects.update_or_create(name=runs.WORKER, defaults={"queues": queues, "seen": Now()})
    Worker.objects.filter(seen__lt=Now() - FORGOTTEN).delete()


@worker_ready.connect
def start(**_: Any) -> None:
    """Begin to look, for the queues that this worker was started for."""
    consumed = [name for name in current_app.amqp.queues.consume_from if name in Queue.values]
    looking = (settings.PRELABEL_LOOK_SECONDS, partial(look, consumed), runs.stopping, runs.wake)
    seen = (PRESENCE_SECONDS, partial(presence, consumed), runs.stopping)
    for name, arguments in (("look", looking), ("presence", seen)):
        thread = threading.Thread(target=repeat, args=arguments, name=name, daemon=True)
        thread.start()
        _threads.append(thread)
    runs.looking.set()


@worker_shutting_down.connect
def stop(**_: Any) -> None:
    """Work stops at its next step and gives its lot back."""
    runs.stopping.set()
    runs.wake.set()


@worker_shutdown.connect
def end(**_: Any) -> None:
    """Wait for the lot in hand to be given back, and be seen no more."""
    for thread in _threads:
        thread.join(timeout=20)
    Worker.objects.filter(name=runs.WORKER).delete()
