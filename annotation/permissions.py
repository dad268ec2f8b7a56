"""Who may do what: predicates, and the checks that every view makes before it calls a service.

Outsiders are told that there is no such project (NotFound); members without the role are refused (Forbidden).
Superusers may do what a lead may in every project, so that a project imported without people has a lead.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import rules
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import Forbidden
from annotation.models import Annotator, Assignment, Project, Role, User
from annotation.selectors.assignments import assignment_find, no_assignment
from annotation.selectors.projects import (
    access_ended_error,
    membership_of,
    no_project,
    options_of,
    project_by_slug,
    projects_visible,
)
from annotation.services.annotation_checks import check_not_held

Person = User | AnonymousUser


def _membership(user: Person, project: Project) -> tuple[str | None, Annotator | None]:
    """The person's role and membership of a project; superusers are leads; no role for outsiders.

    Whoever comes by an API token has no more than the token allows: its project, and at most its role.
    """
    if not isinstance(user, User) or not user.is_active or not _token_allows(user, project):
        return None, None
    membership = membership_of(user, project)
    role = _acting_role(user, membership.role if membership else None)
    return role, membership if role else None


def _acting_role(user: User, own: str | None) -> str | None:
    """In which role a person acts who has the role `own`, None without a membership."""
    if own is None and not user.is_superuser:
        return None
    role = Role.LEAD if user.is_superuser else Role(own or Role.ANNOTATOR)
    if user.token is not None and user.token.role:
        role = min(Role(user.token.role), role, key=_RANKS.index)
    # Annotators without a membership would have no work to see.
    return None if own is None and role == Role.ANNOTATOR else role


_RANKS = (Role.ANNOTATOR, Role.ADJUDICATOR, Role.LEAD)


def _token_allows(user: User, project: Project) -> bool:
    """Whether the API token of the request, if it has one, is for this project."""
    return user.token is None or user.token.project_id in (None, project.pk)


def _role(user: Person, project: Project) -> str | None:
    return _membership(user, project)[0]


def is_member(user: Person, project: Project) -> bool:
    return _role(user, project) is not None


def is_lead(user: Person, project: Project) -> bool:
    return _role(user, project) == Role.LEAD


def is_adjudicator(user: Person, project: Project) -> bool:
    """Leads may adjudicate too."""
    return _role(user, project) in (Role.ADJUDICATOR, Role.LEAD)


def names_hidden(user: Person, project: Project) -> bool:
    """Whether this adjudicator may not know who the project's annotators are."""
    return _role(user, project) == Role.ADJUDICATOR and options_of(project).adjudication_blind


def owns_assignment(user: Person, assignment: Assignment) -> bool:
    return (
        isinstance(user, User)
        and assignment.annotator.user_id == user.pk
        and _token_allows(user, assignment.annotator.project)
    )


def accessible_projects(user: User) -> QuerySet[Project]:
    """The projects that a person is in, in any role; by a token, only those that it is for."""
    projects = projects_visible(user)
    if user.token is None:
        return projects
    if user.token.role == Role.ANNOTATOR:
        projects = projects.filter(annotators__user=user)
    return projects.filter(pk=user.token.project_id) if user.token.project_id is not None else projects


def roles_in(user: User, projects: Collection[Project]) -> dict[int, str]:
    """In which role a person acts in each of several projects that they reach, by the projects' keys."""
    own = dict(Annotator.objects.filter(user=user, project__in=projects).values_list("project_id", "role"))
    roles = {project.pk: _acting_role(user, own.get(project.pk)) for project in projects}
    return {key: role for key, role in roles.items() if role}


def can_create_projects(user: Person) -> bool:
    """Staff, and everyone who leads a project already; by a token, only one that may lead any project."""
    if not isinstance(user, User):
        return False
    if user.token is not None and (user.token.project_id is not None or user.token.role not in ("", Role.LEAD)):
        return False
    return user.is_staff or user.is_superuser or Annotator.objects.filter(user=user, role=Role.LEAD).exists()


def may_reset_password(by: Person, user: User) -> bool:
    """Whether a person may make a link with which an account gets a new password, and so enter it.

    A lead may if the account was created in a project that they lead, and they lead every project that it is or was in:
    otherwise adding an account to a project of one's own would open it, with all others, to its lead. Superusers may
    for everyone.
    """
    if not isinstance(by, User) or not by.is_active:
        return False
    if by.is_superuser:
        return True
    if user.is_superuser or user.is_staff:
        return False
    rows = Annotator.objects.filter(Q(user=user) | Q(former_user=user))
    led = Annotator.objects.filter(user=by, role=Role.LEAD).values("project")
    if not led.filter(project=user.made_in_id).exists():
        return False
    return not rows.exclude(project__in=led).exists()


def check_may_reset_password(by: Person, user: User, *, where: str) -> None:
    """Raises Forbidden for those who may not make a link with which an account gets a new password."""
    if not may_reset_password(by, user):
        raise Forbidden(
            _("You don't lead all of the projects that this account was created in or has belonged to."),
            where=where,
            hint=_("Ask your server administrator for a new password."),
        )


# The package has no types of its own.
_rules: Any = rules
for _name, _test in (
    ("annotation.see_project", is_member),
    ("annotation.lead_project", is_lead),
    ("annotation.adjudicate_project", is_adjudicator),
    ("annotation.own_assignment", owns_assignment),
    ("annotation.make_project", can_create_projects),
):
    _rules.add_perm(_name, _rules.predicate(_test))


