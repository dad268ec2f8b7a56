"""Looking for work by oneself: again and again, through errors, until told to stop."""

from __future__ import annotations

import threading

import pytest

from annotation.looking import repeat


def test_an_error_is_not_the_end(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.looking.close_old_connections", lambda: None)
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


def test_a_bell_has_it_look_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.looking.close_old_connections", lambda: None)
    stopping, wake = threading.Event(), threading.Event()
    seen: list[int] = []

    def action() -> None:
        seen.append(len(seen))
        if len(seen) == 2:
            stopping.set()
        wake.set()

    repeat(600.0, action, stopping, wake)
    assert seen == [0, 1]
