"""A request that is larger than any upload is refused before it is stored: by its length, or while it arrives."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIHandler
from django.urls import reverse

from annotation.import_models import Import
from annotation.text.limits import LARGEST_UPLOAD
from config import body_limit
from config.body_limit import BodyLimit
from tests.annotation.work import house

SAID = "The upload is too large; the limit is 500 MB."


@pytest.mark.django_db
def test_an_upload_that_says_it_is_too_large_is_refused_with_a_sentence() -> None:
    home = house()
    too_large: dict[str, Any] = {"CONTENT_LENGTH": str(LARGEST_UPLOAD * 2)}
    refused = home.lead.generic("POST", reverse("import", args=(home.project.slug,)), b"", "text/plain", **too_large)
    assert refused.status_code == 413 and SAID in refused.content.decode()
    api = home.lead.generic("PUT", reverse("api-preferences"), b"{}", "application/json", **too_large)
    assert (api.status_code, api.json()["error"]["code"]) == (413, "too-large")
    assert not Import.objects.exists()


def answered(chunks: list[bytes], *headers: tuple[bytes, bytes]) -> tuple[int, int, int]:
    """The site's response to a body: the status, the bytes that it got, and how many chunks were read."""
    given, waiting = 0, list(chunks)
    statuses: list[int] = []

    class Site(ASGIHandler):
        async def read_body(self, receive: Any) -> Any:
            nonlocal given
            file = await super().read_body(receive)
            given = file.seek(0, 2)
            file.seek(0)
            return file

    async def receive() -> dict[str, Any]:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}
        while not statuses:
            await asyncio.sleep(0.01)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    told = [(b"host", b"localhost"), *headers]
    scope = {"type": "http", "method": "POST", "path": "/import/", "query_string": b"", "headers": told}
    # In a thread of its own: an earlier browser test may have left an event loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, BodyLimit(Site())(scope, receive, send)).result()
    return statuses[0], given, len(chunks) - len(waiting)


def test_nothing_is_stored_of_a_body_that_says_it_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limit, "LARGEST_BODY", 100)
    for length in (b"101", b"9" * 5_000):
        assert answered([b"x" * 60] * 5, (b"content-length", length)) == (413, 0, 5)


def test_a_body_that_does_not_say_how_large_it_is_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limit, "LARGEST_BODY", 100)
    assert answered([b"x" * 60] * 5, (b"transfer-encoding", b"chunked")) == (413, 60, 5)


@pytest.mark.django_db
def test_a_body_of_the_accepted_size_gets_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limit, "LARGEST_BODY", 100)
    status, given, taken = answered([b"x" * 50] * 2, (b"content-length", b"100"))
    assert (given, taken) == (100, 2) and status != 413
