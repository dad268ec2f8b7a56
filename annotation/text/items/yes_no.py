"""Items that are answered by yes or no."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.text.items.base import ITEM_TYPES, Field, ItemType
from annotation.text.items.yes_no_choices import choices


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
