"""Ends the reading of files early: readers check regularly whether a read was cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_check: ContextVar[Callable[[], object]] = ContextVar("check", default=lambda: None)


@contextmanager
def check_regularly(check: Callable[[], object]) -> Iterator[None]:
    """Call `check` regularly while files are read, checked and unpacked within this block: what it raises ends that."""
    token = _check.set(check)
    try:
        yield
    finally:
        _check.reset(token)


def check_interruption() -> None:
    """Called before each line, row, file or text: seconds may pass until the next. Raises what the check raises."""
    _check.get()()
