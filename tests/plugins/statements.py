"""A type of rating item that makes several questions: each statement of a list is right or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.text.items.base import ITEM_TYPES, ItemType
from annotation.text.items.yes_no_choices import choices


def expand(item: Mapping[str, Any], hotkeys: bool) -> list[tuple[str, dict[str, Any]]]:
    """A question, answered by yes or no, for each statement."""
    return [
        (
            f"statements[{number}]",
            {
                "key": f"{item['key']}.{each['key']}",
                "text": each["name"],
                "of": item["text"],
                "type": "statements",
                "choices": [{**choice, "hotkey": ""} for choice in choices({})],
            },
        )
        for number, each in enumerate(item["statements"])
    ]


TYPE = ITEM_TYPES.register(
    ItemType(
        name="statements",
        title="right statements",
        describes="any number of statements, each with key and name",
        listed="statements",
        choices=choices,
        expand=expand,
    )
)
