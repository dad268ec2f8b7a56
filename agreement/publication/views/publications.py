"""Publications so far, and the form for a new one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agreement.models import Publication
from agreement.publication.card import Terms
from agreement.publication.facts import LABELS, LICENCES, facts_missing, facts_of
from agreement.publication.forms import PublishForm
from agreement.publication.services.publications import (
    publication_delete,
    publication_file,
    publication_request,
    publication_retry,
)
from agreement.publication.splits import Splits
from agreement.selectors import (
    gold_newest,
    gold_published,
    imported_gold_beside,
    publication_get,
    publication_list,
)
from annotation.errors import DomainError, Invalid
from annotation.formats import dataset_formats
from annotation.forms.base import refuse
from annotation.models import ACTIVE_JOB, Pair
from annotation.permissions import Access, lead_access
from annotation.security_events import security_event
from annotation.selectors.pairs import project_size
from annotation.selectors.workers import CPU, workers_alive
from annotation.services.references import references_record
from annotation.views.base import AuthenticatedRequest, person_page


def render_page(request: AuthenticatedRequest, access: Access, form: PublishForm, status: int = 200) -> HttpResponse:
    publications = publication_list(access.project)
    licences = dict(LICENCES)
    waiting = any(item.status in ACTIVE_JOB for item in publications)
    context: dict[str, Any] = {
        "access": access,
        "project": access.project,
        "section": "publish",
        "publications": [(each, licences.get(each.licence, each.licence)) for each in publications],
        "datasets": dataset_formats(),
        "waiting": waiting,
        "unattended": waiting and not workers_alive(CPU),
    }
    if request.htmx:
        return render(request, "agreement/_publications.html", context)
    facts, revision = facts_of(access.project)
    chosen = (form[name].value() or "" for name in ("licence", "description"))
    newest = gold_newest(access.project)
    missing = facts_missing(access.project, facts, *chosen)
    context |= {
        "form": form,
        "newest": newest,
        "with_gold": 0 if newest is None else gold_published(access.project, newest).count(),
        "imported_beside": imported_gold_beside(access.project, newest),
        "size": project_size(access.project),
        "missing": [(name, LABELS[name]) for name in missing],
        "revision": revision,
    }
    return render(request, "agreement/publish.html", context, status=status)


@person_page
def publish(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """All publications so far, and the form for a new one."""
    access = lead_access(request.user, slug)
    last = Publication.objects.filter(project=access.project).order_by("-made", "-pk").first()
    form = PublishForm(request.POST or None, initial=_initial(last))
    if request.method != "POST":
        return render_page(request, access, form)
    if form.is_valid():
        try:
            publication_request(project=access.project, by=request.user, **requested_values(form))
        except DomainError as error:
            refuse(form, error)
        else:
            return redirect("publish", slug=slug)
    return render_page(request, access, form, status=422)


def requested_values(form: PublishForm) -> dict[str, Any]:
    """What a valid form asks for. Raises Invalid for splits that can't be."""
    data = form.cleaned_data
    return {
        "to": data["format"],
        "terms": Terms(data["licence"], data["description"]),
        "splits": Splits.parse(data["splits"], 1 if data["seed"] is None else data["seed"]),
    }


def _initial(last: Publication | None) -> dict[str, Any]:
    """What was entered for the last publication or preview, so that it need not be entered again."""
    names = ("licence", "description", "splits", "seed")
    return {name: getattr(last, name) for name in names} if last else {}


@person_page
@require_safe
def download(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    """The file of one publication."""
    access = lead_access(request.user, slug)
    publication = publication_get(access.project, number)
    parts = publication_file(publication)
    security_event("publication downloaded", project=access.project.pk, publication=number)
    if publication.gold is not None:
        keys = Pair.objects.filter(project=access.project).values_list("pk", flat=True)
        references_record(project=access.project, pairs=keys, by=request.user)
    headers = {
        "Content-Length": str(publication.size),
        "Content-Disposition": content_disposition_header(True, publication.file) or "attachment",
    }
    return StreamingHttpResponse(parts, content_type="application/zip", headers=headers)  # type: ignore[return-value]


@person_page
@require_POST
def retry(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    """Retry a failed publication."""
    access = lead_access(request.user, slug)
    try:
        publication_retry(publication=publication_get(access.project, number))
    except Invalid as error:
        messages.error(request, str(error))
    return redirect("publish", slug=slug)


@person_page
@require_POST
def delete(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    """Delete a publication that failed, or cancel one that is not ready."""
    access = lead_access(request.user, slug)
    publication_delete(publication=publication_get(access.project, number))
    messages.success(request, _("Publication %(number)s was deleted.") % {"number": number})
    return redirect("publish", slug=slug)
