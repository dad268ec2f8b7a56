"""Logging in with a provider: who may enter, and which account it opens. The provider is a real one, started here."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.invitees import Invitee
from annotation.models import Annotator, User
from annotation.models.identities import Identity
from annotation.models.tokens import ApiToken
from annotation.services.invitations import NewInvitation, invitations_create
from annotation.services.tokens import token_create
from annotation.views.openid import MAX_NAMES_TRIED, PENDING_CLAIMS_KEY
from tests.annotation.work import client_of
from tests.factories import AnnotatorFactory, ProjectFactory, UserFactory
from tests.openid.conftest import begin, linked, log_in, who
from tests.openid.provider import ANNA, Provider

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"


def invited(email: str = "") -> NewInvitation:
    lead = AnnotatorFactory(role="lead", project=ProjectFactory(name="Town"))
    (made,) = invitations_create(project=lead.project, people=[Invitee("", email)], by=lead.user)
    return made


def test_the_log_in_page_has_one_button(provider: Provider) -> None:
    page = Client().get(reverse("login"), {"next": "/account/"}).content.decode()
    assert page.count("Log in with Town") == 1 and 'name="next" value="/account/"' in page


def test_a_linked_account_is_entered_and_leads_back_to_where_one_was(provider: Provider) -> None:
    linked(provider)
    client = Client()
    response = log_in(client, next=reverse("account"))
    assert (response.status_code, response["Location"], who(client)) == (302, reverse("account"), "anna")
    assert "Where you are logged in" in client.get(reverse("account")).content.decode()
    (session,) = Session.objects.all()
    assert (session.expire_date - timezone.now()).days == 13
    assert {"/token", "/jwks"} <= set(provider.asked)


def test_it_leads_to_no_other_site(provider: Provider) -> None:
    linked(provider)
    assert log_in(Client(), next="https://example.org/")["Location"] == reverse("home")


def test_nothing_is_stored_of_what_the_provider_sent(provider: Provider) -> None:
    user = linked(provider)
    client = Client()
    log_in(client)
    user.refresh_from_db()
    assert (user.email, user.first_name, user.last_name) == ("", "", "") or user.email != ANNA["email"]
    assert "opens-userinfo" not in str(dict(client.session))


def test_whoever_is_not_known_does_not_enter(provider: Provider) -> None:
    UserFactory(username="anna", email=ANNA["email"])
    client = Client()
    response = log_in(client)
    assert (response.status_code, who(client)) == (403, None)
    assert "ask a lead of the project for an invitation" in response.content.decode()
    assert not Identity.objects.exists() and PENDING_CLAIMS_KEY not in client.session
    assert client.get(reverse("openid-new"))["Location"] == reverse("login")


def test_another_name_and_address_there_change_nothing(provider: Provider) -> None:
    linked(provider)
    UserFactory(username="lena", email="lena@example.org")
    provider.person |= {"preferred_username": "lena", "email": "lena@example.org"}
    client = Client()
    log_in(client)
    assert who(client) == "anna"


def test_an_account_is_linked_by_a_verified_address_if_the_owner_says_so(
    provider: Provider, settings: Settings
) -> None:
    allow(settings, links_by_email=True)
    user = UserFactory(username="lena", email="Anna@Example.org")
    intruder = client_of(user)
    token_create(user=user, name="a program", access="read", days=1)
    client = Client()
    assert log_in(client).status_code == 302 and who(client) == "lena"
    assert "Your password and your sessions elsewhere no longer work" in client.get(reverse("home")).content.decode()
    # Someone else may have entered the address into their own account, before its owner came.
    assert who(intruder) is None or intruder.get(reverse("account")).status_code == 302
    assert not ApiToken.objects.exists()
    assert Client().post(reverse("login"), {"username": "lena", "password": PASSWORD}).status_code == 200
    # From now on the address plays no part.
    User.objects.filter(pk=user.pk).update(email="")
    again = Client()
    log_in(again)
    assert who(again) == "lena"


@pytest.mark.parametrize("verified", [False, None, "true", 1])
def test_an_address_that_is_not_verified_links_nothing(
    provider: Provider, settings: Settings, verified: object
) -> None:
    allow(settings, links_by_email=True)
    UserFactory(username="lena", email=ANNA["email"])
    provider.person["email_verified"] = verified
    assert log_in(Client()).status_code == 403
    assert not Identity.objects.exists()


def test_addresses_that_only_look_alike_link_nothing(provider: Provider, settings: Settings) -> None:
    allow(settings, links_by_email=True)
    UserFactory(email="mıke@example.org")
    UserFactory(email="mike@example.org", is_active=False)
    provider.person["email"] = "mike@example.org"
    assert log_in(Client()).status_code == 403
    provider.person["email"] = "mıke@example.org"
    assert log_in(Client()).status_code == 403


def test_neither_a_superuser_nor_staff_nor_one_of_two_nor_a_linked_account_is_linked_by_an_address(
    provider: Provider, settings: Settings
) -> None:
    allow(settings, links_by_email=True)
    owner = UserFactory(email=ANNA["email"], is_superuser=True)
    assert log_in(Client()).status_code == 403
    User.objects.filter(pk=owner.pk).update(is_superuser=False, is_staff=True)
    assert log_in(Client()).status_code == 403
    User.objects.filter(pk=owner.pk).update(is_staff=False)
    UserFactory(email=ANNA["email"])
    assert log_in(Client()).status_code == 403
    User.objects.filter(email=ANNA["email"]).update(email="")
    linked(provider, "lena", email=ANNA["email"])
    # Who has the address at the provider now is someone else.
    provider.person["sub"] = "another"
    assert log_in(Client()).status_code == 403


def test_a_closed_account_stays_closed(provider: Provider) -> None:
    linked(provider, is_active=False)
    client = Client()
    response = log_in(client)
    assert (response.status_code, who(client)) == (403, None)
    assert "This account is closed." in response.content.decode()


def test_wrong_passwords_lock_no_log_in_with_the_provider(provider: Provider, settings: Settings) -> None:
    user = linked(provider)
    for _ in range(settings.AXES_FAILURE_LIMIT):
        Client().post(reverse("login"), {"username": user.username, "password": "wrong"})
    client = Client()
    log_in(client)
    assert who(client) == "anna"


def allow(settings: Settings, **owner: bool) -> None:
    from dataclasses import replace

    settings.OPENID = replace(settings.OPENID, **owner)


# New accounts.


def test_an_invitation_is_accepted_with_a_new_account_without_a_password(provider: Provider) -> None:
    made = invited("anna@work.example")
    client = Client()
    assert client.get(reverse("join-link", args=[made.token]))["Location"] == reverse("join")
    assert "Join with Town" in client.get(reverse("join")).content.decode()
    assert log_in(client, next=reverse("join"))["Location"] == reverse("join")
    page = client.get(reverse("join")).content.decode()
    assert 'value="anna"' in page and 'type="password"' not in page and who(client) is None
    response = client.post(reverse("join"), {"invitation": made.invitation.pk, "username": "anna", "languages": ""})
    assert response["Location"] == reverse("project", args=[made.invitation.project.slug])
    user = User.objects.get(username="anna")
    assert (who(client), user.has_usable_password(), user.email) == ("anna", False, ANNA["email"])
    assert user.made_in == made.invitation.project and PENDING_CLAIMS_KEY not in client.session
    again = Client()
    log_in(again)
    assert who(again) == "anna"
    assert client.session.get_expiry_age() > 13 * 24 * 3600


def test_someone_with_an_account_accepts_an_invitation_with_it(provider: Provider) -> None:
    user, made = linked(provider), invited()
    client = Client()
    client.get(reverse("join-link", args=[made.token]))
    assert log_in(client, next=reverse("join"))["Location"] == reverse("join")
    assert "You are logged in as <b>anna</b>" in client.get(reverse("join")).content.decode()
    client.post(reverse("join"), {"invitation": made.invitation.pk, "languages": ""})
    assert Annotator.objects.filter(project=made.invitation.project, user=user).exists()


def test_whoever_is_not_the_one_who_came_back_joins_as_someone_else(provider: Provider) -> None:
    made = invited()
    client = Client()
    client.get(reverse("join-link", args=[made.token]))
    log_in(client, next=reverse("join"))
    assert "says that you are <b>anna</b>" in " ".join(client.get(reverse("join")).content.decode().split())
    body = {"invitation": made.invitation.pk, "username": "anna", "forget": "1"}
    assert client.post(reverse("join"), body)["Location"] == reverse("join")
    assert PENDING_CLAIMS_KEY not in client.session and not User.objects.filter(username="anna").exists()
    assert "Join with Town" in client.get(reverse("join")).content.decode()


def test_with_an_invitation_a_password_can_be_chosen_still(provider: Provider) -> None:
    made = invited()
    client = Client()
    client.get(reverse("join-link", args=[made.token]))
    log_in(client, next=reverse("join"))
    by_password = f"{reverse('join')}?by=password"
    assert client.get(by_password).content.decode().count('type="password"') == 2
    body = {"invitation": made.invitation.pk, "username": "anna", "password": PASSWORD, "again": PASSWORD}
    assert client.post(by_password, {**body, "languages": ""}).status_code == 302
    assert User.objects.get(username="anna").has_usable_password() and not Identity.objects.exists()


def test_a_taken_or_impossible_username_is_refused_beside_its_field(provider: Provider) -> None:
    UserFactory(username="anna")
    made = invited()
    client = Client()
    client.get(reverse("join-link", args=[made.token]))
    log_in(client, next=reverse("join"))
    for name, said in (("anna", "already an account"), ("аnna", "several scripts"), ("ANNA", "looks the same")):
        response = client.post(reverse("join"), {"invitation": made.invitation.pk, "username": name})
        assert response.status_code == 422 and said in response.content.decode(), name
    assert not Identity.objects.exists()


def test_a_withdrawn_invitation_lets_nobody_in(provider: Provider) -> None:
    made = invited()
    client = Client()
    client.get(reverse("join-link", args=[made.token]))
    made.invitation.revoked = timezone.now()
    made.invitation.save()
    assert log_in(client, next=reverse("join")).status_code == 403 and PENDING_CLAIMS_KEY not in client.session


def test_who_someone_is_is_forgotten_after_a_while(
    provider: Provider, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(settings, new_accounts=True)
    client = Client()
    assert log_in(client)["Location"] == reverse("openid-new")
    assert client.get(reverse("openid-new")).status_code == 200
    assert client.session.get_expiry_age() <= 15 * 60
    monkeypatch.setattr("annotation.views.openid.time.time", lambda: timezone.now().timestamp() + 6 * 60)
    assert client.post(reverse("openid-new"), {"username": "anna"})["Location"] == reverse("login")
    assert not User.objects.exists()


def test_anyone_makes_an_account_where_the_owner_says_so(provider: Provider, settings: Settings) -> None:
    allow(settings, new_accounts=True)
    client = Client()
    log_in(client)
    assert 'value="anna"' in client.get(reverse("openid-new")).content.decode()
    assert client.post(reverse("openid-new"), {"username": ""}).status_code == 422
    assert client.post(reverse("openid-new"), {"username": "anna"})["Location"] == reverse("home")
    assert who(client) == "anna" and client.get(reverse("openid-new")).status_code == 302
    # Twice in two windows makes one account.
    assert User.objects.count() == Identity.objects.count() == 1


def test_whoever_is_not_the_one_who_came_back_makes_nothing(provider: Provider, settings: Settings) -> None:
    allow(settings, new_accounts=True)
    client = Client()
    log_in(client)
    page = " ".join(client.get(reverse("openid-new")).content.decode().split())
    assert "Town says that you are <b>anna</b>." in page and str(ANNA["email"]) in page
    response = client.post(reverse("openid-new"), {"username": "anna", "forget": "1"}, follow=True)
    assert "Nobody is logged in." in response.content.decode() and PENDING_CLAIMS_KEY not in client.session
    assert client.get(reverse("openid-new"))["Location"] == reverse("login") and not User.objects.exists()


def test_usernames_are_not_tried_without_end(provider: Provider, settings: Settings) -> None:
    allow(settings, new_accounts=True)
    UserFactory(username="anna")
    client = Client()
    log_in(client)
    for _try in range(MAX_NAMES_TRIED + 1):
        refused = client.post(reverse("openid-new"), {"username": "аnna"})
        assert refused.status_code == 422
    assert client.post(reverse("openid-new"), {"username": "new"})["Location"] == reverse("login")
    assert PENDING_CLAIMS_KEY not in client.session and User.objects.count() == 1


def test_the_same_person_in_two_windows_has_one_account(provider: Provider, settings: Settings) -> None:
    allow(settings, new_accounts=True)
    one, other = Client(), Client()
    log_in(one)
    log_in(other)
    one.post(reverse("openid-new"), {"username": "anna"})
    response = other.post(reverse("openid-new"), {"username": "anna2"})
    assert response.status_code == 422 and User.objects.count() == 1


# One's own account.


def test_another_issuer_with_the_same_subject_is_someone_else(provider: Provider) -> None:
    user = UserFactory()
    Identity.objects.create(user=user, issuer="https://former.example.org", subject=str(ANNA["sub"]))
    assert log_in(Client()).status_code == 403


# What the site asks.


def test_only_a_form_of_this_site_begins_a_log_in(provider: Provider) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post(reverse("openid")).status_code == 403
    assert client.get(reverse("openid")).status_code == 405
    assert provider.asked == [] and not Session.objects.exists()


def test_the_addresses_of_allauth_do_not_exist(provider: Provider) -> None:
    client = Client()
    for path in ("accounts/login/", "accounts/signup/", "accounts/password/reset/", "accounts/social/signup/",
                 "accounts/oidc/site/login/", "accounts/email/", "accounts/"):  # fmt: skip
        assert client.get(f"/{path}").status_code == 404, path


def test_the_addresses_that_it_is_known_by_are_asked_for_once(provider: Provider) -> None:
    for _ in range(3):
        begin(Client())
    assert provider.asked == ["/.well-known/openid-configuration"]


def test_what_the_token_leaves_out_is_asked_for(provider: Provider, settings: Settings) -> None:
    provider.in_userinfo = True
    allow(settings, links_by_email=True)
    UserFactory(username="lena", email=ANNA["email"])
    client = Client()
    log_in(client)
    assert who(client) == "lena" and "/userinfo" in provider.asked


def test_too_many_from_one_address_wait(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.views.openid.begin_allowance.take", lambda _: 7)
    response = Client().post(reverse("openid"))
    assert (response.status_code, response["Retry-After"]) == (429, "7")


def test_the_policy_of_pages_stays_as_it_is(provider: Provider) -> None:
    """Browsers follow no redirect of a form that the policy does not name, so there is a page in between."""
    response = Client().post(reverse("openid"))
    assert "form-action 'self';" in response["Content-Security-Policy"] + ";"
    assert urlsplit(response["Refresh"].partition("url=")[2]).netloc == f"127.0.0.1:{provider.port}"
