"""Refuses requests that are larger than anything an import accepts; see `config.limited_request`."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.text.limits import LARGEST_UPLOAD, MEGABYTE
from config.errors import error_response
from config.limited_request import LARGEST_BODY

LONGEST_LENGTH = 18
"""Digits of a length: Python refuses to read numbers of some thousands."""


class BodyLimitMiddleware:
    """Responds with 413 to a request that is too large. Must come before everything that reads a body."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not _is_too_large(request.META.get("CONTENT_LENGTH", "")):
            return self.get_response(request)
        reason = _("The upload is too large; the limit is %(n)s MB.") % {"n": LARGEST_UPLOAD // MEGABYTE}
        error = Invalid(reason, code="too-large", where=request.path, hint=_("Import it in several parts."))
        error.status = 413
        return error_response(request, error)


def _is_too_large(length: str) -> bool:
    return length.isascii() and length.isdigit() and (len(length) > LONGEST_LENGTH or int(length) > LARGEST_BODY)
