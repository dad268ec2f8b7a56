"""A site with a provider: django-allauth is part of it in these tests alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from annotation.models import User
from annotation.models.identities import Identity
from config.openid.options import OpenID
from tests.factories import UserFactory
from tests.openid.provider import CLIENT, SECRET, Provider, serving

SITE = "http://testserver/login/openid/callback/"


def turn_on(settings: Settings, at: Provider, **owner: bool) -> None:
    """As `DIPTYCH_OPENID_…` does when a process starts."""
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "allauth.account.middleware.AccountMiddleware"]
    settings.INSTALLED_APPS = [*settings.INSTALLED_APPS, "allauth.account", "allauth.socialaccount"]
    settings.OPENID = OpenID(issuer=at.issuer, client=CLIENT, secret=SECRET, name="Town", **owner)


@pytest.fixture
def provider(settings: Settings) -> Iterator[Provider]:
    """The site's provider; the site takes no new people by itself."""
    from annotation.views.openid import begin_allowance

    begin_allowance.forget()
    with serving(SITE) as at:
        turn_on(settings, at)
        yield at


def begin(client: Client, path: str = "", **sent: str) -> str:
    """Press the button; returns the address at the provider."""
    response = client.post(path or reverse("openid"), sent)
    assert response.status_code == 200, (response.status_code, response.content.decode())
    seconds, _semicolon, address = response["Refresh"].partition(";url=")
    assert seconds == "0" and f'href="{address}"'.replace("&", "&amp;") in response.content.decode()
    return address


def visit(address: str) -> str:
    """What the browser does at the provider; returns the path with which it comes back."""
    import requests

    response = requests.get(address, allow_redirects=False, timeout=10)
    assert response.status_code == 302, response.text
    location: str = response.headers["Location"]
    return location.removeprefix("http://testserver")


def log_in(client: Client, **sent: str) -> Any:
    """The whole way, with the answer to coming back."""
    return client.get(visit(begin(client, **sent)))


def who(client: Client) -> str | None:
    """The username of whoever is logged in."""
    key = client.session.get("_auth_user_id")
    return User.objects.get(pk=key).username if key else None


def linked(at: Provider, username: str = "anna", **more: Any) -> User:
    user: User = UserFactory(username=username, **more)
    Identity.objects.create(user=user, issuer=at.issuer, subject=at.person["sub"])
    return user
