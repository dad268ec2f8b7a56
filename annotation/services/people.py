"""Writes of people: log-ins, places in a project, and who takes over from whom."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Forbidden, Invalid
from annotation.models import Annotator, Assignment, Project, Role, User
from annotation.planning import Change, add_annotator, replace_annotator
from annotation.services.annotations import annotation_hand_over
from annotation.services.assignments import assignments_create, assignments_move
from annotation.services.plans import given_work, plan_pairs


@dataclass(frozen=True, slots=True)
class NewPerson:
    """Somebody who came in; `password` is the one made for a new log-in, to be shown once, None for a known log-in."""

    annotator: Annotator
    password: str | None


@transaction.atomic
def person_add(
    *, project: Project, username: str, alias: str = "", role: str = Role.ANNOTATOR, password: str = ""
) -> NewPerson:
    """Give somebody a place in a project, and a log-in where there is none of that name.

    Without a `password` one is made. `alias`, the only name that is published, is 'A1', 'A2', … unless given. Raises
    Invalid or Conflict, and changes nothing, where a name cannot be or is taken.
    """
    username, alias = username.strip(), alias.strip() or _free_alias(project)
    if role not in Role.values:
        raise Invalid(_("“%(role)s” is no role.") % {"role": role}, where="role", hint=", ".join(Role.values))
    if Annotator.objects.filter(project=project, alias=alias).exists():
        raise Conflict(
            _("“%(alias)s” is somebody else's name in this project.") % {"alias": alias}, where="alias", code="taken"
        )
    user = User.objects.filter(username=username).first()
    made = None
    if user is None:
        made = password or secrets.token_urlsafe(9)
        user = login_make(username=username, password=made)
    elif Annotator.objects.filter(project=project, user=user).exists():
        raise Conflict(
            _("%(username)s is in this project already.") % {"username": username}, where="username", code="taken"
        )
    annotator = Annotator.objects.create(project=project, user=user, alias=alias, role=role)
    return NewPerson(annotator, made)


@transaction.atomic
def person_role_set(*, annotator: Annotator, role: str) -> Annotator:
    """Change what somebody is in a project. Forbidden where nobody would lead it any more."""
    if role not in Role.values:
        raise Invalid(_("“%(role)s” is no role.") % {"role": role}, where="role", hint=", ".join(Role.values))
    if role != Role.LEAD:
        _another_leads(annotator)
    annotator.role = role
    annotator.save()
    return annotator


@transaction.atomic
def person_end_access(*, annotator: Annotator) -> Annotator:
    """Part a place from its log-in: the work stays, under its alias; the log-in no longer opens this project."""
    _another_leads(annotator)
    annotator.user = None
    annotator.save()
    return annotator


def person_bring_in_preview(*, annotator: Annotator, seed: int) -> Change:
    """What somebody who comes in mid-way would be given. Writes nothing."""
    project = annotator.project
    return add_annotator(given_work(project), annotator.pk, plan_pairs(project), seed)


@transaction.atomic
def person_bring_in(*, annotator: Annotator, seed: int) -> Change:
    """Give somebody who comes in mid-way what everyone shares and an equal share of what nobody began."""
    project = annotator.project
    Project.objects.select_for_update().get(pk=project.pk)
    change = person_bring_in_preview(annotator=annotator, seed=seed)
    if not change.moved and not change.new:
        raise Conflict(
            _("There is nothing to give to %(alias)s.") % {"alias": annotator.alias},
            code="plan",
            hint=_("Plan more pairs, or let them take over from somebody."),
        )
    assignments_create(project=project, planned=change.new)
    assignments_move(project=project, ids=change.moved, to=annotator)
    return change


@transaction.atomic
def person_replace(*, leaver: Annotator, newcomer: Annotator, by: User | None, end_access: bool) -> Change:
    """Hand the leaver's unfinished work to somebody else of the project; what they finished stays theirs.

    A pair the leaver had begun is kept as skipped, with the reason, and given out anew.
    """
    if leaver.pk == newcomer.pk or leaver.project_id != newcomer.project_id:
        raise Invalid(_("Choose two people of this project."), where="newcomer")
    project = leaver.project
    Project.objects.select_for_update().get(pk=project.pk)
    change = replace_annotator(given_work(project), leaver.pk, newcomer.pk)
    assignments_create(project=project, planned=change.new)
    assignments_move(project=project, ids=change.moved, to=newcomer)
    reason = _("Handed over to %(alias)s") % {"alias": newcomer.alias}
    for assignment in Assignment.objects.filter(pk__in=change.left):
        annotation_hand_over(assignment=assignment, by=by, reason=reason)
    if end_access:
        person_end_access(annotator=leaver)
    return change


@transaction.atomic
def login_make(*, username: str, password: str, name: str = "") -> User:
    """A new log-in. Raises Invalid where the name cannot be or is taken, or the password is too easy to guess."""
    first, _space, last = name.partition(" ")
    user = User(username=username, first_name=first, last_name=last)
    try:
        UnicodeUsernameValidator()(username)
        validate_password(password, user)
        user.validate_unique()
    except ValidationError as error:
        raise Invalid(" ".join(error.messages), where="username", code="log-in") from error
    user.set_password(password)
    user.save()
    return user


def _another_leads(annotator: Annotator) -> None:
    leads = Annotator.objects.select_for_update().filter(
        project=annotator.project_id, role=Role.LEAD, user__isnull=False
    )
    if annotator.role == Role.LEAD and not leads.exclude(pk=annotator.pk).exists():
        raise Forbidden(_("Nobody else leads this project."), hint=_("Make somebody else a lead first."))


def _free_alias(project: Project) -> str:
    taken = set(Annotator.objects.filter(project=project).values_list("alias", flat=True))
    number = 1
    while f"A{number}" in taken:
        number += 1
    return f"A{number}"
