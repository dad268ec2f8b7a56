"""What every log line of a request or a job says of where it comes from: ids, never names or content."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

REQUEST_ID = "diptych_request_id"
"""The attribute of a request with its number, for lines that are logged after the request."""

_fields: ContextVar[dict[str, str | int] | None] = ContextVar("log_fields", default=None)


def log_fields() -> dict[str, str | int]:
    """The fields of the current request or job."""
    return _fields.get() or {}


def log_context_extend(**fields: str | int) -> None:
    """Add fields to those of the request or job that began with `log_context`."""
    _fields.set({**log_fields(), **fields})


@contextmanager
def log_context(**fields: str | int) -> Iterator[None]:
    """Add fields to the log lines within a `with` block."""
    before = _fields.set({**log_fields(), **fields})
    try:
        yield
    finally:
        _fields.reset(before)


@contextmanager
def log_duration(logger: logging.Logger, what: str) -> Iterator[None]:
    """Log how long something took, whether or not it succeeded."""
    began = time.monotonic()
    logger.info("%s started", what)
    try:
        yield
    finally:
        logger.info("%s ended", what, extra={"ms": round((time.monotonic() - began) * 1000, 1)})
