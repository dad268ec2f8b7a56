"""Lists of names in one query parameter: separated by commas; a comma within a name is escaped with a backslash."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = re.compile(r"(?:\\.|[^,])+", re.DOTALL)


def joined(names: Iterable[str]) -> str:
    """'A1,A2' for A1 and A2; 'Smith\\, Jane,A2' for a name with a comma and A2."""
    return ",".join(re.sub(r"([\\,])", r"\\\1", name) for name in names)


def divided(text: str) -> tuple[str, ...]:
    """The names in the result of `joined`, without empty ones. A backslash before anything else is part of the name."""
    return tuple(re.sub(r"\\([\\,])", r"\1", name) for name in _NAME.findall(text))
