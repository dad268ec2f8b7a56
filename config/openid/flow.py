"""A log-in with the provider, from leaving for it to coming back. Only imported where the site has one."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.http import HttpRequest
from requests import JSONDecodeError, RequestException
from urllib3.exceptions import HTTPError

from annotation.services.identities import Claims
from config.openid.failed import OpenIDLoginError
from config.openid.options import OpenID
from config.openid.provider import Callback, SiteProvider

logger = logging.getLogger(__name__)
WRONG = (RequestException, OAuth2Error, HTTPError, AttributeError, KeyError, RecursionError, TypeError, ValueError)
"""What reading a response raises, of any shape: django-allauth expects objects with certain headers, requests JSON of
usual depth, and addresses that can be parsed.
"""


def flow_begin(request: HttpRequest, options: OpenID, state: dict[str, Any]) -> str:
    """The address at the provider that the browser goes on to. `state` is returned when it comes back, to this session
    alone. Raises Failed.
    """
    provider = SiteProvider(request, options)
    nonce = secrets.token_urlsafe(32)
    with _failures():
        params = {**provider.get_auth_params(), "nonce": nonce}
        response = provider.redirect(request, AuthProcess.LOGIN, data={**state, "nonce": nonce}, auth_params=params)
        return str(response.url)


def flow_finish(request: HttpRequest, options: OpenID) -> tuple[Claims, dict[str, Any]]:
    """Who came back from the provider, and what was kept. Raises Failed."""
    provider = SiteProvider(request, options)
    with _failures():
        return Callback(request, provider.get_oauth2_adapter(request)).finish()


@contextmanager
def _failures() -> Iterator[None]:
    """What may go wrong at the provider, as Failed. The log says which kind of error it was, not what was sent."""
    try:
        yield
    except WRONG as error:
        logger.warning("The OpenID Connect provider: %s", type(error).__name__)
        silent = isinstance(error, RequestException) and not isinstance(error, JSONDecodeError)
        raise OpenIDLoginError("unreachable" if silent else "answer") from error
