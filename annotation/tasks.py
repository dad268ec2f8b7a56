"""Celery's part of jobs: what a worker does with a message."""

from __future__ import annotations

from annotation.polling import poll_now
from config.celery import app


@app.task(name="annotation.poll")
def poll(name: str) -> None:
    """Make the thread that polls for this kind of job poll now; the worker's own thread stays free for messages."""
    poll_now(name)
