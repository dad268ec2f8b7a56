"""Where one is logged in, and the end of all log-ins but one's own."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from annotation.selectors.sessions import log_in_details
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1"
PASSWORD = "correct horse battery"


def logged_in(username: str, browser: str) -> Client:
    client = Client(headers={"User-Agent": browser})
    assert client.post(reverse("login"), {"username": username, "password": PASSWORD}).status_code == 302
    return client


@pytest.fixture
def here() -> Client:
    for name in ("anna", "ben"):
        UserFactory(username=name)
    return logged_in("anna", FIREFOX)


def page(client: Client) -> str:
    return " ".join(client.get(reverse("account")).content.decode().split())


def test_the_account_says_where_one_is_logged_in(here: Client) -> None:
    assert "Firefox, Linux" in page(here) and "<b>this browser</b>" in page(here)
    assert "Log out everywhere else" not in page(here)
    logged_in("anna", SAFARI)
    logged_in("ben", "curl/8.0")
    said = page(here)
    assert said.index("Firefox, Linux") < said.index("Safari, iPhone") and "unknown browser" not in said
    assert "Log out everywhere else" in said


def test_all_others_end_and_this_one_stays(here: Client) -> None:
    there, other = logged_in("anna", SAFARI), logged_in("ben", FIREFOX)
    response = here.post(reverse("account"), {"log-out-elsewhere": "1"}, follow=True)
    assert "Logged out of 1 other browser." in response.content.decode()
    assert there.get(reverse("account")).status_code == 302
    assert other.get(reverse("account")).status_code == 200
    assert Session.objects.count() == 2


def test_an_older_session_is_listed_without_what_is_not_known(here: Client) -> None:
    client = Client()
    client.force_login(UserFactory(username="cleo"))
    assert "unknown browser" in page(client) and ">since " not in page(client)


@pytest.mark.parametrize(
    ("agent", "named"),
    [
        (FIREFOX, "Firefox, Linux"),
        (SAFARI, "Safari, iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome, Android"),
        ("<script>", ""),
    ],
)
def test_no_more_than_the_kind_of_browser_is_noted(agent: str, named: str) -> None:
    assert log_in_details(agent)["browser"] == named
