"""Writes of invitations: made, sent again, revoked, accepted."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, Sum
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from annotation.errors import Conflict, DomainError, Invalid, NotFound
from annotation.invitees import MAX_INVITEES, Invitee
from annotation.models import Annotator, Project, Role, User
from annotation.models.people import Invitation, Mailing
from annotation.number_parsing import MAX_INTEGER
from annotation.reading_languages import Skills
from annotation.security_events import security_event
from annotation.selectors.projects import former_membership, projects_of
from annotation.services.archive_check import changes_project, check_not_archived
from annotation.services.identities import Claims, identity_account_create
from annotation.services.name_checks import name_check
from annotation.services.people import NewPerson, login_create, person_add, set_history_user
from annotation.services.person_renames import check_alias_free
from annotation.services.reading_languages import reading_skills_set

DAYS, MAX_DAYS = 14, 90
MAX_MAILS_PER_DAY = 200
"""Invitations that a project sends by e-mail on one day, repeated ones included."""
RETENTION = timedelta(days=30)
"""How long an invitation that was revoked or has expired is still listed."""


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """An invitation with the secret of its link, which can't be read again."""

    invitation: Invitation
    token: str


@changes_project()
@transaction.atomic
def invitations_create(
    *,
    project: Project,
    people: Sequence[Invitee],
    by: User | None,
    role: str = Role.ANNOTATOR,
    days: int = DAYS,
    membership: Annotator | None = None,
) -> list[NewInvitation]:
    """Invite people to a project, each by a link of their own that ends after `days`.

    `membership` is one without an account, such as an import brings: whoever accepts takes it over, with its name and
    work. Raises Invalid or Conflict, and invites nobody, if a name is invalid or taken.
    """
    if role not in Role.values:
        raise Invalid(_("“%(role)s” is not a role.") % {"role": role}, where="role", hint=", ".join(Role.values))
    if not 1 <= days <= MAX_DAYS:
        raise Invalid(_("An invitation can be valid for 1 to %(n)s days.") % {"n": MAX_DAYS}, where="days")
    if not 1 <= len(people) <= MAX_INVITEES:
        raise Invalid(_("Invite 1 to %(n)s people at once.") % {"n": MAX_INVITEES}, where="people")
    if membership is not None:
        _check_without_account(membership)
    now = timezone.now()
    for each in people:
        name_check(each.name, "people")
    if membership is None:
        _check_names_free(project, [each.name for each in people if each.name], now)
    stale = Q(revoked__lt=now - RETENTION) | Q(accepted=None, expires__lt=now - RETENTION)
    Invitation.objects.filter(stale, project=project).delete()
    created = []
    for each in people:
        row = Invitation.objects.create(
            project=project,
            name="" if membership else each.name,
            email=each.email,
            role=membership.role if membership else role,
            membership=membership,
            nonce=secrets.token_hex(16),
            made_by=by,
            expires=now + timedelta(days=days),
        )
        security_event("invitation made", invitation=row.pk, project=project.pk, role=row.role)
        created.append(NewInvitation(row, invitation_token(row)))
    return created


def _check_names_free(project: Project, names: Sequence[str], now: datetime) -> None:
    """Raises Conflict, naming all of them, if some are taken by members, by open invitations, or twice."""
    waiting = Invitation.objects.filter(project=project, accepted=None, revoked=None, expires__gt=now)
    reserved = {name.casefold() for name in waiting.exclude(name="").values_list("name", flat=True)}
    taken: list[str] = []
    hint = ""
    for name in names:
        if name.casefold() in reserved:
            taken.append(_("Someone is already invited as “%(alias)s”.") % {"alias": name})
            continue
        reserved.add(name.casefold())
        try:
            check_alias_free(project, name)
        except Conflict as error:
            taken.append(error.message)
            hint = error.hint
    if taken:
        raise Conflict(" ".join(taken), where="people", code="taken", hint=hint)


