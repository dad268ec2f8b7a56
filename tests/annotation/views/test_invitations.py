"""Inviting people, and joining with a new account, with one that exists, or as someone who was there before."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.models import Annotator, Role, User
from annotation.models.people import Invitation, Mailing
from annotation.selectors.audit import AuditTrail
from annotation.selectors.reading_languages import skills_of
from annotation.services.people import person_end_access
from annotation.views import invitation_mail
from tests.annotation.work import House, client_of, house
from tests.factories import AnnotatorFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PASSWORD = "battery staple horse"
NEW = {"username": "dora", "password": PASSWORD, "again": PASSWORD, "languages": "de native, en C1"}


class AtOnce:
    """Sends when it is asked to."""

    def submit(self, function: Callable[..., Any], *given: Any) -> None:
        function(*given)


@pytest.fixture
def mailing(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EMAIL = {"EMAIL_BACKEND": "locmem"}
    monkeypatch.setattr(invitation_mail, "outbox", AtOnce())


def links_in(text: str) -> list[str]:
    return re.findall(r"http://testserver(/join/[^\s<]+)", text)


def invite(at: House, people: str = "Dora", **more: Any) -> str:
    body = {"people": people, "role": "annotator", "days": 14, **more}
    return str(at.lead.post(reverse("invitations", args=(at.project.slug,)), body, follow=True).content.decode())


def accept(client: Client, body: dict[str, str], **more: Any) -> Any:
    """Send the form that is shown, filled in."""
    shown = re.search(r'name="invitation"\s+value="(\d+)"', client.get(reverse("join")).content.decode())
    return client.post(reverse("join"), {**body, "invitation": shown[1] if shown else ""}, **more)


def test_a_link_is_shown_once_and_makes_an_account() -> None:
    at = house()
    (link,) = links_in(invite(at))
    assert not links_in(at.lead.get(reverse("invitations", args=(at.project.slug,))).content.decode())
    guest = Client()
    opened = guest.get(link)
    assert opened.status_code == 302 and opened["Location"] == reverse("join"), "the secret is in no later address"
    page = unescape(guest.get(reverse("join")).content.decode())
    lead = Annotator.objects.get(project=at.project, role=Role.LEAD)
    assert lead.user is not None
    assert f"Join {at.project.name}" in page and f"{lead.user.username} invites you" in page and "Dora" in page
    for person in Annotator.objects.filter(project=at.project):
        assert person.alias not in page, "nobody else is named"
    done = accept(guest, NEW, follow=True)
    assert f"You are now in {at.project.name}, as Dora." in done.content.decode()
    person = Annotator.objects.get(alias="Dora")
    assert person.user is not None and person.user.username == "dora"
    assert skills_of(person) == {"de": "native", "en": "C1"}
    assert guest.get(reverse("project", args=(at.project.slug,))).status_code == 200
    used = Client().get(link)
    assert used.status_code == 409 and "already accepted" in used.content.decode()


def test_links_are_on_the_page_after_the_form_and_neither_back_nor_reload_sends_it_again() -> None:
    at = house()
    address = reverse("invitations", args=(at.project.slug,))
    sent = at.lead.post(address, {"people": "Dora\nEmil", "role": "annotator", "days": 14})
    assert (sent.status_code, sent["Location"]) == (302, address)
    assert not re.search(r"[0-9a-f]{40}", str(at.lead.session["invitations_made"])), "no secret in the session"
    other = client_of(UserFactory())
    assert other.get(address).status_code == 404
    page = at.lead.get(address).content.decode()
    first, second = links_in(page)
    assert page.index("Dora") < page.index(first) < page.index("Emil") < page.index(second)
    assert not links_in(at.lead.get(address).content.decode()), "once"
    assert Client().get(first).status_code == 302
    person = AnnotatorFactory(project=at.project, user=None)
    invited = at.lead.post(reverse("person", args=(at.project.slug, person.pk)), {"action": "invite", "email": ""})
    assert invited["Location"] == address and Invitation.objects.count() == 3


def test_a_link_that_another_lead_has_renewed_before_it_was_shown_is_theirs() -> None:
    at = house()
    address = reverse("invitations", args=(at.project.slug,))
    at.lead.post(address, {"people": "Dora", "role": "annotator", "days": 14})
    second = AnnotatorFactory(project=at.project, role=Role.LEAD)
    assert second.user is not None
    renew = reverse("invitation-renew", args=(at.project.slug, Invitation.objects.get().pk))
    assert len(links_in(client_of(second.user).post(renew, follow=True).content.decode())) == 1
    assert not links_in(at.lead.get(address).content.decode())


def test_a_used_link_sends_whoever_is_logged_in_to_their_projects() -> None:
    at = house()
    (link,) = links_in(invite(at))
    guest = Client()
    guest.get(link)
    accept(guest, NEW)
    page = guest.get(link).content.decode()
    assert "This invitation has been used already" in page and "Log in to continue." not in page
    assert f'href="{reverse("home")}"' in page and "Go to your projects" in page
    assert "Log in to continue." in Client().get(link).content.decode()


def test_the_changes_name_who_accepted() -> None:
    at = house()
    imported = AnnotatorFactory(project=at.project, user=None, alias="annotator7")
    links = links_in(invite(at))
    address = reverse("person", args=(at.project.slug, imported.pk))
    links += links_in(at.lead.post(address, {"action": "invite", "email": ""}, follow=True).content.decode())
    for link, username in zip(links, ("dora", "emil"), strict=True):
        guest = Client()
        guest.get(link)
        accept(guest, {**NEW, "username": username})
    changes = AuditTrail(at.project, kind="people")[0:2]
    assert [(each.what, each.about, each.by) for each in changes] == [
        ("Access granted", "annotator7", "emil"),
        ("Person added", "Dora", "dora"),
    ]


def test_opening_a_link_accepts_nothing() -> None:
    at = house()
    (link,) = links_in(invite(at))
    for _ in range(2):
        assert Client().get(link, follow=True).status_code == 200
    assert not Annotator.objects.filter(alias="Dora").exists() and not User.objects.filter(username="dora").exists()


def test_an_existing_account_logs_in_and_joins() -> None:
    at, user = house(), UserFactory(username="emil")
    (link,) = links_in(invite(at))
    guest = Client()
    page = guest.get(link, follow=True).content.decode()
    assert f'href="{reverse("login")}?next={reverse("join")}"' in page
    body = {"username": "emil", "password": "correct horse battery", "next": reverse("join")}
    assert guest.post(reverse("login"), body)["Location"] == reverse("join")
    assert "join with this account" in guest.get(reverse("join")).content.decode()
    assert accept(guest, {"languages": ""})["Location"] == reverse("project", args=(at.project.slug,))
    assert Annotator.objects.get(alias="Dora").user == user


def test_someone_comes_back_as_who_they_were() -> None:
    at = house()
    former = at.assignment.annotator
    person_end_access(annotator=former)
    (link,) = links_in(invite(at))
    shown = at.annotator.get(link, follow=True).content.decode()
    assert f"you return as {former.alias}, with your work" in shown and "Your name in the project" not in shown
    done = unescape(accept(at.annotator, {"languages": ""}, follow=True).content.decode())
    assert f"Welcome back: you are in {at.project.name} as {former.alias} again." in done
    assert Annotator.objects.get(pk=former.pk).user is not None and not Annotator.objects.filter(alias="Dora").exists()


def test_a_member_is_told_at_once_that_they_are_one() -> None:
    at = house()
    (link,) = links_in(invite(at))
    shown = at.annotator.get(link, follow=True).content.decode()
    assert f"You are in this project already, as {at.assignment.annotator.alias}," in shown
    assert "Your name in the project" not in shown and "join with this account" not in shown
    row = Invitation.objects.get()
    refused = at.annotator.post(reverse("join"), {"invitation": row.pk, "languages": ""})
    assert refused.status_code == 422 and Invitation.objects.get().accepted is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"again": "x"}, "The passwords don't match."),
        ({"password": "short", "again": "short"}, "too short"),
        ({"username": "taken"}, "already an account with this username"),
        ({"username": "a b"}, "valid username"),
        ({"languages": "Klingon"}, "not a language with a level"),
    ],
)
def test_what_is_refused_is_said_beside_its_field_and_the_link_still_works(change: dict[str, str], said: str) -> None:
    at = house()
    UserFactory(username="taken")
    (link,) = links_in(invite(at))
    guest = Client()
    guest.get(link)
    refused = accept(guest, {**NEW, **change})
    assert refused.status_code == 422 and said in unescape(refused.content.decode())
    assert PASSWORD not in refused.content.decode()
    assert accept(guest, NEW).status_code == 302


def test_only_the_invitation_that_was_shown_is_accepted() -> None:
    at = house()
    shown, opened_later = links_in(invite(at, "Dora\nEmil"))
    guest = Client()
    page = guest.get(shown, follow=True).content.decode()
    number = re.search(r'name="invitation"\s+value="(\d+)"', page)
    assert number
    guest.get(opened_later)
    for sent in ({"invitation": number[1]}, {}):
        again = guest.post(reverse("join"), {**NEW, **sent})
        assert again.status_code == 200 and "Emil" in again.content.decode()
    assert not Annotator.objects.filter(alias__in=("Dora", "Emil")).exists()
    assert accept(guest, NEW).status_code == 302 and Annotator.objects.filter(alias="Emil").exists()


def test_several_are_invited_at_once_and_every_line_that_is_wrong_is_named() -> None:
    at = house()
    page = invite(at, "Dora\nEmil <emil@example.org>\n\nfritz@example.org")
    assert len(links_in(page)) == 3 and len(set(links_in(page))) == 3
    refused = unescape(invite(at, "Gerda\nhanna@\nA, B"))
    assert "Line 2: 'hanna@' is not an e-mail address" in refused and "Line 3: each line is for one person" in refused
    assert Invitation.objects.count() == 3


@pytest.mark.usefixtures("mailing")
def test_those_with_an_address_are_sent_their_link_and_the_others_are_shown() -> None:
    at = house()
    page = invite(at, "Dora <dora@example.org>\nEmil")
    assert len(links_in(page)) == 1 and "1 invitation is being sent by e-mail" in page
    (message,) = mail.outbox
    assert message.to == ["dora@example.org"] and message.subject == f"Invitation to {at.project.name}"
    (link,) = links_in(str(message.body))
    assert "&#" not in message.body and link not in page
    assert "sent by e-mail" in at.lead.get(reverse("invitations", args=(at.project.slug,))).content.decode()
    guest = Client()
    guest.get(link)
    assert accept(guest, NEW).status_code == 302
    assert User.objects.get(username="dora").email == "dora@example.org"


@pytest.mark.usefixtures("mailing")
def test_an_invitation_that_could_not_be_sent_says_so_and_is_made_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    at = house()

    def refuse(*_given: Any, **_more: Any) -> None:
        raise OSError("no server")

    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.message.EmailMessage.send", refuse)
        invite(at, "dora@example.org")
    address = reverse("invitations", args=(at.project.slug,))
    assert "the e-mail could not be sent" in at.lead.get(address).content.decode()
    row = Invitation.objects.get()
    renew = reverse("invitation-renew", args=(at.project.slug, row.pk))
    page = at.lead.post(renew, {"link": ""}, follow=True).content.decode()
    assert len(links_in(page)) == 1 and "Not sent by e-mail" not in page and not mail.outbox
    Invitation.objects.update(mailing=Mailing.FAILED)
    answer = at.lead.post(reverse("api-invitation-renew", args=(at.project.slug, row.pk)))
    assert answer.json()["link"] and not mail.outbox, "nobody would get it"
    at.lead.post(renew)
    assert len(mail.outbox) == 1 and "sent by e-mail" in at.lead.get(address).content.decode()


def test_a_new_link_is_valid_for_as_long_as_the_old_one() -> None:
    at = house()
    invite(at, "Dora", days="3")
    Invitation.objects.update(made=timezone.now() - timedelta(days=2), expires=timezone.now() + timedelta(days=1))
    row = Invitation.objects.get()
    at.lead.post(reverse("invitation-renew", args=(at.project.slug, row.pk)))
    row.refresh_from_db()
    assert timedelta(days=2.9) < row.expires - timezone.now() <= timedelta(days=3)


@pytest.mark.usefixtures("mailing")
def test_a_project_sends_so_many_invitations_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    at = house()
    monkeypatch.setattr("annotation.services.invitations.MAX_MAILS_PER_DAY", 2)
    page = invite(at, "dora@example.org\nemil@example.org\nfay@example.org")
    assert len(mail.outbox) == 2 and len(links_in(page)) == 1
    assert "Not sent by e-mail" in page and 'data-copy="#link-' in page
    row = Invitation.objects.get(email="dora@example.org")
    renew = reverse("invitation-renew", args=(at.project.slug, row.pk))
    assert len(links_in(at.lead.post(renew, follow=True).content.decode())) == 1, "sending again counts too"
    at.lead.post(reverse("invitation-revoke", args=(at.project.slug, row.pk)))
    assert len(mail.outbox) == 2
    Invitation.objects.update(mailed=timezone.localdate() - timedelta(days=1))
    row = Invitation.objects.get(email="emil@example.org")
    at.lead.post(reverse("invitation-renew", args=(at.project.slug, row.pk)))
    row.refresh_from_db()
    assert len(mail.outbox) == 3 and row.mails == 1


def test_a_new_link_replaces_the_old_one_and_a_withdrawn_one_opens_nothing() -> None:
    at = house()
    (old,) = links_in(invite(at))
    row = Invitation.objects.get()
    page = at.lead.post(reverse("invitation-renew", args=(at.project.slug, row.pk)), follow=True).content.decode()
    (new,) = links_in(page)
    assert Client().get(old).status_code == 404 and Client().get(new).status_code == 302
    guest = Client()
    guest.get(new)
    assert at.lead.post(reverse("invitation-revoke", args=(at.project.slug, row.pk))).status_code == 302
    closed = accept(guest, NEW)
    assert closed.status_code == 409 and "revoked" in closed.content.decode()
    assert not User.objects.filter(username="dora").exists()


def test_the_page_without_an_invitation_says_what_to_do() -> None:
    response = Client().get(reverse("join"))
    assert response.status_code == 404 and "Open your invitation link again." in response.content.decode()
    assert Client().get(reverse("join-link", args=("1-abc",))).status_code == 404


def test_a_person_without_an_account_is_invited_to_their_name() -> None:
    at = house()
    imported = AnnotatorFactory(project=at.project, user=None, alias="annotator7")
    address = reverse("person", args=(at.project.slug, imported.pk))
    (link,) = links_in(at.lead.post(address, {"action": "invite", "email": ""}, follow=True).content.decode())
    guest = Client()
    assert "annotator7" in guest.get(link, follow=True).content.decode()
    accept(guest, NEW)
    imported.refresh_from_db()
    assert imported.user is not None and imported.alias == "annotator7"


def test_a_person_is_renamed_and_their_languages_are_stated() -> None:
    at = house()
    person = at.assignment.annotator
    Annotator.objects.filter(pk=person.pk).update(alias="Ada")
    address = reverse("person", args=(at.project.slug, person.pk))
    done = at.lead.post(address, {"action": "rename", "alias": "Zoe"}, follow=True).content.decode()
    assert "Ada is now called Zoe." in done
    at.lead.post(address, {"action": "reading", "languages": "rm native"})
    assert skills_of(person) == {"rm": "native"}
    page = at.lead.get(reverse("people", args=(at.project.slug,))).content.decode()
    assert "rm native" in page and "not stated" in page
    refused = at.lead.post(address, {"action": "reading", "languages": "rm"})
    assert refused.status_code == 422 and "write it like de B2" in unescape(refused.content.decode())
    taken = Annotator.objects.get(project=at.project, role=Role.LEAD).alias
    refused = at.lead.post(address, {"action": "rename", "alias": taken})
    assert refused.status_code == 422 and "already called" in refused.content.decode()


def test_what_happens_to_invitations_is_logged_without_the_secret(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    at = house()
    (link,) = links_in(invite(at))
    guest = Client()
    guest.get(link)
    accept(guest, NEW)
    assert "invitation made" in caplog.text and "invitation accepted" in caplog.text
    assert link.split("-")[1].strip("/") not in caplog.text


def test_the_plan_warns_of_who_does_not_read_and_leaves_them_out_on_request() -> None:
    at = house()
    from tests.factories import PairFactory, TextFactory

    reader = at.assignment.annotator
    other = Annotator.objects.filter(project=at.project, role=Role.ANNOTATOR).exclude(pk=reader.pk).get()
    for _ in range(3):
        PairFactory(project=at.project)
    PairFactory(project=at.project, b=TextFactory(language="rm", content="Ina biblioteca."))
    for person, languages in ((reader, "en C1, de C1"), (other, "en C1, de B1")):
        at.lead.post(
            reverse("person", args=(at.project.slug, person.pk)), {"action": "reading", "languages": languages}
        )
    body = {
        "people": [reader.pk, other.pk],
        "qualification": 0,
        "trial": 1,
        "overlap": 0,
        "overlap_people": 0,
        "seed": 1,
    }
    address = reverse("plan", args=(at.project.slug,))
    page = at.lead.post(address, body).content.decode()
    assert f"{other.alias} does not read the languages of" in page and "rm" in page
    page = at.lead.post(address, {**body, "readers_only": "on"}).content.decode()
    assert "does not read the languages" not in page and "1 pair stays unassigned" in page
    digest = re.search(r'name="digest" value="(\w+)"', page)
    assert digest
    at.lead.post(address, {**body, "readers_only": "on", "step": "make", "digest": digest[1]})
    assert not other.assignments.exists() and reader.assignments.count() == 4
