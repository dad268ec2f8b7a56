"""Where everybody arrives: one's own work, and the projects one leads."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Project, Role
from annotation.permissions import makes_projects
from annotation.selectors.assignments import assignment_next
from annotation.selectors.progress import Stand, own_stands, project_counts
from annotation.selectors.projects import places_of, projects_of
from annotation.views.base import Asked, person_page, show


@dataclass(frozen=True, slots=True)
class OwnProject:
    """A project in which somebody has work, and how far they are: by phase and in all."""

    project: Project
    phases: dict[str, Stand]
    all: Stand
    has_next: bool
    """Whether a pair can be worked on now: there may be some left in phases that the lead has closed."""


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Whether the server answers and reaches its database; for whoever waits until it does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain")


@person_page
@require_safe
def home(request: Asked) -> HttpResponse:
    """One's own work, and the progress of the projects one leads."""
    places = list(places_of(request.user))
    stands = own_stands(places)
    own = [
        OwnProject(place.project, phases, sum(phases.values(), Stand()), assignment_next(place, after=None) is not None)
        for place in places
        if (phases := stands.get(place.pk))
    ]
    led = list(projects_of(request.user, Role.LEAD))
    counts = project_counts(led)
    judged = list(projects_of(request.user, Role.ADJUDICATOR))
    waiting = [place.project for place in places if place.role == Role.ANNOTATOR and place.pk not in stands]
    return show(
        request,
        "home",
        own=own,
        total=sum((row.all for row in own), Stand()),
        led=[{"project": project, "count": counts[project.pk]} for project in led],
        judged=judged,
        waiting=waiting,
        makes_projects=makes_projects(request.user),
    )
