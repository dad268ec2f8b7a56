"""A request that is larger than any upload is refused by its length, before anything is read."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory
from django.urls import reverse

from annotation.import_models import Import
from annotation.text.limits import LARGEST_UPLOAD
from config import body_limit
from tests.annotation.work import house

SAID = "The upload is too large; the limit is 500 MB."


def answered(chunks: list[bytes], **headers: str) -> tuple[int, int]:
    """The site's response to a body: the status, and how many bytes of it were read."""

    class Body(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            data = super().read(size)
            taken.append(len(data))
            return data

    taken: list[int] = []
    statuses: list[int] = []
    request = RequestFactory(SERVER_NAME="localhost").post(
        "/login/",
        content_type="application/x-www-form-urlencoded",
        HTTP_COOKIE=f"csrftoken={'a' * 32}",
        HTTP_X_CSRFTOKEN="a" * 32,
    )
    environ = {**request.environ, "CONTENT_LENGTH": "", **headers, "wsgi.input": Body(b"".join(chunks))}

    def start(status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
        statuses.append(int(status[:3]))
        return len

    response = WSGIHandler()(environ, start)
    response.close()
    return statuses[0], sum(taken)


@pytest.mark.django_db
def test_an_upload_that_says_it_is_too_large_is_refused_with_a_sentence() -> None:
    home = house()
    too_large: dict[str, Any] = {"CONTENT_LENGTH": str(LARGEST_UPLOAD * 2)}
    refused = home.lead.generic("POST", reverse("import", args=(home.project.slug,)), b"", "text/plain", **too_large)
    assert refused.status_code == 413 and SAID in refused.content.decode()
    api = home.lead.generic("PUT", reverse("api-preferences"), b"{}", "application/json", **too_large)
    assert (api.status_code, api.json()["error"]["code"]) == (413, "too-large")
    assert not Import.objects.exists()


@pytest.mark.django_db
def test_nothing_is_read_of_a_body_that_says_it_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limit, "LARGEST_BODY", 100)
    for length in ("101", "9" * 5_000):
        assert answered([b"x" * 60] * 5, CONTENT_LENGTH=length) == (413, 0)


@pytest.mark.django_db
def test_a_body_that_does_not_say_how_large_it_is_is_not_read() -> None:
    status, given = answered([b"x" * 60] * 5, HTTP_TRANSFER_ENCODING="chunked")
    assert given == 0 and status < 500


@pytest.mark.django_db
def test_a_body_of_the_accepted_size_gets_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limit, "LARGEST_BODY", 100)
    status, given = answered([b"x" * 50] * 2, CONTENT_LENGTH="100")
    assert given == 100 and status != 413
