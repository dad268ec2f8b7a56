"""The start page: one's own assignments, and the projects one leads."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Project, Role
from annotation.models.messages import Thread
from annotation.permissions import can_create_projects
from annotation.selectors.advancement import held_phases
from annotation.selectors.assignments import assignment_next
from annotation.selectors.progress import ProgressCounts, held_pairs, progress_of_annotators, project_counts
from annotation.selectors.projects import former_projects_of, memberships_of, projects_of
from annotation.selectors.qualification import Qualification, own_qualification
from annotation.selectors.threads import threads_unread
from annotation.views.base import AuthenticatedRequest, person_page, show


@dataclass(frozen=True, slots=True)
class AnnotatorProject:
    """A project in which a person has assignments, and their progress by phase and in total."""

    project: Project
    phases: dict[str, ProgressCounts]
    total: ProgressCounts
    qualification: Qualification | None
    """Where they stand in the qualification, in a project with a pass rule."""
    held: bool
    """Whether their trial and main pairs wait until they are advanced."""
    waiting: int
    """How many of these pairs they have."""
    has_next: bool
    """Whether a pair can be annotated now: the remaining ones may all be in closed phases."""
    unread: list[Thread]
    """Conversations with a message of a lead that they have not read."""


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
    everywhere = list(memberships_of(request.user))
    memberships = [membership for membership in everywhere if not membership.project.archived]
    progress = progress_of_annotators(memberships)
    unread = threads_unread(memberships)
    own = [
        AnnotatorProject(
            project=membership.project,
            phases=phases,
            total=sum(phases.values(), ProgressCounts()),
            qualification=own_qualification(membership),
            held=bool(held := held_phases(membership)),
            waiting=held_pairs(phases, held),
            has_next=assignment_next(membership, after=None) is not None,
            unread=unread.get(membership.pk, []),
        )
        for membership in memberships
        if (phases := progress.get(membership.pk))
    ]
    all_led = list(projects_of(request.user, Role.LEAD))
    led = [project for project in all_led if not project.archived]
    counts = project_counts(led)
    judged = list(projects_of(request.user, Role.ADJUDICATOR).filter(archived=None))
    archived = {project.pk: project for project in all_led if project.archived}
    archived |= {each.project_id: each.project for each in everywhere if each.project.archived}
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
        held=sum(row.waiting for row in own),
        led=[{"project": project, "count": counts[project.pk]} for project in led],
        judged=judged,
        waiting=waiting,
        archived=sorted(archived.values(), key=lambda project: (project.name, project.pk)),
        former=list(former_projects_of(request.user)),
        can_create_projects=can_create_projects(request.user),
    )
