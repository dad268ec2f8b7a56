"""The API's authentication by token. Apart from the middleware, since REST framework imports it while it starts."""

from __future__ import annotations

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from annotation.models import User


class TokenAuthentication(BaseAuthentication):
    """Takes over the person that `config.api_tokens.TokenMiddleware` found.

    No browser sends a token by itself, so a request with one needs no CSRF token.
    """

    def authenticate(self, request: Request) -> tuple[User, object] | None:
        user = request._request.user
        return (user, user.token) if isinstance(user, User) and user.token is not None else None
