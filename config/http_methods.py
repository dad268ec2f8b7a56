"""Which HTTP methods pages accept."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from config.errors import is_api

PAGE_METHODS = ("GET", "HEAD", "POST")


class MethodsMiddleware:
    """Answers 405 to any other method on a page: views only ask whether a form was sent, and else show themselves.

    The API's views say themselves which methods they have.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in PAGE_METHODS or is_api(request):
            return self.get_response(request)
        return HttpResponseNotAllowed(PAGE_METHODS)
