"""What every request brings with it beside its page: the language of the person who asks, and who they are."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import translation
from django.utils.translation import gettext as _

from annotation.errors import Forbidden


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


class SameUserMiddleware:
    """Refuses what a page that was opened by one person sends in the session of another.

    In one browser somebody else may log in while a page is still open. The page names its person in a header; work that
    belongs to them is then neither shown nor written under the other name. Requests without the header are let through.
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