@dataclass(frozen=True, slots=True)
class Access:
    """A person's rights in a project; `membership` is None for a superuser who is not a member."""

    user: User
    project: Project
    membership: Annotator | None
    lead: bool
    adjudicator: bool
    blind: bool
    """Whether this person adjudicates without knowing who the annotators are."""


def member_access(user: Person, slug: str) -> Access:
    """The project and the person's access to it. NotFound for outsiders and if there is no such project.

    A person whose access was ended knows the project, and is told so.
    """
    project = project_by_slug(slug)
    role, membership = _membership(user, project)
    if not isinstance(user, User):
        raise no_project(slug)
    if role is None:
        raise access_ended_error(user, project) or no_project(slug)
    return _access(user, project, membership, role)


def _access(user: User, project: Project, membership: Annotator | None, role: str) -> Access:
    blind = role == Role.ADJUDICATOR and options_of(project).adjudication_blind
    return Access(user, project, membership, role == Role.LEAD, role in (Role.LEAD, Role.ADJUDICATOR), blind)


def lead_access(user: Person, slug: str) -> Access:
    """As `member_access`; Forbidden for members who are not leads of the project."""
    access = member_access(user, slug)
    if not access.lead:
        raise Forbidden(_("Only a lead of this project can do this."), where=access.project.name)
    return access


def adjudicator_access(user: Person, slug: str) -> Access:
    """As `member_access`; Forbidden for members who may not adjudicate."""
    access = member_access(user, slug)
    if not access.adjudicator:
        raise Forbidden(_("Only a lead or an adjudicator of this project can do this."), where=access.project.name)
    return access


def visible_threads_owner(access: Access) -> Annotator | None:
    """About whose pairs a person sees messages: None for leads, who see all; everyone else, their own membership.

    Forbidden without one. Adjudicators, too, see their own alone: what others ask says who they are.
    """
    return None if access.lead else _own_membership(access)


def time_visible(access: Access) -> int | None:
    """Whose time someone may see: the key of their own membership, or None for everyone's. Forbidden without one."""
    return None if access.lead else _own_membership(access).pk


def _own_membership(access: Access) -> Annotator:
    if access.membership is None:
        raise Forbidden(_("Only a lead of this project can do this."), where=access.project.name)
    return access.membership


def project_creator_access(user: Person) -> User:
    """Forbidden for users who may not create projects."""
    if isinstance(user, User) and user.token is not None and not can_create_projects(user):
        raise Forbidden(_("This token can't create projects."), where=user.token.name)
    if not isinstance(user, User) or not can_create_projects(user):
        raise Forbidden(_("Only staff and leads can create projects."), hint=_("Ask a lead to create it."))
    return user


def account_access(user: User) -> User:
    """Someone who changes what applies in all their projects. Forbidden by a token for one of them."""
    if user.token is not None and user.token.project_id is not None:
        raise Forbidden(_("This token is for one project; it can't change your preferences."), where=user.token.name)
    return user


def assignment_to_read(user: Person, pk: int) -> Assignment:
    """One's own assignment, or for leads and adjudicators any of the project. NotFound for outsiders, else Forbidden.

    One's own is Forbidden too while it waits until one is advanced after the qualification.
    Also Forbidden for adjudicators from whom names are hidden: the order of ids would reveal whose assignment it is.
    """
    assignment = assignment_find(pk)
    if assignment is None:
        raise no_assignment(pk)
    _check_may_read(user, assignment)
    return assignment


def _check_may_read(user: Person, assignment: Assignment) -> None:
    project = assignment.annotator.project
    if owns_assignment(user, assignment) and user.is_active:
        check_not_held(assignment, assignment.annotator)
        return
    role = _role(user, project)
    if role is None:
        raise (isinstance(user, User) and access_ended_error(user, project)) or no_assignment(assignment.pk)
    if role not in (Role.LEAD, Role.ADJUDICATOR):
        raise Forbidden(_("This pair is assigned to someone else."), code="not-yours", where=project.name)
    if names_hidden(user, project):
        raise Forbidden(
            _("Names are hidden from you in this project, so you can't open an individual's work."),
            where=project.name,
            hint=_("The adjudication pages show everyone's work, with letters instead of names."),
        )


def assignment_in_project(user: Person, slug: str, pk: int) -> tuple[Access, Assignment]:
    """As `member_access` and `assignment_to_read`; NotFound, too, for an assignment of another project."""
    assignment = assignment_find(pk)
    access = _owner_access(user, slug, assignment) or member_access(user, slug)
    if assignment is None:
        raise no_assignment(pk)
    _check_may_read(user, assignment)
    if assignment.annotator.project_id != access.project.pk:
        raise no_assignment(pk)
    return access, assignment


def _owner_access(user: Person, slug: str, assignment: Assignment | None) -> Access | None:
    """The access of an assignment's owner, whose membership and project were read with it; else None."""
    if assignment is None or not isinstance(user, User) or not user.is_active:
        return None
    membership = assignment.annotator
    if membership.project.slug != slug or not owns_assignment(user, assignment):
        return None
    role = _acting_role(user, membership.role)
    return _access(user, membership.project, membership, role) if role else None


def assignment_to_write(user: Person, pk: int) -> tuple[Assignment, User]:
    """One's own assignment only: not even a lead may write in another person's name."""
    assignment = assignment_to_read(user, pk)
    if not isinstance(user, User) or not owns_assignment(user, assignment):
        raise Forbidden(
            _("Only the person a pair is assigned to can work on it."),
            code="not-yours",
            where=assignment.annotator.project.name,
        )
    return assignment, user
