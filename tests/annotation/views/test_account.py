"""Log-in, log-out, too many wrong passwords, and what is one's own."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from annotation.models import User
from tests.annotation.work import client_of
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"


def log_in(client: Client, user: User, password: str = PASSWORD, **more: str) -> int:
    return client.post(reverse("login"), {"username": user.username, "password": password, **more}).status_code


def test_a_log_in_leads_back_to_where_one_was() -> None:
    client, user = Client(), UserFactory()
    response = client.post(
        reverse("login"), {"username": user.username, "password": PASSWORD, "next": reverse("account")}
    )
    assert (response.status_code, response["Location"]) == (302, reverse("account"))


def test_a_log_in_leads_to_no_other_site() -> None:
    client, user = Client(), UserFactory()
    body = {"username": user.username, "password": PASSWORD, "next": "https://example.org/"}
    assert client.post(reverse("login"), body)["Location"] == reverse("home")


def test_a_wrong_password_is_said_without_saying_which_part_is_wrong() -> None:
    client, user = Client(), UserFactory()
    pages = [
        client.post(reverse("login"), {"username": name, "password": "wrong"}).content.decode()
        for name in (user.username, "nobody")
    ]
    assert all("do not go together" in page for page in pages)


def test_after_too_many_wrong_passwords_the_name_is_locked() -> None:
    client, user = Client(), UserFactory()
    for _ in range(settings.AXES_FAILURE_LIMIT):
        log_in(client, user, "wrong")
    response = client.post(reverse("login"), {"username": user.username, "password": PASSWORD})
    assert response.status_code == 429 and "locked" in response.content.decode()


def test_logging_out_ends_it() -> None:
    client = client_of(UserFactory())
    client.post(reverse("logout"))
    assert client.get(reverse("home")).status_code == 302


def test_a_password_is_changed_and_the_log_in_stays() -> None:
    user = UserFactory()
    client = client_of(user)
    new = "another horse battery"
    body = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert client.post(reverse("account"), body).status_code == 302
    user.refresh_from_db()
    assert user.check_password(new) and client.get(reverse("home")).status_code == 200


def test_a_wrong_old_password_changes_nothing() -> None:
    user = UserFactory()
    body = {"old_password": "wrong", "new_password1": "x" * 12, "new_password2": "x" * 12}
    assert client_of(user).post(reverse("account"), body).status_code == 422
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_the_language_is_kept_for_this_browser_and_for_the_next_log_in() -> None:
    user = UserFactory()
    client = client_of(user)
    client.post(reverse("account"), {"language": "fr"})
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "fr"
    elsewhere = Client()
    log_in(elsewhere, user)
    assert elsewhere.cookies[settings.LANGUAGE_COOKIE_NAME].value == "fr"
    assert '<html lang="fr"' in elsewhere.get(reverse("home")).content.decode()


def test_a_language_that_is_not_there_is_refused() -> None:
    user = UserFactory()
    assert client_of(user).post(reverse("account"), {"language": "tlh"}).status_code == 422
    user.refresh_from_db()
    assert user.preferences == {}


def test_health_needs_no_log_in() -> None:
    assert Client().get(reverse("healthz")).content == b"ok\n"
