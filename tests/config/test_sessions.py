"""Sessions and the accounts behind them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from annotation.models import User
from config.accounts import AccountBackend
from config.sessions import DJANGOS_BACKEND
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def logged_in(user: User, backend: str) -> Client:
    """A browser with a session that names a backend."""
    session: Any = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), backend
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return client


def opens(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def test_a_log_in_from_before_names_djangos_backend_and_goes_on() -> None:
    assert opens(logged_in(UserFactory(), DJANGOS_BACKEND))
    assert opens(logged_in(UserFactory(), settings.AUTHENTICATION_BACKENDS[-1]))
    assert not opens(logged_in(UserFactory(), "django.contrib.auth.backends.RemoteUserBackend"))


def test_a_new_log_in_names_ours() -> None:
    user = UserFactory()
    user.set_password("a long enough secret")
    user.save()
    Client().post(reverse("login"), {"username": user.username, "password": "a long enough secret"})
    assert Session.objects.get().get_decoded()[BACKEND_SESSION_KEY] == settings.AUTHENTICATION_BACKENDS[-1]


def test_closed_and_deleted_accounts_are_nobody() -> None:
    user = UserFactory()
    browser = logged_in(user, settings.AUTHENTICATION_BACKENDS[-1])
    assert AccountBackend().get_user(user.pk) == user and opens(browser)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert AccountBackend().get_user(user.pk) is None and not opens(browser)
    assert AccountBackend().get_user(0) is None
