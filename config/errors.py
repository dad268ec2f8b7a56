"""Turns errors into responses, in this module only: JSON for the API, a page for people.

Each domain error has its own status. A temporarily unavailable database gives 503 with Retry-After, one that has no
room or can't be written 507, as does a temporary file, wherever it occurs: in a view, the API, or a middleware
(`server_error`, the site's `handler500`).
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.response import JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.defaults import bad_request as unreadable
from django.views.defaults import page_not_found
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotation.connections import storage_problem
from annotation.errors import DomainError, Invalid, NotFound
from annotation.log_context import log_fields
from annotation.models import Assignment, Pair, Project
from annotation.selectors.projects import deleted_error
from annotation.views.refused_forms import (
    FORMS,
    is_fragment,
    is_from_another_user,
    notice_response,
    refuse_other_user,
    sent_form,
)
from config.disk_errors import disk_problem
from config.temporary_errors import RETRY_SECONDS, is_busy
from config.waitress_request import NOT_STORED

logger = logging.getLogger(__name__)


class Unavailable(DomainError):
    """The database can't do it now, for a reason outside the request. Nothing was stored.

    `title` is that of the page; `retry_after` are seconds after which the same request may succeed, 0 if nobody knows.
    """

    status = 503
    code = "busy"
    title = ""
    retry_after = 0


class Busy(Unavailable):
    """A lock held too long, or a server that does not respond at the moment."""

    retry_after = RETRY_SECONDS

    def __init__(self) -> None:
        super().__init__(_("The database is busy. No changes were made."), hint=_("Try again in a few seconds."))
        self.title = _("Busy")


class NotStored(Unavailable):
    """Nothing can be written until someone makes room or removes a protection; `problem` is 'full' or 'protected'."""

    status = 507

    def __init__(self, problem: str) -> None:
        full = problem == "full"
        message = (
            _("The server's disk is full. No changes were made.")
            if full
            else _("The server can't write to its disk. No changes were made.")
        )
        hint = _("Tell your server administrator. Saved work can still be read.")
        super().__init__(message, code="disk-full" if full else "disk-protected", hint=hint)
        self.title = _("Not saved")


def unavailable_error(error: BaseException | None) -> Unavailable | None:
    """The refusal for an error that is the database's or the disk's and not the request's; None for any other error."""
    if is_busy(error):
        return Busy()
    problem = storage_problem(error) or disk_problem(error)
    return NotStored(problem) if problem else None


def _headers(refused: Unavailable) -> dict[str, str]:
    return {"Retry-After": str(refused.retry_after)} if refused.retry_after else {}


DELETED = (Project.DoesNotExist, Assignment.DoesNotExist, Pair.DoesNotExist)
"""Raised only if a row that a request has found is gone when it is read again, under a lock."""


def translate_deleted_error(error: Exception) -> Exception:
    """The refusal of a request whose project was deleted while it was working; any other error as it is."""
    return deleted_error() if isinstance(error, DELETED) else error


def api_exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's handler: `{"error": {code, message, where, hint}}` with the error's status; DRF's own errors likewise."""
    if refused := unavailable_error(error):
        logger.warning("answered %d: %s", refused.status, error)
        return Response({"error": refused.to_json()}, status=refused.status, headers=_headers(refused))
    if isinstance(error, RequestDataTooBig):
        error = _too_large()
    error = translate_deleted_error(error)
    if isinstance(error, DomainError):
        return Response({"error": error.to_json(), **error.payload}, status=error.status)
    response = exception_handler(error, context)
    if response is not None:
        code = getattr(error, "default_code", "refused")
        detail = response.data.get("detail", response.data) if isinstance(response.data, dict) else response.data
        response.data = {"error": {"code": str(code), "message": str(detail), "where": "", "hint": ""}}
    return response


def _too_large() -> Invalid:
    reason = _("The request body is too large; the limit is %(n)s MB.") % {"n": _form_megabytes()}
    refused = Invalid(reason, code="too-large", where="body", hint="/api/docs/")
    refused.status = 400
    return refused


def _form_megabytes() -> str:
    return f"{(settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0) / (1024 * 1024):g}"


def _unreadable_form(error: Exception) -> Invalid | None:
    """The error for a form that exceeds a limit of the framework or is damaged; None for any other error."""
    if isinstance(error, TooManyFilesSent):
        reason = _("At most %(n)s files can be sent at once.") % {"n": settings.DATA_UPLOAD_MAX_NUMBER_FILES}
        hint = _("Pack them into one zip archive, or send them in several parts.")
    elif isinstance(error, TooManyFieldsSent):
        reason = _("A form can have at most %(n)s fields.") % {"n": settings.DATA_UPLOAD_MAX_NUMBER_FIELDS}
        hint = _("Go back and send it in several parts.")
    elif isinstance(error, RequestDataTooBig):
        reason = _("The texts of a form can have at most %(n)s MB.") % {"n": _form_megabytes()}
        hint = _("Go back and shorten them.")
    elif isinstance(error, MultiPartParserError):
        reason = _("The form arrived damaged, so it can't be read.")
        hint = _("Go back and send it again.")
    else:
        return None
    refused = Invalid(reason, code="unreadable", hint=hint)
    refused.status = 400 if isinstance(error, MultiPartParserError) else 413
    return refused


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The site's `handler400`: for a form that could not even be read."""
    refused = _unreadable_form(exception)
    if refused is None:
        return unreadable(request, exception)
    logger.warning("%s: answered %d: %s", request.path, refused.status, exception)
    if is_fragment(request):
        return notice_response(request, "annotation/_error_notice.html", refused.status, error=refused)
    return error_response(request, refused)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The site's `handler404`: for an address that no view has."""
    if not is_api(request):
        return page_not_found(request, exception)
    hint = _("The API documentation lists all addresses: %(address)s") % {"address": reverse("schema")}
    return error_response(request, NotFound(_("The API has no such address."), code="no-such-address", hint=hint))