def invitation_token(row: Invitation) -> str:
    """The secret of an invitation's link. Only a new invitation, or one that is renewed, may be shown with it."""
    digest = salted_hmac("annotation.invitation", f"{row.pk}:{row.nonce}", algorithm="sha256").hexdigest()
    return f"{row.pk}-{digest}"


@changes_project("row.project_id")
@transaction.atomic
def invitation_renew(*, row: Invitation, by: User) -> NewInvitation:
    """A new link in place of the old one, which no longer works. Raises Conflict if it was accepted or revoked.

    It is valid for as long as the old one was. From now on it counts as made by whoever renewed it, who gets the link.
    """
    locked = Invitation.objects.select_for_update(of=("self",)).get(pk=row.pk)
    _check_open(locked, expired=True)
    now, days = timezone.now(), max(round((locked.expires - locked.made) / timedelta(days=1)), 1)
    locked.nonce, locked.mailing, locked.made_by = secrets.token_hex(16), Mailing.NONE, by
    locked.made, locked.expires = now, now + timedelta(days=days)
    locked.save(update_fields=["nonce", "mailing", "made_by", "made", "expires"])
    security_event("invitation renewed", invitation=locked.pk, project=locked.project_id)
    return NewInvitation(locked, invitation_token(locked))


@changes_project("row.project_id")
@transaction.atomic
def invitation_revoke(*, row: Invitation) -> Invitation:
    """End an invitation: its link no longer works. Raises Conflict if it was accepted or revoked."""
    locked = Invitation.objects.select_for_update(of=("self",)).get(pk=row.pk)
    _check_open(locked, expired=True)
    locked.revoked = timezone.now()
    locked.save(update_fields=["revoked"])
    security_event("invitation revoked", invitation=locked.pk, project=locked.project_id)
    return locked


@transaction.atomic
def invitation_mail_reserve(*, row: Invitation) -> bool:
    """Whether an invitation may be sent by e-mail, which is counted: a project sends `MAX_MAILS_PER_DAY` on one day."""
    today = timezone.localdate()
    Project.objects.select_for_update().get(pk=row.project_id)
    counted = Invitation.objects.filter(project=row.project_id, mailed=today).aggregate(n=Sum("mails"))
    if (counted["n"] or 0) >= MAX_MAILS_PER_DAY:
        security_event("invitation mails at their limit", project=row.project_id)
        return False
    Invitation.objects.filter(pk=row.pk).exclude(mailed=today).update(mails=0, mailed=today)
    Invitation.objects.filter(pk=row.pk).update(mails=F("mails") + 1)
    return True


def invitation_mailed(*, pk: int, mailing: str) -> None:
    """Note whether an invitation was sent."""
    Invitation.objects.filter(pk=pk).update(mailing=mailing)


def invitation_open(token: str, *, lock: bool = False) -> Invitation:
    """The invitation of a link. Raises NotFound for an unknown secret, Conflict if it no longer works."""
    key, _dash, _digest = token.partition("-")
    unknown = NotFound(
        _("This link is not an invitation."), code="no-invitation", hint=_("Check that you copied the whole link.")
    )
    if not (key.isascii() and key.isdecimal() and len(key) < 20 and int(key) <= MAX_INTEGER):
        raise unknown
    rows = Invitation.objects.select_related("project", "membership", "made_by")
    if lock:
        rows = rows.select_for_update(of=("self",))
    row = rows.filter(pk=int(key), project__staged=False).first()
    if row is None or not constant_time_compare(token, invitation_token(row)):
        raise unknown
    _check_open(row)
    if not _sender_leads(row):
        raise _withdrawn()
    return row


