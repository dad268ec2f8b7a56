"""What browsers and proxies may keep: responses that are the same for everyone for ever, those about people never."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class PublicCacheMiddleware:
    """Removes `Vary` from immutable responses.

    Must come before the session and language middlewares, which add it to every response: otherwise a browser would
    request the same content again after each log-in, and a proxy once per user.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "immutable" in response.get("Cache-Control", ""):
            del response["Vary"]
        return response


class PrivateCacheMiddleware:
    """Forbids caches to store what a logged-in user is shown, unless the view says otherwise.

    On a shared computer the texts of a project would otherwise be in the browser's cache after the log-out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.user.is_authenticated and not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-store"
        return response
