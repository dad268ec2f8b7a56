"""The ids of a page."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser


class _Ids(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.wanted: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if "id" in given:
            self.ids[given["id"] or ""] += 1
        if tag == "label" and "for" in given:
            self.wanted.add(given["for"] or "")


def wrong_ids(page: str) -> list[str]:
    """Ids that are empty or there more than once, and those that a label names but nothing has."""
    found = _Ids()
    found.feed(page)
    repeated = {name for name, n in found.ids.items() if n > 1 or not name}
    return sorted(repeated | (found.wanted - set(found.ids)))
