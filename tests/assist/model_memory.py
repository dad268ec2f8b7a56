"""The models that a process keeps in memory, beside their files."""

from __future__ import annotations

from assist.runs import modelstore


def forget_models() -> None:
    """As in a new process: what is asked for next is read from its file."""
    getattr(modelstore, "_loaded").clear()  # noqa: B009
