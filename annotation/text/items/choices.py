"""Items whose choices the scheme lists."""

from __future__ import annotations

from annotation.text.items.base import DEFAULT, ITEM_TYPES, ItemType

TYPE = ITEM_TYPES.register(
    ItemType(
        name=DEFAULT,
        title="one of several answers",
        describes="the answers are listed, each with key and name, and optionally hotkey and value",
        listed="choices",
        choices=lambda item: list(item["choices"]),
    )
)
