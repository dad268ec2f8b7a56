"""Requests to the API with `Authorization: Bearer TOKEN` instead of a session.

The middleware finds the token's owner before anything asks who it is, so that limits, logs, history and permissions
treat them alike however they come. Pages know nothing of tokens.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from annotation.errors import DomainError, Forbidden
from annotation.models.tokens import TokenAccess
from annotation.security_events import security_event
from annotation.services.tokens import token_use
from config.errors import is_api, unavailable_response
from config.request_limit import Allowance, TooMany

DOWNLOADS = {"publication"}
"""Names of addresses outside the API, from which a token may read a file."""
READING = ("GET", "HEAD", "OPTIONS")
MAX_TOKEN_LENGTH = 200
"""Characters of a token that is looked up at all."""

token_allowance = Allowance(burst=300, per_second=10)
"""Requests of each person by tokens, of any kind; the expensive ones are limited further."""


class UnknownToken(DomainError):
    """The token does not belong to this site, has expired, or was revoked."""

    status = 401
    code = "invalid-token"


class TokenMiddleware:
    """Must come after the middleware of sessions, and before everything that asks for the person.

    Another scheme than Bearer is not ours: a proxy may ask for a password of its own.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not _takes_tokens(request):
            return self.get_response(request)
        return self._refusal(request, secret.strip()) or self.get_response(request)

    def _refusal(self, request: HttpRequest, secret: str) -> HttpResponse | None:
        """The response to a request that its token does not allow; else None, with the person on the request."""
        token = token_use(secret=secret) if len(secret) <= MAX_TOKEN_LENGTH and secret.isascii() else None
        if token is None:
            security_event("API token refused")
            hint = _("Create a new one on your account's page “API tokens”.")
            refused = UnknownToken(_("This token is unknown, has expired, or was revoked."), hint=hint)
            response = _error_response(refused)
            response["WWW-Authenticate"] = 'Bearer error="invalid_token"'
            return response
        if seconds := token_allowance.take(token.user_id):
            security_event("too many requests", account=token.user_id)
            too_many = TooMany(seconds)
            return unavailable_response(request, too_many, too_many)
        if token.access == TokenAccess.READ and request.method not in READING:
            return _error_response(
                Forbidden(_("This token may only read."), code="read-only-token", where=token.name, hint="GET")
            )
        request.user = token.user
        return None


def _takes_tokens(request: HttpRequest) -> bool:
    if is_api(request):
        return True
    try:
        return request.method in READING and resolve(request.path_info).url_name in DOWNLOADS
    except Resolver404:
        return False


def _error_response(refused: DomainError) -> JsonResponse:
    return JsonResponse({"error": refused.to_json()}, status=refused.status)
