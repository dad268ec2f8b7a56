"""Middlewares about the user: the language of the interface, and whose session it is."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import translation
from django.utils.translation import gettext as _

from annotation.errors import Forbidden


class PersonLanguageMiddleware:
    """Shows the interface in the language that a user chose; for everyone else, in the one that `LocaleMiddleware`
    found.

    Must come after the authentication middleware. `LocaleMiddleware` comes before it and sets the response's
    `Content-Language`.
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


class SameUserMiddleware:
    """Refuses requests of a page that one user opened if they are sent in another user's session.

    Someone else may log in with the same browser while a page is open. The page names its user in a header, so that
    their work is neither shown to nor saved for the other user. Requests without the header are let through. A form has
    a field in place of the header: see `config.form_owner`.
    """

    HEADER = "X-Diptych-User"

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        named = request.headers.get(self.HEADER)
        if named and request.user.is_authenticated and named != str(request.user.pk):
            refusal = Forbidden(
                _("Someone else is now logged in in this browser."),
                code="other-user",
                where=request.user.get_username(),
                hint=_("Log in again as the person who opened the page."),
            )
            return JsonResponse({"error": refusal.to_json()}, status=refusal.status)
        return self.get_response(request)
