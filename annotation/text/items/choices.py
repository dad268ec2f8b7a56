"""Items whose choices the scheme lists."""

from __future__ import annotations

from annotation.text.items.base import DEFAULT, ITEM_TYPES, ItemType

TYPE = ITEM_TYPES.register(
    ItemType(
        name=DEFAULT,
        describes="the answers are listed, each with key and name, and optionally hotkey and value",
        fields=("choices",),
        choices=lambda item: list(item["choices"]),
    )
)
