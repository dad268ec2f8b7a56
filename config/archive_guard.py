"""Refuses changes to archived projects before their forms are read, wherever a page or the API has them.

The services refuse them too (`annotation.services.archive_check`), for commands and workers. This comes first, so that
nobody is told to correct a form that can't be saved; and an address that is new is covered without being named.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from rest_framework.permissions import SAFE_METHODS

from annotation.models import Project
from annotation.permissions import is_member
from annotation.services.archive_check import archived_refusal
from annotation.views.refused_forms import is_fragment, notice_response
from config.errors import error_response

ALLOWED = {
    "adjudication-try": "a dry run",
    "agreement": "asks for a report",
    "analyses": "asks for them",
    "api-card-facts": "for publications",
    "api-gold-dry-run": "",
    "api-consent": "people may withdraw at any time",
    "api-project-archived": "takes it out again",
    "api-project-delete": "",
    "api-project-duplicate": "",
    "api-publication": "",
    "api-publication-pushes": "",
    "api-publication-retry": "",
    "api-publications": "",
    "api-report": "asks for a report",
    "api-thread-read": "reading changes nothing of the project",
    "api-webhook": "publications are notified of",
    "api-webhook-resend": "",
    "api-webhook-resend-failed": "",
    "api-webhook-secret": "one that leaked must be replaced",
    "api-webhook-test": "",
    "card-facts": "for publications",
    "card-preview": "for publications",
    "consent": "people may withdraw at any time",
    "project-archive": "takes it out again",
    "project-delete": "",
    "project-duplicate": "",
    "project-scheme-preview": "shows an example",
    "publication-delete": "",
    "publication-push": "",
    "publication-retry": "",
    "publish": "",
    "webhook": "publications are notified of",
    "webhook-act": "one that leaked must be replaced",
    "webhook-delete": "",
    "webhook-resend": "",
}
"""The names of addresses of a project that accept something although it is archived, and why, if it isn't obvious."""


class ArchivedMiddleware:
    """Comes after `DomainErrorMiddleware`, and checks once the view is known."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, _view: Any, _args: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
        match = request.resolver_match
        slug = kwargs.get("slug")
        if request.method in SAFE_METHODS or not slug or match is None or match.url_name in ALLOWED:
            return None
        project = Project.objects.filter(slug=slug, archived__isnull=False).first()
        # Others are not told that there is such a project: the view sees to that.
        if project is None or not is_member(request.user, project):
            return None
        refused = archived_refusal(project.name)
        if is_fragment(request):
            return notice_response(request, "annotation/_error_notice.html", refused.status, error=refused)
        return error_response(request, refused)
