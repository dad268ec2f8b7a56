"""The glossary: who may what, and every response that the document of the API has for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.api.site import Site

ENTRY: dict[str, Any] = {
    "term_language": "en",
    "translation_language": "de",
    "term": "nothing",
    "translations": ["nichts"],
}
ACCESS: dict[str, tuple[int, ...]] = {
    "glossary": (403, 403, 403, 200, 404, 403),
    "glossary_add": (403, 403, 403, 200, 404, 403),
    "glossary_change": (403, 403, 403, 200, 404, 403),
    "glossary_delete": (403, 403, 403, 200, 404, 403),
    "glossary_upload": (403, 403, 403, 200, 404, 403),
    "glossary_restore": (403, 403, 403, 404, 404, 403),
}
REQUESTS: dict[str, Any] = {
    "glossary_add": ENTRY,
    "glossary_change": {**ENTRY, "revision": 1},
    "glossary_upload": {
        "file": {"name": "terms.tsv", "text": "library\tBibliothek\nnothing\n"},
        "term_language": "en",
        "translation_language": "de",
        "preview": False,
    },
}


def kept(at: Site) -> Iterator[tuple[str, Any]]:
    """Entries added, changed, deleted and restored, one by one and by a file."""
    yield "glossary", at.ask("glossary")
    yield "glossary_add", at.ask("glossary_add", body={**ENTRY, "note": "hm"})
    yield "glossary_add", at.ask("glossary_add", body=ENTRY)
    yield "glossary_change", at.ask("glossary_change", body={**ENTRY, "revision": 1, "term": "book"})
    yield "glossary_change", at.ask("glossary_change", body={**ENTRY, "revision": 0})
    for named in ("?revision=1", "?revision=x", ""):
        yield "glossary_delete", at.ask("glossary_delete", address=at.address("glossary_delete") + named)
    yield "glossary", at.ask("glossary")
    yield "glossary_restore", at.ask("glossary_restore")
    yield "glossary_upload", at.ask("glossary_upload", body=REQUESTS["glossary_upload"])
    yield (
        "glossary_upload",
        at.ask("glossary_upload", body={**REQUESTS["glossary_upload"], "file": {"name": "terms.tsv"}}),
    )
