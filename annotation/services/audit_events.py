"""Records of what happened to a project, for its audit page, where no other table has it."""

from __future__ import annotations

from typing import Any

from simple_history.models import HistoricalRecords

from annotation.models import Annotator, Project, User
from annotation.models.lifecycle import ProjectEvent, ProjectEventType


def current_user() -> User | None:
    """Whoever sent the request that is being answered, as the history of settings records it; None in a command."""
    request: Any = getattr(HistoricalRecords.context, "request", None)
    user = getattr(request, "user", None)
    return user if isinstance(user, User) else None


def event_record(
    *,
    project: Project,
    what: ProjectEventType,
    by: User | None = None,
    person: Annotator | None = None,
    **details: object,
) -> ProjectEvent:
    """Record that something happened. `details` are numbers and stored names, never people's.

    Without `by` it was whoever sent the current request. Call it in the transaction of the change.
    """
    return ProjectEvent.objects.create(
        project_id=project.pk, what=what, made_by=by or current_user(), person=person, details=details
    )
