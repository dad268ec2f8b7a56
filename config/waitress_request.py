"""How the web server reads requests: of a body that is too large it keeps nothing but the length.

The server reads a request wholly before the application sees it, so the application's own refusal would come after
hundreds of megabytes were stored. The rest of a body that is too large is read and discarded, so that the browser gets
the response. More than `USUAL_BODY` is only kept of a request that was let through (`config.serving`). Knows nothing of
Django.
"""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from typing import IO, Literal

from waitress.buffers import OverflowableBuffer
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.utilities import BadRequest

from annotation.text.limits import MAX_UPLOAD_BYTES, MEGABYTE
from config.disk_errors import disk_problem

MAX_BODY_BYTES = MAX_UPLOAD_BYTES + MEGABYTE
"""Bytes of a request: the files of an upload, and the form around them."""

USUAL_BODY = 4 * MEGABYTE
"""Bytes of any other request: Django refuses more than 2.5 MB of a form or JSON, with a sentence of its own."""

DISCARDED = "diptych.body_discarded"
"""In the environment of a request whose body was not kept."""

NOT_STORED = "diptych.body_not_stored"
"""In the environment: why the body could not be kept, 'full' or 'protected'; otherwise ''."""

MAX_LINE_BYTES = 16 * 1024
"""Bytes of the line before a chunk, and of what follows the last one."""


class LimitedBody:
    """What the server has of a request's body: all of it, or only the length if that is more than `limit`."""

    def __init__(self, kept_in_memory: int) -> None:
        self.length = 0
        self.limit = USUAL_BODY
        self.kept: OverflowableBuffer | None = OverflowableBuffer(kept_in_memory)
        self.problem: Literal["full", "protected", ""] = ""

    def __len__(self) -> int:
        return self.length

    @property
    def discarded(self) -> bool:
        return self.kept is None

    def append(self, data: bytes) -> None:
        self.length += len(data)
        if self.length > self.limit:
            self.discard()
        if self.kept is None:
            return
        try:
            self.kept.append(data)
        except OSError as error:  # of its temporary file
            self.problem = disk_problem(error) or "protected"
            self.discard()

    def discard(self) -> None:
        self.close()
        self.kept = None

    def getfile(self) -> IO[bytes]:
        return BytesIO() if self.kept is None else self.kept.getfile()

    def close(self) -> None:
        if self.kept is not None:
            with suppress(OSError):  # closing writes what the file had no room for
                self.kept.close()


class LimitedRequest(HTTPRequestParser):  # type: ignore[misc]
    """A request whose body is a `LimitedBody`; the application refuses one that was discarded.

    `needs_limit`: the body may be larger than `USUAL_BODY`. Whoever reads the request on says by `set_limit` how large.

    Refused here: a body with two statements of its length, and endless lines around the chunks of one. Of requests that
    a client sends without waiting for responses, the first is answered and the connection closed: each response would
    keep a file or memory until it is read. Browsers and proxies send none.

    Of a body that no temporary file can take, the rest is read and discarded too, and the connection closed after the
    response.
    """

    completed: bool
    needs_limit = False
    limited: LimitedBody | None = None

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        body = self.body_rcv
        if self.chunked and not self.completed and max(len(body.control_line), len(body.trailer)) > MAX_LINE_BYTES:
            self.error = BadRequest("A line around a chunk is too long")
            self.completed = True
            return len(data)
        if self.completed and self.not_stored:
            self.headers["CONNECTION"] = "close"
        if self.completed and not self.empty and data[consumed:].strip(b"\r\n"):
            self.headers["CONNECTION"] = "close"
            return len(data)
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # a length of thousands of digits, which Python does not read
            raise ParsingError("Content-Length is invalid") from error
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Content-Length and Transfer-Encoding exclude each other")
        if self.body_rcv is not None:
            self.body_rcv.buf = self.limited = LimitedBody(self.adj.inbuf_overflow)
            self.needs_limit = bool(self.chunked or self.content_length > USUAL_BODY)
            if not self.chunked and self.content_length > MAX_BODY_BYTES:
                self.set_limit(USUAL_BODY)

    @property
    def discarded(self) -> bool:
        """Whether the body is lost, because it was too large."""
        return self.limited is not None and self.limited.discarded

    @property
    def not_stored(self) -> Literal["full", "protected", ""]:
        """What kept the server from storing the body, if anything did."""
        return "" if self.limited is None else self.limited.problem

    def set_limit(self, limit: int) -> None:
        """Keep at most so many bytes of the body; nothing of one that says it is larger."""
        self.needs_limit = False
        if self.limited is not None:
            self.limited.limit = limit
            if not self.chunked and self.content_length > limit:
                self.limited.discard()
