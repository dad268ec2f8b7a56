"""Polling: repeatedly, through errors, until told to stop."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from annotation import polling
from annotation.polling import poll_for, poll_now, polling_join, polling_start, polling_stop, repeat


def test_polling_goes_on_after_an_error(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.polling.close_old_connections", lambda: None)
    stopping = threading.Event()
    seen: list[int] = []

    def action() -> None:
        seen.append(len(seen))
        if len(seen) == 3:
            stopping.set()
        if len(seen) == 2:
            raise RuntimeError("the disk is full")

    repeat(0.0, action, stopping)
    assert seen == [0, 1, 2]
    assert "RuntimeError: the disk is full; trying again in 0 s" in caplog.text


def test_wake_makes_it_poll_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.polling.close_old_connections", lambda: None)
    stopping, wake = threading.Event(), threading.Event()
    seen: list[int] = []

    def action() -> None:
        seen.append(len(seen))
        if len(seen) == 2:
            stopping.set()
        wake.set()

    repeat(600.0, action, stopping, wake)
    assert seen == [0, 1]


@pytest.fixture
def pollers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is polled for except what a test registers."""
    monkeypatch.setattr(polling, "_pollers", {})
    yield
    polling_stop()
    polling_join(10)
    polling.stopping.clear()


@pytest.mark.parametrize(("queues", "polls"), [(["cpu"], True), (["gpu"], False), (["cpu", "gpu"], True)])
def test_only_workers_of_the_queue_poll(pollers: None, queues: list[str], polls: bool) -> None:
    polled = threading.Event()
    poll_for("reports", lambda given, stop: polled.set(), queues=("cpu",), seconds=600)
    polling_start(queues)
    assert polled.wait(10 if polls else 0.2) is polls
    assert poll_now("reports") is polls


def test_a_message_makes_a_thread_poll_at_once_and_stopping_ends_all(pollers: None) -> None:
    calls, told = threading.Semaphore(0), []

    def action(queues: object, stop: object) -> None:
        calls.release()
        told.append(queues)

    poll_for("runs", action, queues=("cpu", "gpu"), seconds=600, threads=2)
    polling_start(["gpu"])
    assert calls.acquire(timeout=10) and calls.acquire(timeout=10), "two threads"
    assert poll_now("runs") and calls.acquire(timeout=10)
    assert told[0] == ["gpu"]
    assert not poll_now("something else")
    polling_stop()
    threads = list(polling._threads)
    polling_join(10)
    assert not any(thread.is_alive() for thread in threads)
    assert not poll_now("runs")
