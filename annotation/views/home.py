"""The start page: one's own assignments, and the projects one leads."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Project, Role
from annotation.permissions import can_create_projects
from annotation.selectors.assignments import assignment_next
from annotation.selectors.progress import ProgressCounts, progress_of_annotators, project_counts
from annotation.selectors.projects import former_projects_of, memberships_of, projects_of
from annotation.views.base import AuthenticatedRequest, person_page, show


@dataclass(frozen=True, slots=True)
class AnnotatorProject:
    """A project in which a person has assignments, and their progress by phase and in total."""

    project: Project
    phases: dict[str, ProgressCounts]
    total: ProgressCounts
    has_next: bool
    """Whether a pair can be annotated now: the remaining ones may all be in closed phases."""


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """For health checks: whether the server responds and can reach its database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain")


@person_page
@require_safe
def home(request: AuthenticatedRequest) -> HttpResponse:
    """One's own assignments, and the progress of the projects one leads."""
    memberships = list(memberships_of(request.user))
    progress = progress_of_annotators(memberships)
    own = [
        AnnotatorProject(
            project=membership.project,
            phases=phases,
            total=sum(phases.values(), ProgressCounts()),
            has_next=assignment_next(membership, after=None) is not None,
        )
        for membership in memberships
        if (phases := progress.get(membership.pk))
    ]
    led = list(projects_of(request.user, Role.LEAD))
    counts = project_counts(led)
    judged = list(projects_of(request.user, Role.ADJUDICATOR))
    waiting = [
        membership.project
        for membership in memberships
        if membership.role == Role.ANNOTATOR and membership.pk not in progress
    ]
    return show(
        request,
        "home",
        own=own,
        total=sum((row.total for row in own), ProgressCounts()),
        led=[{"project": project, "count": counts[project.pk]} for project in led],
        judged=judged,
        waiting=waiting,
        former=list(former_projects_of(request.user)),
        can_create_projects=can_create_projects(request.user),
    )
