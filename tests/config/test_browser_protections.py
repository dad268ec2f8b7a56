"""Headers, cookies, sessions and passwords: what browsers are told, and what a log-in is worth when."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from annotation.models import User
from annotation.text.markdown import markdown_html
from tests.annotation.work import house
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
OLD, NEW = "correct horse battery", "battery staple horse"


def logged_in(user: User) -> Client:
    client = Client()
    assert client.post(reverse("login"), {"username": user.get_username(), "password": OLD}).status_code == 302
    return client


@pytest.mark.parametrize("name", ["login", "home", "api-docs"])
def test_every_page_tells_browsers_what_they_may_load(name: str) -> None:
    headers = house().lead.get(reverse(name), follow=True).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert "'unsafe-inline'" not in policy["script-src"] + policy["style-src"] + policy["default-src"]
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] == policy["default-src"] == "'self'"
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_cookies_are_no_business_of_scripts_or_other_sites() -> None:
    cookie = logged_in(UserFactory()).cookies[settings.SESSION_COOKIE_NAME]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and int(cookie["max-age"]) == 14 * 24 * 3600


def test_a_log_in_has_a_new_key_and_a_log_out_ends_it() -> None:
    user: User = UserFactory()
    client = Client()
    planted = client.session
    planted["planted"] = True
    planted.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(planted.session_key)
    client.post(reverse("login"), {"username": user.get_username(), "password": OLD})
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    assert key != planted.session_key and not Session.objects.filter(pk=planted.session_key).exists()
    client.post(reverse("logout"))
    assert not Session.objects.filter(pk=key).exists()
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = key
    assert thief.get(reverse("home")).status_code == 302


def test_a_new_password_ends_all_other_log_ins() -> None:
    user: User = UserFactory()
    here, elsewhere = logged_in(user), logged_in(user)
    changed = {"old_password": OLD, "new_password1": NEW, "new_password2": NEW}
    assert here.post(reverse("account"), changed).status_code == 302
    assert here.get(reverse("home")).status_code == 200 and elsewhere.get(reverse("home")).status_code == 302


@pytest.mark.parametrize("password", ["short-one", "1234567890", "qwertyuiop", "annakurz.login1"])
def test_a_weak_password_is_refused(password: str) -> None:
    user: User = UserFactory(username="annakurz.login")
    changed = {"old_password": OLD, "new_password1": password, "new_password2": password}
    assert logged_in(user).post(reverse("account"), changed).status_code == 422
    assert User.objects.get(pk=user.pk).check_password(OLD)


def test_a_long_password_is_taken_whole() -> None:
    user: User = UserFactory()
    long = "pass phrase " * 20
    changed = {"old_password": OLD, "new_password1": long, "new_password2": long}
    assert logged_in(user).post(reverse("account"), changed).status_code == 302
    kept = User.objects.get(pk=user.pk)
    assert kept.check_password(long) and not kept.check_password(long[:72])


@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "![x](data:text/html,x)",
     "<a href='javascript:alert(1)'>x</a>", "`<b onclick=x>`", "<iframe src=//example.org>"],
)  # fmt: skip
def test_markdown_brings_no_script_into_a_page(text: str) -> None:
    shown = markdown_html(text)
    for tag in ("<script", "<img", "<iframe", "<b onclick", 'href="javascript', "href='javascript", 'src="data'):
        assert tag not in shown, shown
