"""How much memory a piece of work takes at its peak."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

_STATM = Path("/proc/self/statm")
_SECONDS = 0.01


class PeakMemory:
    """Measures the work in a `with` block; afterwards `peak` is in bytes.

    On a GPU it is what the process had allocated there at most; on a CPU by how much the resident memory of the process
    grew at most, looked at a hundred times a second: what other threads do meanwhile counts too. None where the system
    does not say (anything but Linux).
    """

    def __init__(self, device: str) -> None:
        self.peak: int | None = None
        self._device = device
        self._gpu = device.startswith("cuda")
        self._before = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="memory", daemon=True)

    def __enter__(self) -> Self:
        if self._gpu:
            import torch

            torch.cuda.reset_peak_memory_stats(self._device)
        elif (now := resident_memory()) is not None:
            self._before, self.peak = now, 0
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._gpu:
            import torch

            self.peak = int(torch.cuda.max_memory_allocated(self._device))
        elif self.peak is not None:
            self._look()
            self._ended.set()
            self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(_SECONDS):
            self._look()

    def _look(self) -> None:
        self.peak = max(self.peak or 0, (resident_memory() or 0) - self._before)


def resident_memory() -> int | None:
    """The bytes of this process that are in memory now; None where the system does not say."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None
