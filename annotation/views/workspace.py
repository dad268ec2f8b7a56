"""The workspace page, and the link to the next pair."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from annotation.models import Annotator, Assignment, User
from annotation.permissions import assignment_in_project, member_access
from annotation.selectors.assignments import assignment_next, assignment_previous
from annotation.selectors.projects import memberships_of
from annotation.selectors.reopenings import reopening_of
from annotation.services.references import reference_show
from annotation.views.base import AuthenticatedRequest, person_page, show
from annotation.workspace_payload import workspace_json

PREFETCH_HEADER = "X-Diptych-Ahead"
"""The header of a request for a page that is kept for later."""
KEEP_HEADER = "X-Diptych-Keep"
"""The header of a page that may be kept for working offline: whose it is."""


@person_page
@require_safe
@never_cache
@ensure_csrf_cookie
def workspace(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """The workspace of one assignment; its data is in the page, so that no second request is needed."""
    access, assignment = assignment_in_project(request.user, slug, pk)
    data = workspace_json(assignment, request.user, reference_show(assignment=assignment, by=request.user))
    is_own = assignment.annotator.user_id == request.user.pk
    # A page that is fetched ahead is not seen now: what is to be said to the user is said on the next page that is.
    unseen: dict[str, Any] = {"messages": ()} if PREFETCH_HEADER in request.headers else {}
    response = show(
        request,
        "workspace",
        access,
        assignment=data,
        preferences=request.user.preferences,
        reopening=reopening_of(assignment) if is_own else None,
        previous=assignment_previous(assignment.annotator, before=assignment) if is_own else None,
        more=is_own and _has_next_pair(request.user, assignment.annotator, after=assignment),
        **unseen,
    )
    if data["editable"]:
        response[KEEP_HEADER] = str(request.user.pk)
    return response


@require_safe
def worker(request: HttpRequest, slug: str) -> HttpResponse:
    """The service worker of a project's pairs: below their address, so that it answers for nothing else.

    The same for everyone, and for projects that don't exist. Browsers look for a newer one with each page.
    """
    script = Path(str(finders.find("js/offline/worker.js")))
    response = HttpResponse(script.read_bytes(), content_type='text/javascript; charset="utf-8"')
    response["Cache-Control"] = "no-cache"
    return response


@person_page
@require_safe
@never_cache
def next_pair(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Redirect to the next pair; if none remains, to the project, or to the start page if other projects have pairs."""
    access = member_access(request.user, slug)
    following = assignment_next(access.membership, after=None) if access.membership else None
    if following is None:
        if _has_pair_elsewhere(request.user, access.membership):
            name = access.project.name
            messages.info(request, _("You have no pairs remaining in %(project)s.") % {"project": name})
            return redirect("home")
        messages.info(request, _("You have no pairs remaining in this project."))
        return redirect("project", slug=slug)
    return redirect("work", slug=slug, pk=following.pk)


def _has_next_pair(user: User, membership: Annotator, *, after: Assignment) -> bool:
    """Whether there is a next pair, here or in another project."""
    return assignment_next(membership, after=after) is not None or _has_pair_elsewhere(user, membership)


def _has_pair_elsewhere(user: User, membership: Annotator | None) -> bool:
    """Whether another project has a next pair."""
    return any(assignment_next(other, after=None) is not None for other in memberships_of(user) if other != membership)
