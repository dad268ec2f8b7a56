"""Writes of people: accounts, memberships of a project, and reassignments between people."""

from __future__ import annotations

import secrets
from collections import Counter
from dataclasses import dataclass

from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Forbidden, Invalid
from annotation.models import Annotator, Assignment, Phase, Project, Role, User
from annotation.models.lifecycle import ProjectEventType
from annotation.models.people import Invitation
from annotation.planning.plans import NewcomerShare, Reassignment, add_annotator, replace_annotator
from annotation.security_events import security_event
from annotation.selectors.export_records import REASSIGNED
from annotation.selectors.projects import former_membership
from annotation.selectors.reading_languages import pairs_read_by
from annotation.selectors.references import pairs_with_known_reference
from annotation.services.annotations import annotation_reassign
from annotation.services.archive_check import changes_project
from annotation.services.assignments import assignments_create, assignments_lock, assignments_move
from annotation.services.audit_events import event_record
from annotation.services.name_checks import confusable_forms, name_check, script_check
from annotation.services.person_renames import check_alias_free
from annotation.services.plans import existing_assignments, plan_pairs
from annotation.vocabulary import UNFINISHED


@dataclass(frozen=True, slots=True)
class NewPerson:
    """A person who was added; `password` is that of a new account, to be shown once, None for an existing account.

    `returned`: they were in the project before and got their membership back.
    """

    annotator: Annotator
    password: str | None
    returned: bool = False


@changes_project()
@transaction.atomic
def person_add(
    *,
    project: Project,
    username: str,
    alias: str = "",
    role: str = Role.ANNOTATOR,
    password: str = "",
    by: User | None = None,
) -> NewPerson:
    """Add a person to a project, and create an account if none has that name.

    Without a `password` one is generated. `alias`, the only name that is published, is 'A1', 'A2', … unless given. A
    person whose access was ended gets their membership back, with its alias and its work, in the given role. `by` is
    who the history says did it, if nobody is logged in. Raises Invalid or Conflict, and changes nothing, if a name is
    invalid or taken.
    """
    # As in the log-in form, which would otherwise not find the account.
    username, alias = User.normalize_username(username.strip()), alias.strip()
    name_check(alias, "alias")
    # Nobody else may get the same free alias at the same moment.
    Project.objects.select_for_update().get(pk=project.pk)
    user = User.objects.filter(username=username).first()
    former = former_membership(project, user) if user is not None else None
    if former is not None and role in Role.values:
        return _restore_membership(former, alias, role)
    alias = alias or _free_alias(project)
    if role not in Role.values:
        raise Invalid(_("“%(role)s” is not a role.") % {"role": role}, where="role", hint=", ".join(Role.values))
    check_alias_free(project, alias)
    password_set = None
    if user is None:
        password_set = password or secrets.token_urlsafe(9)
        user = login_create(username=username, password=password_set, project=project)
    elif Annotator.objects.filter(project=project, user=user).exists():
        raise Conflict(
            _("%(username)s is already in this project.") % {"username": username}, where="username", code="taken"
        )
    annotator = Annotator(project=project, user=user, alias=alias, role=role)
    set_history_user(annotator, by)
    annotator.save()
    _log("person added", annotator, role=role)
    return NewPerson(annotator, password_set)


def set_history_user(annotator: Annotator, by: User | None) -> None:
    """Have the history name `by` for the next save, rather than the sender of the request."""
    if by is not None:
        annotator._history_user = by  # type: ignore[attr-defined]


def _restore_membership(membership: Annotator, alias: str, role: str) -> NewPerson:
    if alias not in ("", membership.alias):
        raise Conflict(
            _("This person was previously in the project as “%(alias)s” and keeps that name.")
            % {"alias": membership.alias},
            where="alias",
            code="known",
            hint=_("Leave the name blank."),
        )
    back = person_restore_access(annotator=membership)
    if back.role != role:
        back = person_role_set(annotator=back, role=role)
    return NewPerson(back, None, returned=True)


@changes_project("annotator.project_id")
@transaction.atomic
def person_role_set(*, annotator: Annotator, role: str) -> Annotator:
    """Change a person's role in a project. Raises Forbidden if no lead would remain.

    The open invitations of someone who is no longer a lead are revoked.
    """
    if role not in Role.values:
        raise Invalid(_("“%(role)s” is not a role.") % {"role": role}, where="role", hint=", ".join(Role.values))
    Project.objects.select_for_update().get(pk=annotator.project_id)
    if role != Role.LEAD:
        _check_other_lead(annotator)
        _revoke_invitations_of(annotator)
    annotator.role = role
    annotator.save()
    _log("role changed", annotator, role=role)
    return annotator


@changes_project("annotator.project_id")
@transaction.atomic
def person_end_access(*, annotator: Annotator) -> Annotator:
    """Separate a membership from its account: the work stays, under its alias; the account loses access to the project.

    The membership remembers its account: `person_restore_access` undoes it. The open invitations that the person made
    are revoked for good.
    """
    Project.objects.select_for_update().get(pk=annotator.project_id)
    locked = Annotator.objects.select_for_update().get(pk=annotator.pk)
    if locked.user_id is None:
        raise _without_access(locked, code="ended")
    _check_other_lead(locked)
    _revoke_invitations_of(locked)
    _log("access ended", locked)
    locked.user_id, locked.former_user_id = None, locked.user_id
    locked.save()
    return locked


