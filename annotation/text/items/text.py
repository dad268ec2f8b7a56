"""Items that are answered in the annotator's own words, or not at all."""

from __future__ import annotations

from annotation.text.items.base import ITEM_TYPES, ItemType

TYPE = ITEM_TYPES.register(
    ItemType(
        name="text",
        title="in the annotator's own words",
        describes="the annotator's own words; it may be left empty, and neither agreement nor rules of gold use it",
        choices=lambda item: [],
        note="Annotators answer in their own words, or not at all. Agreement and gold do not use these answers.",
        open=True,
    )
)
