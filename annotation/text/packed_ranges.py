"""Ranges packed as small numbers, for the copy of an assignment that is embedded in the workspace's page.

Each pair is given by its distance from the previous one: [[0, 3], [4, 8]] becomes [0, 3, 1, 4]. Compressed, that is an
eighth of the size of the pairs. The API returns plain pairs; the page unpacks them in
`static/js/workspace/model/packing.js`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def pack(pairs: Iterable[Sequence[int]]) -> list[int]:
    """Pairs of whole numbers as one flat list: first minus the previous second, second minus first."""
    flat: list[int] = []
    last = 0
    for first, second in pairs:
        flat += (first - last, second - first)
        last = second
    return flat


def pack_assignment(assignment: Mapping[str, Any]) -> dict[str, Any]:
    """The workspace's assignment with the ranges of its two texts and its alignment edges packed."""
    pair = assignment["pair"]
    texts = {
        side: {**pair[side], **{name: pack(pair[side][name]) for name in ("tokens", "sentences", "paragraphs")}}
        for side in ("a", "b")
    }
    highlights = assignment["highlights"]
    return {
        **assignment,
        "pair": {**pair, **texts},
        "highlights": highlights and {**highlights, "edges": pack(highlights["edges"])},
    }