def _without_access(annotator: Annotator, *, code: str) -> Conflict:
    text = _("%(alias)s has no access to this project.") % {"alias": annotator.alias}
    return Conflict(text, where=annotator.alias, code=code)


@changes_project("annotator.project_id")
@transaction.atomic
def person_restore_access(*, annotator: Annotator) -> Annotator:
    """Restore access that was ended: same alias, same role, same assignments.

    Raises Conflict if access was not ended, or the account meanwhile has another membership of the project.
    """
    locked = Annotator.objects.select_for_update().get(pk=annotator.pk)
    if locked.user_id is None and locked.former_user_id is None:
        raise _without_access(locked, code="not-ended")
    if locked.user_id is not None:
        raise Conflict(_("%(alias)s still has access.") % {"alias": locked.alias}, where=locked.alias, code="not-ended")
    other = Annotator.objects.filter(project=locked.project_id, user=locked.former_user_id).first()
    if other is not None:
        raise Conflict(
            _("This person is already in the project as %(alias)s.") % {"alias": other.alias},
            where=locked.alias,
            code="taken",
            hint=_("End %(alias)s's access first.") % {"alias": other.alias},
        )
    locked.user_id, locked.former_user_id = locked.former_user_id, None
    locked.save()
    _log("access restored", locked)
    return locked


def person_share_preview(*, annotator: Annotator, seed: int) -> NewcomerShare:
    """What a person who joins mid-way would be assigned: pairs whose languages they read. Writes nothing."""
    project = annotator.project
    readable = pairs_read_by(annotator)
    left = Annotator.objects.filter(project=project, user=None).values_list("pk", flat=True)
    return add_annotator(existing_assignments(project), annotator.pk, plan_pairs(project), seed, readable, set(left))


@changes_project("annotator.project_id")
@transaction.atomic
def person_assign_share(*, annotator: Annotator, seed: int) -> NewcomerShare:
    """Assign a person who joins mid-way everything that all others share and an equal share of the open pairs."""
    project = annotator.project
    Project.objects.select_for_update().get(pk=project.pk)
    _check_assignable(Annotator.objects.get(pk=annotator.pk), where=annotator.alias)
    change = person_share_preview(annotator=annotator, seed=seed)
    if not change.moved and not change.new:
        raise Conflict(
            _("There are no pairs to assign to %(alias)s.") % {"alias": annotator.alias},
            code="plan",
            hint=_("Plan more pairs, or reassign someone else's pairs to them."),
        )
    assigned = assignments_create(project=project, planned=change.new)
    assigned += assignments_move(project=project, ids=change.moved, to=annotator)
    event_record(project=project, what=ProjectEventType.SHARED, person=annotator, assignments=assigned)
    return change


def _check_assignable(annotator: Annotator, *, where: str) -> None:
    """Raises Invalid unless this is an annotator with access to the project."""
    if annotator.role != Role.ANNOTATOR or annotator.user_id is None:
        raise Invalid(
            _("%(alias)s can't be assigned pairs.") % {"alias": annotator.alias},
            where=where,
            hint=_("Choose an annotator who has access to this project."),
        )


@dataclass(frozen=True, slots=True)
class ReassignmentPreview:
    """What one person takes over from another, and what stays; all in the leaver's order.

    `moves`: assignments that were not started, `started`: those that were; `already_assigned`: pairs that the newcomer
    already has in that phase, `reference_seen`: pairs whose reference the newcomer has seen, `retests`: the leaver's
    re-tests. `unreadable`: those of the pairs taken over whose languages the newcomer does not read.
    """

    reassignment: Reassignment
    moves: list[Assignment]
    started: list[Assignment]
    already_assigned: list[Assignment]
    reference_seen: list[Assignment]
    retests: list[Assignment]
    unreadable: list[Assignment]

    def phases(self) -> dict[str, int]:
        """How many pairs move, by phase, for the phases that have any."""
        counts = Counter(each.phase for each in [*self.moves, *self.started])
        return {phase: counts[phase] for phase in Phase.values if counts[phase]}


