"""Requests that are larger than anything an import accepts: refused by their length, or while they arrive.

A server stores a request's body on disk before the application sees it. `BodyLimit` runs before that: if the stated
length is too large nothing is stored; without a stated length, no more than the limit is. The rest is read and
discarded, so that the browser gets the response.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.text.limits import LARGEST_UPLOAD, MEGABYTE
from config.errors import error_response

LARGEST_BODY = LARGEST_UPLOAD + MEGABYTE
"""Bytes of a request: the files of an upload, and the form around them."""
CUT_OFF = "diptych.body_cut_off"

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
App = Callable[[Any, Any, Any], Awaitable[None]]


class BodyLimit:
    """ASGI: cuts off the body of a request after `LARGEST_BODY`, and tells `BodyLimitMiddleware` so."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"")
        scope[CUT_OFF] = _is_too_large(length.decode("latin-1"))
        received, ended = 0, False

        async def limited() -> Message:
            nonlocal received, ended
            if not scope[CUT_OFF]:
                message = await receive()
                received += len(message.get("body", b""))
                if received <= LARGEST_BODY:
                    return message
                scope[CUT_OFF] = True
            if not ended:
                ended = True
                return {"type": "http.request", "body": b"", "more_body": False}
            while (message := await receive())["type"] == "http.request":
                pass
            return message

        await self.app(scope, limited, send)


def _is_too_large(length: str) -> bool:
    return length.isascii() and length.isdigit() and (len(length) > 18 or int(length) > LARGEST_BODY)


class BodyLimitMiddleware:
    """Responds with 413 to a request that is too large. Must come before everything that reads a body."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        cut_off = getattr(request, "scope", {}).get(CUT_OFF, False)
        if not cut_off and not _is_too_large(request.META.get("CONTENT_LENGTH", "")):
            return self.get_response(request)
        reason = _("The upload is too large; the limit is %(n)s MB.") % {"n": LARGEST_UPLOAD // MEGABYTE}
        error = Invalid(reason, code="too-large", where=request.path, hint=_("Import it in several parts."))
        error.status = 413
        return error_response(request, error)