class NulMiddleware:
    """Refuses a NUL character in a URL or a form: no database stores one, and no person types one.

    Comes after `DomainErrorMiddleware`, and checks once the view is known: the request has been parsed by then.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        if "\0" in request.path:
            return _nul_refused(request, _("The address contains a NUL character."), "path")
        # The API accepts no forms and reports that itself.
        has_form = request.content_type in FORMS and not is_api(request)
        forms = [request.GET, request.POST] if has_form else [request.GET]
        fields = [(name, value) for form in forms for name, values in form.lists() for value in [name, *values]]
        where = next((name for name, value in fields if "\0" in value), None)
        if where is None:
            return None
        where = where.replace("\0", "\\0")
        message = _("The value of “%(name)s” contains a NUL character.") % {"name": where[:60]}
        return _nul_refused(request, message, where)


def _nul_refused(request: HttpRequest, message: str, where: str) -> HttpResponse:
    return error_response(request, Invalid(message, where=where, hint=_("Remove it.")))


def is_api(request: HttpRequest) -> bool:
    return request.path == "/api" or request.path.startswith("/api/")


def error_response(request: HttpRequest, error: DomainError) -> HttpResponse:
    """A refusal by a middleware: JSON for the API, a page for people."""
    if is_api(request):
        return JsonResponse({"error": error.to_json()}, status=error.status)
    return render(request, "error.html", {"error": error}, status=error.status)


class DomainErrorMiddleware:
    """A domain error that a page's view raises becomes `templates/error.html` with the error's status.

    If htmx requested a part of a page, it becomes a notice at the top of that page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if refused := unavailable_error(error):
            return unavailable_response(request, refused, error)
        error = translate_deleted_error(error)
        if not isinstance(error, DomainError):
            return None
        if is_fragment(request):
            return notice_response(request, "annotation/_error_notice.html", error.status, error=error)
        # Someone else may be logged in by now: the user who filled in the form can log in again and send it.
        sent = sent_form(request) if error.status in (403, 404) else None
        return render(request, "error.html", {"error": error, "sent": sent}, status=error.status)


def unavailable_response(request: HttpRequest, refused: Unavailable, error: BaseException | None) -> HttpResponse:
    """The refusal as JSON, a notice or a page, with Retry-After where it passes. The page makes no database query."""
    logger.warning("%s: answered %d: %s", request.path, refused.status, error)
    if is_api(request):
        response: HttpResponse = JsonResponse({"error": refused.to_json()}, status=refused.status)
    elif is_fragment(request):
        response = notice_response(request, "annotation/_error_notice.html", refused.status, error=refused)
    else:
        # Of a form whose body could not be stored nothing is left to be sent again.
        sent = None if request.META.get(NOT_STORED) else sent_form(request)
        response = render(request, "unavailable.html", {"error": refused, "sent": sent}, status=refused.status)
    for name, value in _headers(refused).items():
        response[name] = value
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """The site's `handler500`: errors that no view could turn into a response, such as those of middlewares."""
    error = sys.exc_info()[1]
    if refused := unavailable_error(error):
        return unavailable_response(request, refused, error)
    # Without the request: nothing that failed may be needed to say so.
    return HttpResponse(render_to_string("500.html", {"request_id": log_fields().get("request", "")}), status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: the form's token is not this browser's; logging in, even in another tab, creates a new one.

    One of our own forms can be sent again with the current token; a form that another site made the browser send can't.
    """
    logger.warning("%s: answered 403: %s", request.path, reason)
    if is_fragment(request):
        return notice_response(request, "annotation/_logged_out_notice.html", 401)
    if _is_from_here(request) and is_from_another_user(request):
        return refuse_other_user(request)
    sent = sent_form(request) if _is_from_here(request) else None
    context = {"sent": sent, "cookies_lost": settings.CSRF_COOKIE_NAME not in request.COOKIES}
    return render(request, "403_csrf.html", context, status=403)


def _is_from_here(request: HttpRequest) -> bool:
    """Whether the browser says that one of our own pages sent this."""
    origin = request.headers.get("Origin")
    if origin is None:
        return request.headers.get("Sec-Fetch-Site") == "same-origin"
    return origin == f"{request.scheme}://{request.get_host()}"
