"""Which requests may have a large body: the uploads of people who lead the project.

The server asks before it reads such a body (`config.serving`), the application before it parses it
(`config.body_limit`).
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, parse_cookie

from annotation.errors import DomainError
from annotation.permissions import Person, lead_access
from config.waitress_request import MAX_BODY_BYTES, USUAL_BODY

_UPLOADS = re.compile(r"/projects/(?P<slug>[-a-zA-Z0-9_]+)/(?:import|mining|encoders|items|glossary/upload)/")
"""The addresses whose forms have files; a test compares them with the URL configuration."""


def max_body_bytes(path: str, user: Person) -> int:
    """Bytes that the body of a user's request may have."""
    match = _UPLOADS.fullmatch(path)
    if match is None or not user.is_authenticated:
        return USUAL_BODY
    try:
        lead_access(user, match["slug"])
    except DomainError:
        return USUAL_BODY
    return MAX_BODY_BYTES


def is_upload(path: str) -> bool:
    """Whether a page sends files to this address."""
    return _UPLOADS.fullmatch(path) is not None


def max_body_bytes_for_path(path: str, cookies: str) -> int:
    """As `max_body_bytes`, for a request of which only the header is known."""
    key = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
    if not key or not is_upload(path):
        return USUAL_BODY
    request: Any = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return max_body_bytes(path, get_user(request))
