"""How far an import is, as its row says."""

from __future__ import annotations

import time
from collections.abc import Callable

from annotation.models.imports import Import
from annotation.progress import OnProgress
from annotation.services.claims import claim_renew

EVERY_SECONDS = 1.0


def progress_saver(row: Import, check: Callable[[], object] = lambda: None) -> OnProgress:
    """Saves an import's progress in its row, about once a second at most.

    Raises ClaimLost if the import was cancelled or taken over, and what `check` raises.
    """
    written = 0.0

    def on_progress(done: int, total: int, stage: str) -> None:
        nonlocal written
        if time.monotonic() - written < EVERY_SECONDS:
            return
        check()
        # Checked in the row itself: the heartbeat notices a cancellation only after a few seconds.
        claim_renew(row, stage=stage, done=done, total=total)
        written = time.monotonic()

    return on_progress
