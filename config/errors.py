"""The one place where a domain error becomes a response: JSON for the API, a page for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotation.errors import DomainError


def api_exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's handler: `{"error": {code, message, where, hint}}` with the error's status; DRF's own errors likewise."""
    if isinstance(error, DomainError):
        return Response({"error": error.to_json(), **error.payload}, status=error.status)
    response = exception_handler(error, context)
    if response is not None:
        code = getattr(error, "default_code", "refused")
        detail = response.data.get("detail", response.data) if isinstance(response.data, dict) else response.data
        response.data = {"error": {"code": str(code), "message": str(detail), "where": "", "hint": ""}}
    return response


class DomainErrorMiddleware:
    """A domain error that a page's view let through becomes `templates/error.html` with the error's status."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, DomainError):
            return None
        return render(request, "error.html", {"error": error}, status=error.status)
