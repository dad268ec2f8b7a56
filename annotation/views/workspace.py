"""The workspace page, and the link to the next pair."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from annotation.models import Annotator, Assignment, User
from annotation.payload import workspace_json
from annotation.permissions import assignment_to_read, member_access
from annotation.selectors.assignments import assignment_next, no_assignment
from annotation.selectors.projects import memberships_of
from annotation.selectors.reopenings import reopenings
from annotation.services.references import reference_show
from annotation.views.base import AuthenticatedRequest, person_page, show


@person_page
@require_safe
@never_cache
@ensure_csrf_cookie
def workspace(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """The workspace of one assignment; its data is in the page, so that no second request is needed."""
    access = member_access(request.user, slug)
    assignment = assignment_to_read(request.user, pk)
    if assignment.annotator.project_id != access.project.pk:
        raise no_assignment(pk)
    data = workspace_json(assignment, request.user, reference_show(assignment=assignment, by=request.user))
    mine = assignment.annotator.user_id == request.user.pk
    return show(
        request,
        "workspace",
        access,
        assignment=data,
        preferences=request.user.preferences,
        reopening=reopenings([assignment]).get(pk) if mine else None,
        more=mine and _more(request.user, assignment.annotator, after=assignment),
    )


@person_page
@require_safe
@never_cache
def next_pair(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Redirect to the next pair; if none remains, to the project, or to the start page if other projects have pairs."""
    access = member_access(request.user, slug)
    following = assignment_next(access.membership, after=None) if access.membership else None
    if following is None:
        if _elsewhere(request.user, access.membership):
            name = access.project.name
            messages.info(request, _("You have no pairs remaining in %(project)s.") % {"project": name})
            return redirect("home")
        messages.info(request, _("You have no pairs remaining in this project."))
        return redirect("project", slug=slug)
    return redirect("work", slug=slug, pk=following.pk)


def _more(user: User, membership: Annotator, *, after: Assignment) -> bool:
    """Whether there is a next pair, here or in another project."""
    return assignment_next(membership, after=after) is not None or _elsewhere(user, membership)


def _elsewhere(user: User, membership: Annotator | None) -> bool:
    """Whether another project has a next pair."""
    return any(assignment_next(other, after=None) is not None for other in memberships_of(user) if other != membership)