@transaction.atomic
def invitation_accept(
    *,
    token: str,
    user: User | None = None,
    username: str = "",
    password: str = "",
    claims: Claims | None = None,
    skills: Skills | None = None,
) -> NewPerson:
    """Join a project by a link, with the account `user` or a new one, which a password opens or else the identity of
    `claims`. `skills`: the languages that the person reads.

    Someone whose access to the project had ended comes back as who they were. Raises NotFound or Conflict if the link
    does not work, Conflict if the account is in the project already, Invalid for a name or password that is refused;
    then the link still works.
    """
    # Ending a lead's access locks the project, too: their invitations are revoked before or after this, not meanwhile.
    project = Project.objects.select_for_update().get(pk=invitation_open(token).project_id)
    check_not_archived(project.pk)
    row = invitation_open(token, lock=True)
    if user is None and User.objects.filter(username=User.normalize_username(username.strip())).exists():
        raise Conflict(
            _("There is already an account with this username."),
            where="username",
            code="taken",
            hint=_("If it is yours, log in with it to accept; otherwise choose another username."),
        )
    if user is None:
        if claims is None:
            user = login_create(username=username.strip(), password=password, project=row.project)
        else:
            user = identity_account_create(claims=claims, username=username.strip(), project=row.project)
        if row.mailing == Mailing.SENT:  # whoever has the link has the mailbox
            user.email = row.email
            user.save(update_fields=["email"])
    person = _add(row, user) if row.membership_id is None else _take_over(row, user)
    if skills:
        reading_skills_set(annotator=person.annotator, skills=skills)
    row.accepted, row.accepted_as = timezone.now(), person.annotator
    row.name = row.email = ""
    row.save(update_fields=["accepted", "accepted_as", "name", "email"])
    security_event("invitation accepted", invitation=row.pk, account=user.pk, project=row.project_id)
    return person


def _add(row: Invitation, user: User) -> NewPerson:
    former = former_membership(row.project, user)
    try:
        return person_add(
            project=row.project, username=user.get_username(), alias="" if former else row.name, role=row.role, by=user
        )
    except DomainError as error:
        if error.where == "alias" and error.code == "taken":  # someone got the name since
            return person_add(project=row.project, username=user.get_username(), role=row.role, by=user)
        raise


def _take_over(row: Invitation, user: User) -> NewPerson:
    assert row.membership_id is not None
    locked = Annotator.objects.select_for_update().get(pk=row.membership_id)
    _check_without_account(locked)
    other = Annotator.objects.filter(Q(user=user) | Q(former_user=user), project=row.project_id).first()
    if other is not None:
        raise Conflict(
            _("This person is already in the project as %(alias)s.") % {"alias": other.alias},
            where="username",
            code="taken",
        )
    locked.user = user
    set_history_user(locked, user)
    locked.save()
    security_event("person added", account=user.pk, annotator=locked.pk, project=row.project_id, role=locked.role)
    return NewPerson(locked, None, returned=True)


def _check_without_account(membership: Annotator) -> None:
    if membership.user_id is not None or membership.former_user_id is not None:
        raise Conflict(
            _("%(alias)s has an account already.") % {"alias": membership.alias},
            where=membership.alias,
            code="account",
            hint=_("If their access has ended, restore it."),
        )


def _check_open(row: Invitation, *, expired: bool = False) -> None:
    """Raises Conflict if an invitation can no longer be accepted; `expired`: having expired is no reason."""
    if row.accepted is not None:
        raise Conflict(_("This invitation was already accepted."), code="accepted", hint=_("Log in to continue."))
    if row.revoked is not None:
        raise _withdrawn()
    if not expired and row.expires <= timezone.now():
        raise Conflict(
            _("This invitation has expired."), code="expired", hint=_("Ask whoever invited you for another.")
        )


def _withdrawn() -> Conflict:
    return Conflict(_("This invitation was revoked."), code="revoked", hint=_("Ask whoever invited you for another."))


def _sender_leads(row: Invitation) -> bool:
    """Whether the sender of an invitation may still invite people to its project."""
    by = row.made_by
    return by is not None and by.is_active and projects_of(by, Role.LEAD).filter(pk=row.project_id).exists()
