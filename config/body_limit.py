"""Refuses requests that are larger than they may be; see `config.upload_gate` and `config.waitress_request`."""

from __future__ import annotations

import sys
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.text.limits import MAX_UPLOAD_BYTES, MEGABYTE
from config.errors import NotStored, error_response, unavailable_response
from config.upload_gate import is_upload, max_body_bytes
from config.waitress_request import DISCARDED, NOT_STORED, USUAL_BODY

MAX_LENGTH_DIGITS = 18
"""Digits of a length: Python refuses to read numbers of some thousands."""


class BodyLimitMiddleware:
    """Responds with 413 to a request that is too large, with 401 to an upload of someone who is not logged in.

    With 507 to one whose body the server could not store.

    Must come before everything that reads a body, and after the user is known.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if problem := request.META.get(NOT_STORED):
            refused = NotStored(problem)
            return unavailable_response(request, refused, refused)
        length = _length(request.META.get("CONTENT_LENGTH", ""))
        discarded = request.META.get(DISCARDED, False)
        if not discarded and length <= USUAL_BODY:
            return self.get_response(request)
        limit = max_body_bytes(request.path_info, request.user)
        if not discarded and length <= limit:
            return self.get_response(request)
        if is_upload(request.path_info) and not request.user.is_authenticated:
            reason = _("Your session has expired, so the files were not accepted.")
            error = Invalid(reason, code="logged-out", where=request.path, hint=_("Log in, and send them again."))
            error.status = 401
            return error_response(request, error)
        if is_upload(request.path_info):
            reason, hint = _("The upload is too large; the limit is %(n)s MB."), _("Import it in several parts.")
        else:
            reason, hint = _("The request body is too large; the limit is %(n)s MB."), _("Send less at once.")
        error = Invalid(reason % {"n": _megabytes(limit)}, code="too-large", where=request.path, hint=hint)
        error.status = 413
        return error_response(request, error)


def _megabytes(limit: int) -> int:
    """The limit as it is documented: of an upload, that of its files."""
    return min(limit, MAX_UPLOAD_BYTES) // MEGABYTE


def _length(stated: str) -> int:
    """The stated length; endless for a number that is too long to be read."""
    if not (stated.isascii() and stated.isdigit()):
        return 0
    return int(stated) if len(stated) <= MAX_LENGTH_DIGITS else sys.maxsize
