"""Items that are answered by yes or no."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.phrases import Phrase
from annotation.text.items.base import ITEM_TYPES, Field, ItemError, ItemType

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


def fields_of(choices: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The names of the first and the last choice."""
    return {"yes_name": choices[0]["name"], "no_name": choices[-1]["name"]}


TYPE = ITEM_TYPES.register(
    ItemType(
        name="yes-no",
        title="yes or no",
        describes="yes or no, whose names can be changed with yes_name and no_name",
        fields=(Field("yes_name", "Word for yes"), Field("no_name", "Word for no")),
        choices=choices,
        fields_of=fields_of,
    )
)
