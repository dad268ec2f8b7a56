"""A card as a hub shows it: its metadata as a list, its Markdown as clean HTML."""

from __future__ import annotations

from dataclasses import dataclass

import yaml

from annotation.text.markdown import markdown_html

METADATA_SHOWN = (
    "license",
    "language",
    "size_categories",
    "task_categories",
    "annotations_creators",
    "source_datasets",
    "multilinguality",
    "tags",
)
"""The fields of the metadata that hubs show, in their own names."""


@dataclass(frozen=True, slots=True)
class CardParts:
    """`metadata` are fields and their values; `html` is safe."""

    metadata: list[tuple[str, str]]
    html: str


def card_parts(card: str) -> CardParts:
    """The parts of a card that `card_text` wrote."""
    # The metadata ends at the first line that is a rule; a name in it may end in one.
    front, body = card.removeprefix("---\n").split("\n---\n", 1)
    metadata = yaml.safe_load(front)
    values = [(name, metadata[name]) for name in METADATA_SHOWN if metadata.get(name)]
    return CardParts(
        [(name, ", ".join(map(str, value)) if isinstance(value, list) else str(value)) for name, value in values],
        markdown_html(body),
    )
