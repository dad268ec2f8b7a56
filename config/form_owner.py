"""A form is processed only for the user who filled it in: someone else may meanwhile log in with the same browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from annotation.views.refused_forms import is_from_another_user, refuse_other_user

OPEN_TO_ALL = ("login", "logout", "set_language")
"""The names of URLs that only change who is logged in, or the language: anyone may do that from any page."""


class FormOwnerMiddleware:
    """Refuses a form that another user filled in, and keeps it on the page with the refusal.

    Checks once the view is known: the form has been parsed, and its token checked, by then.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        match = request.resolver_match
        if (match is not None and match.url_name in OPEN_TO_ALL) or not is_from_another_user(request):
            return None
        return refuse_other_user(request)
