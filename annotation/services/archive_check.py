"""The one check that keeps archived projects as they are: every service that changes a project begins with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from typing import ParamSpec, TypeVar

from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.models import Project

P = ParamSpec("P")
R = TypeVar("R")


def archived_refusal(name: str) -> Conflict:
    """The refusal to change an archived project."""
    return Conflict(
        _("This project is archived: it can be read, not changed."),
        code="archived",
        where=name,
        hint=_("A lead can unarchive it."),
    )


def check_loaded_not_archived(project: Project) -> None:
    """Raises Conflict if the project was archived when it was loaded."""
    if project.archived:
        raise archived_refusal(project.name)


def check_not_archived(project: int) -> None:
    """Raises Conflict if the project with this key is archived now."""
    archived = Project.with_staged.filter(pk=project, archived__isnull=False).only("name", "archived").first()
    if archived is not None:
        check_loaded_not_archived(archived)


def changes_project(where: str = "project.pk") -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have a service refuse archived projects. `where` is the project's key among its arguments: 'row.project_id'.

    Archiving waits for saves that are in progress, and those that wait for it see it. Any other
    change that began a moment before takes effect as if it had been made before.
    """
    argument, _dot, path = where.partition(".")
    key: Callable[[object], int] = attrgetter(path)

    def guard(service: Callable[P, R]) -> Callable[P, R]:
        @wraps(service)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            check_not_archived(key(kwargs[argument]))
            return service(*args, **kwargs)

        return guarded

    return guard
