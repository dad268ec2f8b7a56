"""What every request brings with it beside its page: the language of the person who asks."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation


class PersonLanguageMiddleware:
    """The interface speaks the language that a person chose; to everybody else, what `LocaleMiddleware` found.

    Stands after the middleware that knows who asks. `LocaleMiddleware`, which stands before, names the language in the
    answer's `Content-Language`.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            chosen = request.user.preferences.get("language")
            if chosen in dict(settings.LANGUAGES):
                translation.activate(chosen)
                request.LANGUAGE_CODE = chosen
        return self.get_response(request)
