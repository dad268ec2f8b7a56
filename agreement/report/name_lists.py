"""Lists of names in one query parameter: separated by commas; a comma within a name is escaped with a backslash."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = re.compile(r"(?:\\.|[^,])+", re.DOTALL)


def join_names(names: Iterable[str]) -> str:
    """'A1,A2' for A1 and A2; 'Smith\\, Jane,A2' for a name with a comma and A2."""
    return ",".join(re.sub(r"([\\,])", r"\\\1", name) for name in names)


def split_names(text: str) -> tuple[str, ...]:
    """The names in the result of `join_names`, without empty ones. Any other backslash is part of a name."""
    return tuple(re.sub(r"\\([\\,])", r"\1", name) for name in _NAME.findall(text))
