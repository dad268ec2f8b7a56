"""What someone may try who has a provider's account, a password that is not theirs, or nothing at all."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from annotation.models.identities import Identity
from annotation.services.accounts import password_link_make
from annotation.views.openid import MAX_NEXT_LENGTH
from tests.factories import UserFactory
from tests.openid.conftest import begin, log_in, visit, who
from tests.openid.provider import ANNA, Provider
from tests.openid.test_log_in import allow

pytestmark = pytest.mark.django_db
STOLEN, NEW = "correct horse battery", "a new and longer password"


def test_a_new_password_ends_what_someone_else_linked(provider: Provider) -> None:
    """Whoever knew the password linked their own account there; a new password alone would not shut them out."""
    user, other = UserFactory(username="lena", password=STOLEN), UserFactory()
    Identity.objects.create(user=other, issuer=provider.issuer, subject="other")
    thief = Client()
    thief.force_login(user, backend="config.accounts.AccountBackend")
    thief.get(visit(begin(thief, reverse("openid-account"), password=STOLEN)))
    thief.post(reverse("openid-account"), {"answer": "link"})
    again = Client()
    log_in(again)
    assert who(again) == "lena"

    user.refresh_from_db()
    link = password_link_make(user=user, by=other)
    owner = Client()
    page = owner.get(reverse("password-reset-new", args=(link.uid, link.token)))["Location"]
    assert owner.post(page, {"new_password1": NEW, "new_password2": NEW}).status_code == 302

    assert [each.user for each in Identity.objects.all()] == [other]
    assert log_in(Client()).status_code == 403
    for client in (thief, again):
        assert client.get(reverse("account")).status_code == 302
    assert Client().post(reverse("login"), {"username": "lena", "password": NEW}).status_code == 302


def test_what_is_stored_for_anyone_is_small(provider: Provider) -> None:
    """Anyone begins log-ins, and where they lead is in the database for a while."""
    client = Client()
    for _ in range(3):
        begin(client, next="/" + "x" * 1_000_000)
    assert max(len(each.session_data) for each in Session.objects.all()) < 20_000
    begin(client, next="/" + "x" * (MAX_NEXT_LENGTH - 1))
    (state, *_when) = list(client.session["socialaccount_states"].values())[-1]
    assert len(state["data"]["next"]) == MAX_NEXT_LENGTH


def test_a_verified_address_is_the_one_that_was_verified(provider: Provider, settings: Settings) -> None:
    """The token says that an address is verified, and not which; the one told elsewhere is not."""
    allow(settings, links_by_email=True)
    UserFactory(username="lena", email=ANNA["email"])
    provider.in_userinfo, provider.claims = True, {"email_verified": True}
    provider.person["email_verified"] = False
    assert log_in(Client()).status_code == 403
    provider.person["email_verified"] = True
    client = Client()
    log_in(client)
    assert who(client) == "lena"
