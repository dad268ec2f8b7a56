"""Log-in, log-out, too many wrong passwords, and a user's own settings."""

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from annotation.models import User
from tests.annotation.work import client_of
from tests.factories import UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
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
    assert all("Incorrect username or password" in page for page in pages)


def attempt(name: str, password: str = "wrong", address: str = "192.0.2.1", **headers: Any) -> int:
    body = {"username": name, "password": password}
    return Client(REMOTE_ADDR=address).post(reverse("login"), body, **headers).status_code


def test_after_too_many_wrong_passwords_the_name_is_locked() -> None:
    client, user = Client(), UserFactory()
    for _ in range(settings.AXES_FAILURE_LIMIT):
        log_in(client, user, "wrong")
    response = client.post(reverse("login"), {"username": user.username, "password": PASSWORD})
    assert response.status_code == 429 and "locked for 15 minutes" in response.content.decode()


def test_a_name_is_locked_wherever_the_wrong_passwords_come_from() -> None:
    user = UserFactory()
    for number in range(settings.AXES_FAILURE_LIMIT):
        attempt(user.username, address=f"192.0.2.{number}")
    assert attempt(user.username, PASSWORD, address="192.0.2.200") == 429


def test_an_address_is_locked_whichever_names_it_tries() -> None:
    for number in range(settings.LOGIN_ADDRESS_LIMIT):
        assert attempt(f"name{number}") in (200, 429)
    user = UserFactory()
    assert attempt(user.username, PASSWORD) == 429
    assert attempt(user.username, PASSWORD, address="192.0.2.2") == 302


def test_an_address_that_people_share_is_allowed_more_than_a_name() -> None:
    for number in range(settings.AXES_FAILURE_LIMIT + 1):
        attempt(f"name{number}")
    assert attempt(UserFactory().username, PASSWORD) == 302


def test_a_forged_forwarding_header_does_not_get_around_the_limit() -> None:
    for number in range(settings.LOGIN_ADDRESS_LIMIT):
        attempt(f"name{number}", address="127.0.0.1", HTTP_X_FORWARDED_FOR=f"203.0.113.{number}")
    assert attempt(UserFactory().username, PASSWORD, "127.0.0.1", HTTP_X_FORWARDED_FOR="203.0.113.250") == 429


def test_logging_in_with_ones_own_account_does_not_clear_what_was_tried_on_others() -> None:
    own = UserFactory()
    for number in range(settings.LOGIN_ADDRESS_LIMIT - 1):
        attempt(f"name{number}")
    assert attempt(own.username, PASSWORD) == 302
    attempt("one more")
    assert attempt(own.username, PASSWORD) == 429


def test_trying_on_does_not_keep_a_name_locked_for_longer() -> None:
    user = UserFactory()
    for _ in range(settings.AXES_FAILURE_LIMIT):
        attempt(user.username)
    # Axes asks the request for the time of the attempt; its rows are moved back instead.
    AccessAttempt.objects.update(attempt_time=now() - timedelta(minutes=14))
    assert attempt(user.username) == 429
    assert AccessAttempt.objects.filter(attempt_time__lte=now() - timedelta(minutes=13)).exists()
    AccessAttempt.objects.update(attempt_time=now() - timedelta(minutes=16))
    assert attempt(user.username, PASSWORD) == 302


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


def test_a_logged_in_user_can_switch_accounts() -> None:
    one, two = UserFactory(), UserFactory()
    client = client_of(one)
    assert client.get(reverse("login")).status_code == 302, "who is logged in needs no form"
    address = f"{reverse('login')}?as={two.username}&next={reverse('logged-in')}"
    page = client.get(address).content.decode()
    assert f'value="{two.username}"' in page and f"You are logged in as {one.username}" in page
    own = f"{reverse('login')}?as={one.username}&next={reverse('logged-in')}"
    assert client.get(own)["Location"] == reverse("logged-in"), "logged in as this person already"
    response = client.post(address, {"username": two.username, "password": PASSWORD, "next": reverse("logged-in")})
    assert response["Location"] == reverse("logged-in")
    assert f"You are logged in as {two.username}" in client.get(reverse("logged-in")).content.decode()


def test_the_page_after_a_log_in_beside_the_work_is_for_people_who_are_logged_in() -> None:
    response = Client().get(reverse("logged-in"))
    assert response.status_code == 302 and response["Location"].startswith(reverse("login"))


def test_a_name_longer_than_any_account_s_is_refused_and_not_kept() -> None:
    response = Client().post(reverse("login"), {"username": "x" * 100_000, "password": PASSWORD})
    assert response.status_code == 200 and response.context["form"].errors["username"]
    assert not AccessAttempt.objects.exists()


def test_e_mails_about_messages_are_switched_off_and_on(settings: Any, client: Client) -> None:
    settings.EMAIL = {"EMAIL_HOST": "localhost"}
    user = UserFactory(email="")
    client.force_login(user)
    address, asked = reverse("account"), "E-mail me when someone writes to me"
    assert asked not in client.get(address).content.decode(), "without an address there is nothing to switch"
    User.objects.filter(pk=user.pk).update(email="anna@example.org")
    assert 'name="mails" id="id_mails" checked' in " ".join(client.get(address).content.decode().split())
    for sent, wanted in (({}, False), ({"mails": "on"}, True)):
        client.post(address, {"kind": "mails", **sent})
        user.refresh_from_db()
        assert user.preferences["mails"] is wanted
    settings.EMAIL = None
    assert asked not in client.get(address).content.decode()
