"""The choices yes and no, which several types of items have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.phrases import Phrase
from annotation.text.items.base import ItemError

YES, NO = "yes", "no"


def choices(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Yes (1) and no (0), under the names that the item gives them."""
    named = [(YES, item.get("yes_name", "Yes"), 1), (NO, item.get("no_name", "No"), 0)]
    for key, name, _ in named:
        if not isinstance(name, str) or not name.strip():
            raise ItemError(f"{key}_name", Phrase("a string is expected"))
    return [
        {"key": key, "name": name, "hotkey": hotkey, "value": value}
        for (key, name, value), hotkey in zip(named, "12", strict=True)
    ]
