"""Packages that an import must not find, although they are installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast


@contextmanager
def hide_packages(*names: str) -> Iterator[None]:
    """Importing a package of these names fails inside; those that are loaded already stay as they are."""
    modules = cast("dict[str, Any]", sys.modules)
    absent = [name for name in names if name not in modules]
    modules.update(dict.fromkeys(absent))
    try:
        yield
    finally:
        for name in absent:
            del modules[name]
