"""The workspace's page, and the way to what comes next."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from annotation.permissions import assignment_to_read, member_access
from annotation.selectors.work import assignment_next, no_assignment
from annotation.selectors.workspace import workspace
from annotation.views.base import Asked, person_page, show


@person_page
@require_safe
@never_cache
@ensure_csrf_cookie
def work(request: Asked, slug: str, pk: int) -> HttpResponse:
    """The workspace of one assignment; its data is in the page, so that no second request is needed."""
    access = member_access(request.user, slug)
    assignment = assignment_to_read(request.user, pk)
    if assignment.annotator.project_id != access.project.pk:
        raise no_assignment(pk)
    data = workspace(assignment, request.user)
    return show(request, "workspace", access, assignment=data, preferences=request.user.preferences)


@person_page
@require_safe
@never_cache
def next_work(request: Asked, slug: str) -> HttpResponse:
    """On to the next pair; when none is left, back to the project, saying so."""
    access = member_access(request.user, slug)
    following = assignment_next(access.place, after=None) if access.place else None
    if following is None:
        messages.info(request, _("Nothing is left for you to do in this project."))
        return redirect("project", slug=slug)
    return redirect("work", slug=slug, pk=following.pk)
