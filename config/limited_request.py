"""How the web server reads requests: of a body that is too large it keeps nothing but the length.

The server reads a request wholly before the application sees it, so the application's own refusal would come after
hundreds of megabytes were stored. The rest of a body that is too large is read and discarded, so that the browser gets
the response. Knows nothing of Django.
"""

from __future__ import annotations

from io import BytesIO
from typing import IO

from waitress.buffers import OverflowableBuffer
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.utilities import BadRequest

from annotation.text.limits import LARGEST_UPLOAD, MEGABYTE

LARGEST_BODY = LARGEST_UPLOAD + MEGABYTE
"""Bytes of a request: the files of an upload, and the form around them."""

LONGEST_LINE = 16 * 1024
"""Bytes of the line before a chunk, and of what follows the last one."""


class LimitedBody:
    """What the server has of a request's body: all of it, or only the length if that is more than `LARGEST_BODY`."""

    def __init__(self, kept_in_memory: int, *, stated: int) -> None:
        self.length = 0
        self.kept = OverflowableBuffer(kept_in_memory) if stated <= LARGEST_BODY else None

    def __len__(self) -> int:
        return self.length

    def append(self, data: bytes) -> None:
        self.length += len(data)
        if self.kept is not None and self.length > LARGEST_BODY:
            self.kept.close()
            self.kept = None
        if self.kept is not None:
            self.kept.append(data)

    def getfile(self) -> IO[bytes]:
        return BytesIO() if self.kept is None else self.kept.getfile()

    def close(self) -> None:
        if self.kept is not None:
            self.kept.close()


class LimitedRequest(HTTPRequestParser):  # type: ignore[misc]
    """A request whose body is a `LimitedBody`; the application refuses one that is too large by its CONTENT_LENGTH.

    Refused here: a body with two statements of its length, and endless lines around the chunks of one. Of requests that
    a client sends without waiting for answers, the first is answered and the connection closed: each answer would keep
    a file or memory until it is read. Browsers and proxies send none.
    """

    completed: bool

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        body = self.body_rcv
        if self.chunked and not self.completed and max(len(body.control_line), len(body.trailer)) > LONGEST_LINE:
            self.error = BadRequest("A line around a chunk is too long")
            self.completed = True
            return len(data)
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
            stated = 0 if self.chunked else self.content_length
            self.body_rcv.buf = LimitedBody(self.adj.inbuf_overflow, stated=stated)
