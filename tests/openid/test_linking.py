"""Linking an account with an identity at the provider, and taking the link away again."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.models import User
from annotation.models.identities import Identity
from tests.annotation.work import client_of
from tests.factories import UserFactory
from tests.openid.conftest import begin, linked, log_in, visit, who
from tests.openid.provider import Provider

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"


def test_linking_needs_the_password_and_then_the_provider_opens_the_account(provider: Provider) -> None:
    user = UserFactory(username="lena", password=PASSWORD)
    client = client_of(user)
    page = reverse("openid-account")
    assert "Log-in with Town" in client.get(reverse("account")).content.decode()
    response = client.post(page, {"password": "wrong"})
    assert response.status_code == 422 and "This is not your password." in response.content.decode()
    response = client.get(visit(begin(client, page, password=PASSWORD)))
    assert response["Location"] == page and not Identity.objects.exists()
    asked = " ".join(client.get(page).content.decode().split())
    assert "Town says that you are <b>anna</b>." in asked and "your account <b>lena</b>" in asked
    assert client.post(page, {"answer": "link"}, follow=True).status_code == 200
    assert "Your account has been linked to Town since" in client.get(page).content.decode()
    other = Client()
    log_in(other)
    assert who(other) == "lena"
    assert client.post(page, {"password": "wrong"}).status_code == 422
    assert client.post(page, {"password": PASSWORD}).status_code == 302
    assert log_in(Client()).status_code == 403


def test_someone_else_whom_the_provider_knows_at_this_computer_is_not_linked(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(UserFactory(username="lena", password=PASSWORD))
    page = reverse("openid-account")
    client.get(visit(begin(client, page, password=PASSWORD)))
    response = client.post(page, {"answer": "cancel"}, follow=True)
    assert "Nothing was linked." in response.content.decode() and not Identity.objects.exists()
    assert client.post(page, {"answer": "link"}).status_code == 422, "the question was answered"
    # Left alone, the question ends by itself, and at once for another account in this browser.
    client.get(visit(begin(client, page, password=PASSWORD)))
    session = client.session
    other = UserFactory()
    mine = {key: session[key] for key in ("_auth_user_id", "_auth_user_hash")}
    session.update({"_auth_user_id": str(other.pk), "_auth_user_hash": other.get_session_auth_hash()})
    session.save()
    client.post(page, {"answer": "link"})
    session.update(mine)
    session.save()
    monkeypatch.setattr("annotation.views.openid.time.time", lambda: timezone.now().timestamp() + 6 * 60)
    client.post(page, {"answer": "link"})
    assert not Identity.objects.exists()


def test_linking_is_for_the_account_that_asked(provider: Provider) -> None:
    """Someone else may have logged in in this browser since."""
    user, other = UserFactory(password=PASSWORD), UserFactory()
    client = client_of(user)
    back = visit(begin(client, reverse("openid-account"), password=PASSWORD))
    session = client.session
    session["_auth_user_id"], session["_auth_user_hash"] = str(other.pk), other.get_session_auth_hash()
    session.save()
    assert client.get(back).status_code == 400 and not Identity.objects.exists()


def test_an_identity_opens_one_account_and_an_account_has_one(provider: Provider) -> None:
    linked(provider, "anna")
    client = client_of(UserFactory(username="lena", password=PASSWORD))
    response = client.get(visit(begin(client, reverse("openid-account"), password=PASSWORD)))
    assert response.status_code == 409 and "another account on this site" in response.content.decode()
    Identity.objects.update(subject="older")
    anna = client_of(User.objects.get(username="anna"))
    anna.logout()
    assert Identity.objects.count() == 1


def test_an_account_without_a_password_is_not_unlinked_and_has_no_password_to_change(
    provider: Provider, settings: Settings
) -> None:
    settings.EMAIL = {"EMAIL_HOST": "x"}
    user = linked(provider)
    user.set_unusable_password()
    user.save()
    client = Client()
    log_in(client)
    page = client.get(reverse("account")).content.decode()
    assert "Your account has no password." in page and "old_password" not in page
    assert client.post(reverse("account"), {"old_password": "", "new_password1": PASSWORD}).status_code == 200
    assert client.post(reverse("account"), {"email": "anna@home.example"}).status_code == 302
    response = client.post(reverse("openid-account"), {"password": ""})
    assert "first ask a lead for a link" in response.content.decode()
    assert client.post(reverse("openid-account"), {"password": "!"}).status_code == 422
    user.refresh_from_db()
    assert not user.has_usable_password() and Identity.objects.exists() and user.email == "anna@home.example"
