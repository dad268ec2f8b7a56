"""Peak memory of a piece of work."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from assist.encoder_choice import memory
from assist.encoder_choice.memory import PeakMemory, resident_memory

MEGABYTE = 1_000_000


@pytest.mark.skipif(resident_memory() is None, reason="the system does not say how much memory a process has")
def test_the_peak_is_what_was_held_at_once_not_what_is_left() -> None:
    with PeakMemory("cpu") as found:
        held = np.ones(200 * MEGABYTE // 8)
        time.sleep(0.1)
        del held
    assert found.peak is not None and 150 * MEGABYTE < found.peak < 400 * MEGABYTE


def test_an_error_ends_the_watch_and_is_not_swallowed() -> None:
    found = PeakMemory("cpu")
    with pytest.raises(ValueError, match="no"), found:
        raise ValueError("no")
    assert not found._thread.is_alive()


def test_nothing_is_said_where_the_system_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_STATM", Path("/nowhere"))
    with PeakMemory("cpu") as found:
        pass
    assert found.peak is None
