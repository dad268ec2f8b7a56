"""Invitations: each link works once, until it expires, is withdrawn or renewed, and its secret is stored nowhere."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.errors import Conflict, Invalid, NotFound
from annotation.invitees import Invitee
from annotation.models import Annotator, Role, User
from annotation.models.people import Invitation, Mailing
from annotation.selectors.invitations import invitation_state
from annotation.selectors.reading_languages import skills_of
from annotation.services.invitations import (
    NewInvitation,
    invitation_accept,
    invitation_open,
    invitation_renew,
    invitation_revoke,
    invitations_create,
)
from annotation.services.people import person_end_access, person_role_set
from tests.factories import AnnotatorFactory, ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"


def invited(*people: Invitee, **more: object) -> list[NewInvitation]:
    given = {"project": None, "by": None, **more}
    given["project"] = given["project"] or ProjectFactory()
    given["by"] = given["by"] or UserFactory(is_superuser=True)
    return invitations_create(people=people or [Invitee("Anna", "anna@example.org")], **given)  # type: ignore[arg-type]


def test_an_invitation_makes_an_account_once() -> None:
    (made,) = invited(role=Role.ADJUDICATOR)
    assert invitation_open(made.token) == made.invitation
    found = invitation_accept(token=made.token, username="anna", password=PASSWORD, skills={"de": "native"})
    assert (found.annotator.alias, found.annotator.role, found.returned) == ("Anna", Role.ADJUDICATOR, False)
    user = found.annotator.user
    assert user is not None and user.check_password(PASSWORD) and user.made_in == made.invitation.project
    assert user.email == "", "whoever has a link that was passed on need not have the mailbox"
    assert skills_of(found.annotator) == {"de": "native"}
    made.invitation.refresh_from_db()
    assert (made.invitation.name, made.invitation.email) == ("", "") and made.invitation.accepted_as == found.annotator
    with pytest.raises(Conflict, match="already accepted"):
        invitation_accept(token=made.token, username="bruno", password=PASSWORD)
    assert not User.objects.filter(username="bruno").exists() and invitation_state(made.invitation) == "accepted"


def test_the_address_of_an_invitation_that_was_sent_becomes_the_accounts() -> None:
    (made,) = invited()
    Invitation.objects.update(mailing=Mailing.SENT)
    found = invitation_accept(token=made.token, username="anna", password=PASSWORD)
    assert found.annotator.user is not None and found.annotator.user.email == "anna@example.org"


def test_an_existing_account_accepts_and_keeps_its_password() -> None:
    user = UserFactory(username="anna")
    (made,) = invited()
    found = invitation_accept(token=made.token, user=user)
    assert found.annotator.user == user and found.annotator.alias == "Anna" and user.check_password(PASSWORD)
    (again,) = invited(Invitee("Other", ""), project=made.invitation.project)
    with pytest.raises(Conflict, match="already in this project"):
        invitation_accept(token=again.token, user=user)
    assert invitation_state(Invitation.objects.get(pk=again.invitation.pk)) == "open", "for whom it was meant"


def test_nobody_enters_an_existing_account_by_its_name() -> None:
    UserFactory(username="anna")
    (made,) = invited()
    for name in ("anna", " anna "):
        with pytest.raises(Conflict, match="already an account"):
            invitation_accept(token=made.token, username=name, password=PASSWORD)
    assert not Annotator.objects.exists()


def test_someone_who_was_in_the_project_comes_back_as_who_they_were() -> None:
    former = AnnotatorFactory(alias="Anna")
    user = former.user
    person_end_access(annotator=former)
    (made,) = invited(Invitee("Someone", ""), project=former.project)
    found = invitation_accept(token=made.token, user=user)
    assert found.returned and found.annotator.pk == former.pk and found.annotator.alias == "Anna"
    assert Annotator.objects.get().user == user


def test_a_membership_without_an_account_is_taken_over_with_its_name() -> None:
    imported = AnnotatorFactory(user=None, alias="annotator1")
    (made,) = invited(Invitee("", ""), project=imported.project, membership=imported)
    found = invitation_accept(token=made.token, username="anna", password=PASSWORD)
    assert found.annotator.pk == imported.pk and found.annotator.alias == "annotator1" and found.returned
    member = AnnotatorFactory(project=imported.project)
    with pytest.raises(Conflict, match="has an account already"):
        invited(Invitee("", ""), project=imported.project, membership=member)
    other = AnnotatorFactory(project=imported.project, user=None)
    (second,) = invited(Invitee("", ""), project=imported.project, membership=other)
    with pytest.raises(Conflict, match="already in the project as"):
        invitation_accept(token=second.token, user=member.user)


def test_a_link_that_was_withdrawn_renewed_or_has_expired_no_longer_works() -> None:
    first, second, third = invited(*(Invitee(name, "") for name in ("a", "b", "c")))
    invitation_revoke(row=first.invitation)
    with pytest.raises(Conflict, match="revoked"):
        invitation_open(first.token)
    renewed = invitation_renew(row=second.invitation, by=UserFactory(is_superuser=True))
    with pytest.raises(NotFound):
        invitation_open(second.token)
    assert invitation_open(renewed.token)
    Invitation.objects.filter(pk=third.invitation.pk).update(expires=timezone.now())
    with pytest.raises(Conflict, match="expired"):
        invitation_accept(token=third.token, username="anna", password=PASSWORD)
    assert invitation_open(invitation_renew(row=third.invitation, by=UserFactory(is_superuser=True)).token)
    with pytest.raises(Conflict, match="revoked"):
        invitation_revoke(row=first.invitation)
    with pytest.raises(Conflict, match="revoked"):
        invitation_renew(row=first.invitation, by=UserFactory(is_superuser=True))
    assert not User.objects.filter(is_superuser=False).exists()


def test_a_secret_is_derived_and_stored_nowhere() -> None:
    one, other = invited(Invitee("a", ""), Invitee("b", ""))
    stored = [str(value) for row in Invitation.objects.values_list() for value in row]
    assert not any(one.token.partition("-")[2] in value for value in stored)
    key, _, digest = one.token.partition("-")
    wrong = ("", "-", "x", key, f"{key}-", f"{other.invitation.pk}-{digest}", f"{key}-{'0' * 64}", "9" * 30, "²-x",
             f"{key}-{digest}x", f"0{one.token}", "9999999999-x")  # fmt: skip
    for token in wrong:
        with pytest.raises(NotFound):
            invitation_open(token)


@pytest.mark.parametrize(
    ("people", "more"),
    [
        ([], {}),
        ([Invitee(str(n), "") for n in range(101)], {}),
        ([Invitee("Anna", "")], {"role": "owner"}),
        ([Invitee("Anna", "")], {"days": 0}),
        ([Invitee("Anna", "")], {"days": 91}),
        ([Invitee("A\u200b", "")], {}),
        ([Invitee("Anna", ""), Invitee("anna", "")], {}),
        ([Invitee("new", ""), Invitee("taken", "")], {}),
    ],
)
def test_what_is_wrong_with_one_invites_nobody(people: list[Invitee], more: dict[str, object]) -> None:
    project = AnnotatorFactory(alias="taken").project
    with pytest.raises((Invalid, Conflict)):
        invitations_create(project=project, people=people, by=None, **more)  # type: ignore[arg-type]
    assert not Invitation.objects.exists()


def test_every_name_that_is_taken_is_named() -> None:
    project = AnnotatorFactory(alias="taken").project
    AnnotatorFactory(project=project, alias="Wilma")
    with pytest.raises(Conflict, match=r"already called “taken”.*already called “Wilma”"):
        invitations_create(project=project, people=[Invitee(each, "") for each in ("taken", "new", "Wilma")], by=None)


def test_a_name_is_reserved_while_its_invitation_is_open_and_free_afterwards() -> None:
    (made,) = invited()
    project = made.invitation.project
    with pytest.raises(Conflict, match="already invited"):
        invited(project=project)
    invitation_revoke(row=made.invitation)
    (again,) = invited(project=project)
    AnnotatorFactory(project=project, alias="Anna")
    found = invitation_accept(token=again.token, username="anna", password=PASSWORD)
    assert found.annotator.alias == "A1", "someone got the name in the meantime"


def test_old_invitations_that_led_to_nothing_are_forgotten() -> None:
    first, second = invited(Invitee("a", "a@example.org"), Invitee("b", "b@example.org"))
    project = first.invitation.project
    invitation_revoke(row=first.invitation)
    long_ago = timezone.now() - timedelta(days=31)
    Invitation.objects.filter(pk=first.invitation.pk).update(revoked=long_ago)
    Invitation.objects.filter(pk=second.invitation.pk).update(expires=long_ago)
    invited(Invitee("c", ""), project=project)
    assert [row.name for row in Invitation.objects.all()] == ["c"]


def test_a_password_that_is_refused_leaves_the_link_open() -> None:
    (made,) = invited()
    for name, password in (("anna", "short"), ("a b", PASSWORD), ("", PASSWORD)):
        with pytest.raises(Invalid):
            invitation_accept(token=made.token, username=name, password=password)
    assert invitation_open(made.token) and not User.objects.filter(is_superuser=False).exists()


@pytest.mark.parametrize(
    "leave",
    [lambda lead: person_end_access(annotator=lead), lambda lead: person_role_set(annotator=lead, role=Role.ANNOTATOR)],
)
def test_what_a_former_lead_made_or_renewed_is_revoked(leave: Callable[[Annotator], Annotator]) -> None:
    lead = AnnotatorFactory(role=Role.LEAD)
    other = AnnotatorFactory(project=lead.project, role=Role.LEAD)
    user = lead.user
    (own,) = invited(Invitee("a", ""), project=lead.project, by=user, role=Role.LEAD)
    theirs, kept = invited(Invitee("b", ""), Invitee("c", ""), project=lead.project, by=other.user, role=Role.LEAD)
    renewed = invitation_renew(row=theirs.invitation, by=user)
    (elsewhere,) = invited(project=AnnotatorFactory(user=user, role=Role.LEAD).project, by=user)
    leave(lead)
    for made in (own, renewed):
        assert invitation_state(Invitation.objects.get(pk=made.invitation.pk)) == "revoked"
        with pytest.raises(Conflict, match="revoked"):
            invitation_accept(token=made.token, user=user)
    assert invitation_open(kept.token) and invitation_open(elsewhere.token)


def test_an_invitation_works_only_while_whoever_made_it_leads_the_project() -> None:
    lead = AnnotatorFactory(role=Role.LEAD)
    (made,) = invited(project=lead.project, by=lead.user)
    for change, back in (({"role": Role.ANNOTATOR}, {"role": Role.LEAD}), ({"user": None}, {"user": lead.user})):
        Annotator.objects.filter(pk=lead.pk).update(**change)
        with pytest.raises(Conflict, match="revoked"):
            invitation_accept(token=made.token, username="anna", password=PASSWORD)
        Annotator.objects.filter(pk=lead.pk).update(**back)
    Invitation.objects.update(made_by=None)
    with pytest.raises(Conflict, match="revoked"):
        invitation_open(made.token)
