"""Reads of projects, the people in them, and their guidelines."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Protocol

from django.db.models import OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotation.cached_statements import PreparedQuery
from annotation.errors import NotFound
from annotation.hooks import NEWEST_ARCHIVE
from annotation.models import Annotator, Guideline, Project, Role, User
from annotation.project_options import ProjectOptions


def project_by_slug(slug: str) -> Project:
    """Raises NotFound."""
    project = _BY_SLUG.first(slug=slug)
    if project is None:
        raise no_project(slug)
    return project


_BY_SLUG: PreparedQuery[Project] = PreparedQuery(
    lambda slug: Project.objects.filter(slug=slug).order_by()[:1], slug=str
)


def current_scheme(project: Project) -> tuple[dict[str, Any], datetime | None]:
    """A project's scheme, and since when it is archived, read again. Raises Project.DoesNotExist if it was deleted."""
    row = _SCHEME.first(pk=project.pk)
    if row is None:
        raise Project.DoesNotExist
    return row


_SCHEME: PreparedQuery[tuple[dict[str, Any], datetime | None]] = PreparedQuery(
    lambda pk: Project.objects.filter(pk=pk).order_by().values_list("scheme", "archived"), pk=int
)


def no_project(slug: str) -> NotFound:
    """The same error whether there is no such project or this person may not know about it."""
    return NotFound(_("There is no project “%(slug)s” that you have access to.") % {"slug": slug}, where=slug)


def deleted_error() -> NotFound:
    """The error for a request that was working on something when its project was deleted."""
    return NotFound(_("It was deleted a moment ago, perhaps with its project."), code="deleted")


def access_ended_error(user: User, project: Project) -> NotFound | None:
    """The error for a person whose access to a project was ended; None for anyone else."""
    if not Annotator.objects.filter(project=project, former_user=user).exists():
        return None
    return NotFound(
        _("Your access to this project has ended."),
        code="access-ended",
        where=project.name,
        hint=_("Ask a lead if you still need it."),
    )


def projects_of(user: User, role: str) -> QuerySet[Project]:
    """The projects in which a person has a role; a superuser leads all of them."""
    if user.is_superuser and role == Role.LEAD:
        return Project.objects.all()
    return Project.objects.filter(annotators__user=user, annotators__role=role)


def projects_visible(user: User) -> QuerySet[Project]:
    """The projects that a person is in, in any role; a superuser sees all of them."""
    if user.is_superuser:
        return Project.objects.all()
    return Project.objects.filter(annotators__user=user)


def former_membership(project: Project, user: User) -> Annotator | None:
    """The membership whose access was ended and that the user gets back when they return; None if there is none."""
    return Annotator.objects.filter(project=project, former_user=user, user=None).first()


def former_projects_of(user: User) -> QuerySet[Project]:
    """The projects to which a person's access was ended, by name."""
    former = Project.objects.filter(annotators__former_user=user).exclude(annotators__user=user)
    return former.order_by("name").distinct()


def membership_of(user: User, project: Project) -> Annotator | None:
    return _MEMBERSHIP.first(project=project.pk, user=user.pk)


_MEMBERSHIP: PreparedQuery[Annotator] = PreparedQuery(
    lambda project, user: Annotator.objects.filter(project=project, user=user).order_by()[:1], project=int, user=int
)


def options_of(project: Project) -> ProjectOptions:
    return ProjectOptions.from_json(project.settings)


def annotator_list(project: Project) -> QuerySet[Annotator]:
    """Everyone in a project, in the order in which they joined."""
    return Annotator.objects.filter(project=project).select_related("user", "former_user").order_by("pk")


def assignable_annotators(project: Project) -> QuerySet[Annotator]:
    """The annotators who have access, in the order in which they joined: whom a plan can assign pairs to."""
    return annotator_list(project).filter(role=Role.ANNOTATOR, user__isnull=False)


def annotator_get(project: Project, pk: int) -> Annotator:
    """Raises NotFound."""
    annotator = annotator_list(project).filter(pk=pk).first()
    if annotator is None:
        raise NotFound(_("There is no such person in this project."), where=project.name)
    return annotator


def guideline_list(project: Project) -> QuerySet[Guideline]:
    """All versions of a project's guidelines, newest first."""
    return Guideline.objects.filter(project=project).order_by("-version")


def guideline_current(project: Project) -> Guideline | None:
    return _CURRENT.first(project=project.pk)


_CURRENT: PreparedQuery[Guideline] = PreparedQuery(
    lambda project: Guideline.objects.filter(project=project).order_by("-version")[:1], project=int
)


def guideline_current_id(project_id: int) -> int | None:
    """The key of a project's current guidelines, without their text."""
    return guideline_current_key(project_id).first()


def guideline_current_key(project: int | OuterRef) -> QuerySet[Guideline, int]:
    """The same as a query, so that another statement can contain it."""
    return Guideline.objects.filter(project=project).order_by("-version").values_list("pk", flat=True)


def guideline_get(project: Project, version: int) -> Guideline:
    """Raises NotFound."""
    guideline = guideline_list(project).filter(version=version).first()
    if guideline is None:
        raise NotFound(_("There is no version %(version)s of the guidelines.") % {"version": version})
    return guideline


def memberships_of(user: User) -> QuerySet[Annotator]:
    """A person's memberships with their projects, ordered by the projects' names."""
    return Annotator.objects.filter(user=user).select_related("project").order_by("project__name", "pk")


class PublishedArchive(Protocol):
    """A publication that is an archive of its project."""

    number: int
    made: datetime


def newest_archive(project: Project) -> PublishedArchive | None:
    """The newest publication that is an archive of the project, found by the app that has publications."""
    archives: Iterator[PublishedArchive | None] = (find(project) for find in NEWEST_ARCHIVE)
    return next(filter(None, archives), None)