def person_replace_preview(*, leaver: Annotator, newcomer: Annotator) -> ReassignmentPreview:
    """What the newcomer would take over. Writes nothing. Raises Invalid or Conflict if that is not possible."""
    project = leaver.project
    if leaver.pk == newcomer.pk or project.pk != newcomer.project_id:
        raise Invalid(_("Choose two people in this project."), where="newcomer")
    _check_assignable(newcomer, where="newcomer")
    barred = {pair for person, pair in pairs_with_known_reference(project) if person == newcomer.pk}
    reassignment = replace_annotator(existing_assignments(project), leaver.pk, newcomer.pk, barred)
    rows = Assignment.objects.filter(annotator=leaver, status__in=UNFINISHED).order_by("order", "pk")
    rows = rows.select_related("pair").defer("pair__metadata", "pair__translations")
    preview = ReassignmentPreview(reassignment, [], [], [], [], [], [])
    moved, started = set(reassignment.moved), set(reassignment.started)
    for row in rows:
        if row.pk in moved:
            preview.moves.append(row)
        elif row.pk in started:
            preview.started.append(row)
        elif row.round:
            preview.retests.append(row)
        else:
            (preview.reference_seen if row.pair_id in barred else preview.already_assigned).append(row)
    if not preview.moves and not preview.started:
        raise Conflict(
            _("None of %(alias)s's unfinished pairs can be reassigned to %(newcomer)s.")
            % {"alias": leaver.alias, "newcomer": newcomer.alias},
            where="newcomer",
            code="plan",
            hint=_("Choose someone who doesn't have these pairs yet."),
        )
    readable = pairs_read_by(newcomer)
    if readable is not None:
        preview.unreadable.extend(row for row in [*preview.moves, *preview.started] if row.pair_id not in readable)
    return preview


@changes_project("leaver.project_id")
@transaction.atomic
def person_replace(*, leaver: Annotator, newcomer: Annotator, by: User | None, end_access: bool) -> ReassignmentPreview:
    """Reassign the leaver's unfinished work to another annotator of the project; finished work stays theirs.

    A pair that the leaver had started is kept under their name as reassigned, and the newcomer starts it from the
    beginning. A pair that the newcomer can't take over stays with the leaver unchanged.
    """
    project = leaver.project
    Project.objects.select_for_update().get(pk=project.pk)
    assignments_lock(project, Assignment.objects.filter(annotator=leaver))
    preview = person_replace_preview(leaver=leaver, newcomer=newcomer)
    assignments_create(project=project, planned=preview.reassignment.new)
    assignments_move(project=project, ids=preview.reassignment.moved, to=newcomer)
    reason = _(REASSIGNED) % {"alias": newcomer.alias}
    for assignment in preview.started:
        annotation_reassign(assignment=assignment, by=by, reason=reason)
    taken = len(preview.moves) + len(preview.started)
    event_record(project=project, what=ProjectEventType.REASSIGNED, by=by, person=leaver, assignments=taken)
    if end_access and leaver.user_id is not None:
        person_end_access(annotator=leaver)
    return preview


@transaction.atomic
def _log(what: str, annotator: Annotator, **more: str) -> None:
    about = {"account": annotator.user_id, "annotator": annotator.pk, "project": annotator.project_id}
    security_event(what, **about, **more)


def login_create(*, username: str, password: str | None, name: str = "", project: Project | None = None) -> User:
    """Create an account, in a project or for the whole site; with None for its password nobody can log in by one.

    Raises Invalid if the name is invalid or taken, or the password is too easy to guess.
    """
    username = User.normalize_username(username)
    name_check(username, "username")
    script_check(username, "username")
    first, _space, last = name.partition(" ")
    user = User(username=username, first_name=first, last_name=last, made_in=project)
    try:
        UnicodeUsernameValidator()(username)
        if password is not None:
            validate_password(password, user)
        user.validate_unique()
    except ValidationError as error:
        raise Invalid(" ".join(error.messages), where="username", code="log-in") from error
    usernames = User.objects.values_list("username", flat=True)
    own = confusable_forms(username)
    if other := next((each for each in usernames.iterator() if own & confusable_forms(each)), None):
        raise Conflict(
            _("“%(username)s” looks the same as the existing username “%(other)s”.")
            % {"username": username, "other": other},
            where="username",
            code="taken",
            hint=_("Choose another username, or write the existing one as it is."),
        )
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:  # someone got the username since
        raise Conflict(_("There is already an account with this username."), where="username", code="taken") from error
    security_event("account created", account=user.pk, project=project.pk if project else None)
    return user


def _check_other_lead(annotator: Annotator) -> None:
    leads = Annotator.objects.select_for_update().filter(
        project=annotator.project_id, role=Role.LEAD, user__isnull=False
    )
    if annotator.role == Role.LEAD and not leads.exclude(pk=annotator.pk).exists():
        raise Forbidden(_("This project has no other lead."), hint=_("Make someone else a lead first."))


def _revoke_invitations_of(annotator: Annotator) -> None:
    """Otherwise a former lead could come back as a lead with a link of their own."""
    if annotator.user_id is None:
        return
    rows = Invitation.objects.filter(
        project=annotator.project_id, made_by=annotator.user_id, accepted=None, revoked=None
    )
    for row in rows.select_for_update().order_by("pk"):
        row.revoked = timezone.now()
        row.save(update_fields=["revoked"])
        security_event("invitation revoked", invitation=row.pk, project=row.project_id)


def _free_alias(project: Project) -> str:
    # Nor one that someone had before they were renamed.
    taken = set(Annotator.objects.filter(project=project).values_list("alias", flat=True))
    taken |= set(Annotator.history.filter(project=project).values_list("alias", flat=True))
    number = 1
    while f"A{number}" in taken:
        number += 1
    return f"A{number}"
