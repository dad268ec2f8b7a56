"""Log lines as JSON objects (`DIPTYCH_LOG=json`): where they come from by ids, and nothing that anyone wrote.

The message of an exception may quote a text, a label or a row. It is replaced by its type, and a traceback by its
places, except for errors of the machine: those of files and of an unreachable database. The path of a request that is
not found or refused stays, whatever it says: it is how a broken link is found.
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.exceptions import DisallowedHost, ImproperlyConfigured
from django.db import InterfaceError, OperationalError
from pythonjsonlogger.json import JsonFormatter

from annotation.log_context import REQUEST_ID, log_fields
from annotation.security_events import SECURITY

_STANDARD_ATTRIBUTES = {*logging.makeLogRecord({}).__dict__, "message", "asctime"}
_SYSTEM_ERRORS = (OSError, OperationalError, InterfaceError, ImproperlyConfigured)
_FRAMES = 30


_LINK = re.compile(r"(/login/reset/|/join/)[^\s\"']+")


def without_links(line: str) -> str:
    """A line without the secrets of links, for a new password or to join, that failed requests have in their paths."""
    return _LINK.sub(r"\1…", line)


class Plain(logging.Formatter):
    """Lines for people."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        line = super().format(record)
        if record.name == SECURITY:
            about = {key: value for key, value in record.__dict__.items() if key not in _STANDARD_ATTRIBUTES}
            line = " ".join([line, *(f"{key}={value}" for key, value in (about | log_fields()).items())])
        return without_links(line)


def safe_description(error: BaseException) -> str:
    """An exception without what it may quote: its type, and the first line of an error of the machine."""
    name = type(error).__name__
    lines = str(error).splitlines() if isinstance(error, _SYSTEM_ERRORS) else []
    return f"{name}: {lines[0]}" if lines else name


def _without_content(value: Any) -> Any:
    return safe_description(value) if isinstance(value, BaseException) else value


class Json(JsonFormatter):
    """One JSON object a line."""

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger"}
        super().__init__(
            "%(levelname)s %(name)s %(message)s", rename_fields=names, timestamp="time", json_ensure_ascii=False
        )

    def format(self, record: logging.LogRecord) -> str:
        # Other handlers get the record as it was.
        shown = logging.makeLogRecord(record.__dict__)
        if isinstance(shown.msg, BaseException):
            shown.msg = safe_description(shown.msg)
        if isinstance(shown.args, tuple):
            shown.args = tuple(_without_content(value) for value in shown.args)
        elif isinstance(shown.args, Mapping):
            shown.args = {name: _without_content(value) for name, value in shown.args.items()}
        # Django's records carry the whole request.
        number = getattr(shown.__dict__.pop("request", None), REQUEST_ID, None)
        for name in ("exc_text", "stack_info"):
            shown.__dict__.pop(name, None)
        shown.__dict__ |= {"request": number} if number else {}
        shown.__dict__ |= log_fields()
        error = shown.exc_info[1] if shown.exc_info else None
        shown.exc_info = shown.exc_text = shown.stack_info = None
        if error is not None and not isinstance(error, DisallowedHost):
            shown.error = safe_description(error)
            shown.places = [
                f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
                for frame in traceback.extract_tb(error.__traceback__)[-_FRAMES:]
            ]
        return without_links(super().format(shown))
