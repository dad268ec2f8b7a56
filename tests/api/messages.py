"""Messages: every response that the document of the API has for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.api.site import Site

ACCESS: dict[str, tuple[int, ...]] = {
    "threads": (200, 200, 200, 200, 404, 403),
    "thread_open": (200, 404, 404, 200, 404, 403),
    "thread": (200, 404, 404, 200, 404, 403),
    "thread_answer": (200, 404, 404, 200, 404, 403),
    "thread_resolve": (200, 404, 404, 200, 404, 403),
    "thread_read": (200, 404, 404, 200, 404, 403),
}
REQUESTS: dict[str, Any] = {
    "thread_open": {"text": "And this?"},
    "thread_answer": {"text": "Both."},
    "thread_resolve": {"resolved": True},
    "thread_read": {"last": 1},
}


def said(at: Site) -> Iterator[tuple[str, Any]]:
    """Threads listed, one read, answered and resolved."""
    yield "threads", at.ask("threads", body={"status": "open", "size": 1})
    yield "threads", at.ask("threads", "annotator", {"assignment": at.home.assignment.pk})
    yield "threads", at.ask("threads", body={"status": "interesting"})
    yield "thread", at.ask("thread")
    for name, body in REQUESTS.items():
        yield name, at.ask(name, "annotator", body)
