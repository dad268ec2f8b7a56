"""A forgotten password: a link by e-mail where the site sends any, else one that a lead passes on."""

from __future__ import annotations

import logging
import re
import smtplib
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Event
from typing import Any

import pytest
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from annotation.models import Annotator, Role, User
from annotation.services.people import person_end_access
from annotation.views import passwords
from tests.annotation.work import House, client_of, house
from tests.factories import AnnotatorFactory, ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db
NEW = "battery staple horse"
OLD = "correct horse battery"


@pytest.fixture
def mailing(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Executor:
    """A site that sends mail: what sends it, which has sent everything once it is shut down."""
    settings.EMAIL = {"EMAIL_BACKEND": "locmem"}
    thread = ThreadPoolExecutor(1)
    monkeypatch.setattr(passwords, "outbox", passwords.Outbox(thread))
    return thread


def link_in(text: str) -> str:
    found = re.search(r"http://testserver(/login/reset/[^\s<]+)", text)
    assert found, text
    return found[1]


def set_password(client: Client, link: str, password: str = NEW) -> bool:
    """Whether the link let a new password be set."""
    page = client.get(link, follow=True)
    assert page.status_code == 200
    where = page.redirect_chain[-1][0] if page.redirect_chain else link
    answer = client.post(where, {"new_password1": password, "new_password2": password})
    return answer.status_code == 302 and answer["Location"] == reverse("password-reset-done")


def knows(user: User, password: str) -> bool:
    return User.objects.get(pk=user.pk).check_password(password)


def lead_link(at: House, who: Client) -> Any:
    address = reverse("person", args=[at.project.slug, at.assignment.annotator_id])
    return who.post(address, {"action": "password-link"})


def annotator_of(at: House) -> User:
    assert at.assignment.annotator.user is not None
    return at.assignment.annotator.user


def test_a_lead_passes_on_a_link_that_works_once() -> None:
    at = house()
    page = reverse("person", args=[at.project.slug, at.assignment.annotator_id])
    assert "password-link" in at.lead.get(page).content.decode()
    link = link_in(lead_link(at, at.lead).content.decode())
    assert knows(annotator_of(at), OLD)
    assert set_password(Client(), link)
    assert knows(annotator_of(at), NEW)
    assert not set_password(Client(), link, "yet another password")
    assert "no longer works" in Client().get(link).content.decode()
    assert not mail.outbox


@pytest.mark.parametrize(("who", "status"), [("annotator", 403), ("adjudicator", 403), ("stranger", 404)])
def test_others_make_no_link(who: str, status: int) -> None:
    at = house()
    assert lead_link(at, getattr(at, who)).status_code == status
    assert lead_link(at, at.anonymous).status_code == 401
    assert "/login/reset/" in lead_link(at, at.superuser).content.decode()


@pytest.mark.parametrize(
    "kind",
    ["elsewhere", "was elsewhere", "annotates elsewhere", "made elsewhere", "made by nobody", "superuser", "staff"],
)
def test_a_lead_cannot_enter_an_account_that_opens_more_than_their_projects(kind: str) -> None:
    """Anyone can be added to a project of one's own by their username."""
    at = house()
    user = annotator_of(at)
    if kind in ("superuser", "staff"):
        User.objects.filter(pk=user.pk).update(**{f"is_{kind}": True})
    elif kind.startswith("made"):  # an account without any project is added to one, to be entered
        User.objects.filter(pk=user.pk).update(made_in=None if kind.endswith("nobody") else ProjectFactory())
    else:
        other = AnnotatorFactory(project=ProjectFactory(), user=user)
        if kind == "annotates elsewhere":
            AnnotatorFactory(project=other.project, user=User.objects.get(memberships__role=Role.LEAD))
        if kind == "was elsewhere":
            AnnotatorFactory(project=other.project, role=Role.LEAD)
            person_end_access(annotator=other)
    refused = lead_link(at, at.lead)
    assert refused.status_code == 403 and "/login/reset/" not in refused.content.decode()
    page = reverse("person", args=[at.project.slug, at.assignment.annotator_id])
    assert "password-link" not in at.lead.get(page).content.decode()
    assert lead_link(at, at.superuser).status_code == 200


def test_a_lead_of_all_their_projects_may() -> None:
    at = house()
    other = AnnotatorFactory(project=ProjectFactory(), user=annotator_of(at))
    lead = User.objects.get(memberships__role=Role.LEAD)
    AnnotatorFactory(project=other.project, user=lead, role=Role.LEAD)
    assert lead_link(at, at.lead).status_code == 200


def test_a_membership_without_an_account_and_a_closed_account_get_none() -> None:
    at = house()
    imported = AnnotatorFactory(project=at.project, user=None)
    address = reverse("person", args=[at.project.slug, imported.pk])
    assert "/login/reset/" not in at.lead.post(address, {"action": "password-link"}).content.decode()
    User.objects.filter(pk=annotator_of(at).pk).update(is_active=False)
    assert lead_link(at, at.lead).status_code == 409


def test_a_link_ends_after_a_day_and_with_a_log_in(monkeypatch: pytest.MonkeyPatch) -> None:
    at = house()
    user = annotator_of(at)
    User.objects.filter(pk=user.pk).update(last_login=None)
    link = link_in(lead_link(at, at.lead).content.decode())
    now = datetime.now()
    monkeypatch.setattr(PasswordResetTokenGenerator, "_now", lambda self: now + timedelta(hours=25))
    assert not set_password(Client(), link)
    monkeypatch.undo()
    Client().post(reverse("login"), {"username": user.username, "password": OLD})
    assert not set_password(Client(), link)
    assert knows(user, OLD)


def test_the_link_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    at = house()
    link = link_in(lead_link(at, at.lead).content.decode())
    set_password(Client(), link)
    assert link.split("/")[-2] not in caplog.text
    assert "password link made" in caplog.text


def test_a_weak_password_is_refused() -> None:
    at = house()
    link = link_in(lead_link(at, at.lead).content.decode())
    assert not set_password(Client(), link, "password")
    assert knows(annotator_of(at), OLD)


def test_a_link_is_sent_to_the_address_of_an_account(mailing: Executor) -> None:
    user = UserFactory(email="anna@example.org")
    client = Client()
    page = client.post(reverse("password-reset"), {"email": "anna@example.org"}, follow=True)
    assert page.redirect_chain[-1][0] == reverse("password-reset-sent")
    mailing.shutdown()
    (message,) = mail.outbox
    assert message.to == ["anna@example.org"] and user.username in message.body and "&#" not in message.body
    assert message.subject == "Diptych: set a new password"
    assert set_password(Client(), link_in(str(message.body)))
    assert knows(user, NEW)
    unknown = client.post(reverse("password-reset"), {"email": "nobody@example.org"}, follow=True)
    mailing.shutdown()
    assert unknown.content == page.content and len(mail.outbox) == 1


def test_the_same_person_is_sent_no_second_link_at_once(mailing: Executor) -> None:
    for name in ("anna", "bruno"):
        UserFactory(email=f"{name}@example.org")
    for name in ("anna", "anna", "bruno"):
        Client().post(reverse("password-reset"), {"email": f"{name}@example.org"})
    mailing.shutdown()
    assert [message.to for message in mail.outbox] == [["anna@example.org"], ["bruno@example.org"]]


def test_no_page_waits_for_the_server_of_mail_and_what_waits_is_limited(
    mailing: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, sent = Event(), []

    def slow(message: EmailMessage, *arguments: Any, **options: Any) -> None:
        assert answers.wait(60)
        sent.append(message.to)

    monkeypatch.setattr("django.core.mail.message.EmailMessage.send", slow)
    monkeypatch.setattr(passwords, "MAX_WAITING", 2)
    for name in ("anna", "bruno", "chiara"):
        UserFactory(email=f"{name}@example.org")
        answer = Client().post(reverse("password-reset"), {"email": f"{name}@example.org"})
        assert answer["Location"] == reverse("password-reset-sent")
    assert not sent
    answers.set()
    mailing.shutdown()
    assert sent == [["anna@example.org"], ["bruno@example.org"]]


def test_the_client_does_not_choose_the_port_of_the_link(mailing: Executor) -> None:
    UserFactory(email="anna@example.org")
    Client().post(reverse("password-reset"), {"email": "anna@example.org"}, headers={"host": "testserver:6666"})
    mailing.shutdown()
    assert ":6666" not in mail.outbox[0].body and link_in(str(mail.outbox[0].body))


def test_a_message_is_in_the_language_of_the_page(mailing: Executor) -> None:
    UserFactory(email="anna@example.org")
    Client().post(reverse("password-reset"), {"email": "anna@example.org"}, headers={"accept-language": "de"})
    mailing.shutdown()
    assert "Passwort" in mail.outbox[0].subject and "Passwort" in mail.outbox[0].body


def test_a_mail_server_that_is_away_is_logged_and_tells_nobody_who_has_an_account(
    mailing: Executor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    UserFactory(email="anna@example.org")

    def away(*arguments: Any, **options: Any) -> None:
        raise smtplib.SMTPServerDisconnected("gone")

    monkeypatch.setattr("django.core.mail.message.EmailMessage.send", away)
    answer = Client().post(reverse("password-reset"), {"email": "anna@example.org"})
    assert answer["Location"] == reverse("password-reset-sent")
    mailing.shutdown()
    assert "Failed to send password reset email" in caplog.text


def test_a_site_without_mail_says_whom_to_ask() -> None:
    user = UserFactory(email="anna@example.org")
    for answer in (
        Client().get(reverse("password-reset")),
        Client().post(reverse("password-reset"), {"email": user.email}),
    ):
        said = answer.content.decode()
        assert answer.status_code == 200 and "Ask a lead of your project" in said and 'type="email"' not in said
    assert not mail.outbox
    assert reverse("password-reset") in Client().get(reverse("login")).content.decode()
    assert "E-mail address" not in client_of(user).get(reverse("account")).content.decode()


@pytest.mark.usefixtures("mailing")
def test_ones_own_address_needs_ones_password() -> None:
    user: User = UserFactory()
    client, address = client_of(user), reverse("account")
    refused = client.post(address, {"email": "new@example.org", "password": "wrong"})
    assert refused.status_code == 422 and "This is not your password." in refused.content.decode()
    assert client.post(address, {"email": "no address", "password": OLD}).status_code == 422
    user.refresh_from_db()
    assert user.email == ""
    assert client.post(address, {"email": "new@example.org", "password": OLD}).status_code == 302
    user.refresh_from_db()
    assert user.email == "new@example.org"
    assert client.post(address, {"email": "", "password": OLD}).status_code == 302
    assert User.objects.get(pk=user.pk).email == "" and not Annotator.objects.filter(user=user).exists()
