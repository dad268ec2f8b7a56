"""Responses that are the same for everyone, which browsers and proxies cache by their URL alone."""

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
