"""A request that is larger than any upload is refused before it is stored: by its length, or while it arrives."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path
from typing import IO, Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory
from waitress.adjustments import Adjustments

from config import body_limit, upload_gate, waitress_request
from config.waitress_request import DISCARDED, NOT_STORED, LimitedRequest

pytestmark = pytest.mark.django_db
HEAD = b"POST /import/ HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"


def read(*pieces: bytes) -> LimitedRequest:
    """A request as the server reads it, piece by piece."""
    request = LimitedRequest(Adjustments())
    for piece in pieces:
        while piece:
            piece = piece[request.received(piece) :]
    return request


def chunked(*pieces: bytes) -> list[bytes]:
    return [*(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces), b"0\r\n\r\n"]


def answered(request: LimitedRequest) -> tuple[int, int]:
    """The site's response to a request: the status, and how many bytes of the body it was given."""
    statuses: list[int] = []
    factory: Any = RequestFactory(SERVER_NAME="localhost")
    environ = factory._base_environ(
        REQUEST_METHOD="POST", PATH_INFO="/nowhere/", CONTENT_LENGTH=request.headers.get("CONTENT_LENGTH", "")
    )
    environ[DISCARDED], environ[NOT_STORED] = request.discarded, request.not_stored
    environ["wsgi.input"] = body = request.get_body_stream()
    site: Any = WSGIHandler()
    site(environ, lambda status, _headers: statuses.append(int(status[:3]))).close()
    return statuses[0], body.seek(0, 2)


@pytest.fixture(autouse=True)
def limit(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (waitress_request, body_limit, upload_gate):
        monkeypatch.setattr(module, "USUAL_BODY", 100)
    for large in (waitress_request, upload_gate):
        monkeypatch.setattr(large, "MAX_BODY_BYTES", 400)


def test_nothing_is_kept_of_a_body_that_says_it_is_too_large() -> None:
    request = read(HEAD + b"Content-Length: 300\r\n\r\n", *[b"x" * 60] * 5)
    assert request.completed and not request.error
    assert answered(request) == (413, 0)


def test_a_body_that_does_not_say_how_large_it_is_is_cut_off() -> None:
    request = read(HEAD + CHUNKED + b"\r\n", *chunked(*[b"x" * 60] * 5))
    assert request.completed and not request.error
    assert answered(request) == (413, 0)


def test_a_length_that_is_no_number_of_bytes_is_refused_before_the_body() -> None:
    for length in (b"9" * 5_000, b"-1", b"1e3"):
        request = read(HEAD + b"Content-Length: " + length + b"\r\n\r\n")
        assert request.completed and request.error.code == 400


@pytest.mark.parametrize("pieces", [1, 2])
def test_a_body_of_the_accepted_size_gets_through(pieces: int) -> None:
    parts = [b"x" * (100 // pieces)] * pieces
    for request in (
        read(HEAD + b"Content-Length: 100\r\n\r\n", *parts),
        read(HEAD + CHUNKED + b"\r\n", *chunked(*parts)),
    ):
        status, given = answered(request)
        assert given == 100 and status != 413


def test_more_is_kept_of_a_request_that_was_let_through() -> None:
    for begin, parts in (
        (b"Content-Length: 300\r\n\r\n", [b"x" * 60] * 5),
        (CHUNKED + b"\r\n", chunked(*[b"x" * 60] * 5)),
    ):
        for limit, kept in ((400, 300), (100, 0)):
            request = read(HEAD + begin)
            asked = request.needs_limit
            request.set_limit(limit)
            for piece in parts:
                request.received(piece)
            assert asked and request.completed
            assert request.get_body_stream().seek(0, 2) == kept and request.discarded is (kept == 0)


def test_what_is_larger_than_any_upload_needs_no_decision() -> None:
    request = read(HEAD + b"Content-Length: 401\r\n\r\n", b"x" * 60)
    assert request.discarded and not request.needs_limit


@pytest.mark.parametrize(
    ("error", "problem"),
    [(None, "full"), (OSError(errno.EROFS, ""), "protected"), (FileNotFoundError(errno.ENOENT, ""), "protected")],
    ids=["full", "read-only", "no folder"],
)
@pytest.mark.parametrize("sort", [b"Content-Length: 30000\r\n", CHUNKED], ids=["stated", "chunked"])
def test_a_body_that_can_not_be_stored_is_read_and_refused(
    monkeypatch: pytest.MonkeyPatch, error: OSError | None, problem: str, sort: bytes
) -> None:
    def without_room(*_: object, **__: object) -> IO[bytes]:
        if error is not None:
            raise error
        return Path("/dev/full").open("w+b")

    monkeypatch.setattr(tempfile, "TemporaryFile", without_room)
    for module in (waitress_request, body_limit):
        monkeypatch.setattr(module, "USUAL_BODY", 30_000)
    parts = [b"x" * 10_000] * 3
    request = LimitedRequest(Adjustments(inbuf_overflow=15_000))
    for piece in [HEAD + sort + b"\r\n", *(chunked(*parts) if sort == CHUNKED else parts)]:
        assert request.received(piece) == len(piece)
    assert request.completed and not request.error
    assert (request.not_stored, request.headers["CONNECTION"]) == (problem, "close")
    assert answered(request) == (507, 0)
