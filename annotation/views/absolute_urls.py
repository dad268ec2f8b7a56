"""Whole addresses of this site's pages, for links that leave the browser."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from annotation.services.accounts import PasswordLink


def password_link(request: HttpRequest, link: PasswordLink) -> str:
    """The address of the page where an account gets a new password."""
    return site_origin(request) + reverse("password-reset-new", args=(link.uid, link.token))


def site_origin(request: HttpRequest) -> str:
    """The scheme, host and port of this site, as people reach it.

    The host is one of `DIPTYCH_HOSTS`. The port in the client's Host header is anyone's choice: another one on the
    same machine may belong to someone else, who would be sent the link's secret. It is taken from `DIPTYCH_ORIGINS` if
    the host is there, else omitted unless this server listens on it.
    """
    host = request.get_host()
    name = _name(host)
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        if _name(urlsplit(origin).netloc) == name:
            return str(origin).rstrip("/")
    port = host[len(name) :]
    own = port == f":{request.META.get('SERVER_PORT')}"
    return f"{request.scheme}://{name}{port if own else ''}"


def _name(host: str) -> str:
    """A host without its port; an IPv6 address keeps its brackets."""
    return host if host.endswith("]") else host.rpartition(":")[0] or host
