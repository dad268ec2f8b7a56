"""A type of rating item in a module of its own: the answers are the first letters of the alphabet."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

from annotation.phrases import Phrase
from annotation.text.items.base import ITEM_TYPES, Field, ItemError, ItemType


def choices(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    """As many letters as `letters` says; the first is best."""
    count = item.get("letters")
    if type(count) is not int or not 2 <= count <= 10:
        raise ItemError("letters", Phrase("a whole number from 2 to 10 is expected"))
    return [{"key": letter.lower(), "name": letter, "value": -n} for n, letter in enumerate(ascii_uppercase[:count])]


TYPE = ITEM_TYPES.register(
    ItemType(
        name="letters",
        title="a letter",
        describes="as many letters as letters says",
        fields=(Field("letters", "How many letters", number=True),),
        choices=choices,
        fields_of=lambda choices: {"letters": str(len(choices))},
    )
)
