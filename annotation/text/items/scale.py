"""Items that are answered by a whole number between two bounds, such as 0 to 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.phrases import Phrase
from annotation.text.items.base import ITEM_TYPES, MAX_CHOICES, Field, ItemError, ItemType

MAX_VALUE = 1_000_000


def choices(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A choice for each number, with its digit as key; the names of the two ends are added to theirs."""
    low, high = _whole(item, "low"), _whole(item, "high")
    if abs(low) > MAX_VALUE:
        reason = Phrase(
            "a whole number from %(least)s to %(most)s is expected", {"least": str(-MAX_VALUE), "most": str(MAX_VALUE)}
        )
        raise ItemError("low", reason)
    if not low < high < low + MAX_CHOICES:
        reason = Phrase(
            "a number above the lowest is expected, and at most %(most)s numbers in all", {"most": str(MAX_CHOICES)}
        )
        raise ItemError("high", reason)
    names = {low: _name(item, "low_name"), high: _name(item, "high_name")}
    return [
        {
            "key": str(value),
            "name": f"{value}: {names[value]}" if names.get(value) else str(value),
            "hotkey": str(value) if 0 <= value <= 9 else "",
            "value": value,
        }
        for value in range(low, high + 1)
    ]


def fields_of(choices: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The numbers of the first and the last choice, and what is added to their names."""
    result: dict[str, str] = {}
    for end, choice in (("low", choices[0]), ("high", choices[-1])):
        result[end] = choice["key"]
        result[f"{end}_name"] = choice["name"].partition(": ")[2].strip()
    return result


def _whole(item: Mapping[str, Any], field: str) -> int:
    value = item.get(field)
    if type(value) is not int:
        raise ItemError(field, Phrase("a whole number is expected"))
    return value


def _name(item: Mapping[str, Any], field: str) -> str:
    value = item.get(field, "")
    if not isinstance(value, str):
        raise ItemError(field, Phrase("a string is expected"))
    return value


TYPE = ITEM_TYPES.register(
    ItemType(
        name="scale",
        title="a number on a scale",
        describes="a whole number from low to high, whose ends may be named by low_name and high_name",
        fields=(
            Field("low", "From", number=True),
            Field("low_name", "Name of the lowest"),
            Field("high", "To", number=True),
            Field("high_name", "Name of the highest"),
        ),
        choices=choices,
        fields_of=fields_of,
    )
)
