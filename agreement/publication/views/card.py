"""The lead's pages of a dataset's card: what people state on it, and how it will look."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agreement.models import Publication
from agreement.publication.facts import LABELS, LICENCE, facts_missing, facts_of, suggested_facts
from agreement.publication.forms import FactsForm, PublishForm
from agreement.publication.preview import card_parts
from agreement.publication.services.facts import facts_save
from agreement.publication.services.publications import publication_request
from agreement.publication.views.publications import render_page, requested_values
from agreement.selectors import publication_get
from annotation.errors import DomainError
from annotation.forms.base import refuse
from annotation.models import ACTIVE_JOB
from annotation.permissions import lead_access
from annotation.selectors.workers import CPU, workers_alive
from annotation.views.base import AuthenticatedRequest, attempt, person_page


@person_page
def facts(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """What people state for the card: saved whole, as the next revision."""
    access = lead_access(request.user, slug)
    project = access.project
    stated, revision = facts_of(project)
    suggested = stated if revision else suggested_facts(project)
    initial = {name: getattr(suggested, name) for name in FactsForm().fields if name != "revision"}
    form = FactsForm(request.POST or None, initial={**initial, "revision": revision})
    if form.is_valid():
        base = form.cleaned_data["revision"]
        if attempt(form, lambda: facts_save(project=project, values=form.facts(), base=base)):
            messages.success(request, _("Saved. It will appear on the card."))
            return redirect("publish", slug=slug)
    missing = [name for name in facts_missing(project, stated, "") if name != LICENCE]
    context = {
        "access": access,
        "project": project,
        "section": "publish",
        "form": form,
        "revision": revision,
        "missing": [(name, LABELS[name]) for name in missing],
    }
    return render(request, "agreement/card_facts.html", context, status=422 if form.errors else 200)


@person_page
@require_POST
def preview(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Make the card as the form says, without publishing it, and show it."""
    access = lead_access(request.user, slug)
    form = PublishForm(request.POST)
    if form.is_valid():
        try:
            publication_request(project=access.project, by=request.user, preview=True, **requested_values(form))
        except DomainError as error:
            refuse(form, error)
        else:
            return redirect("publication-card", slug=slug, number=Publication.PREVIEW)
    return render_page(request, access, form, status=422)


@person_page
@require_safe
def card(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    """The card of a publication, or of the preview, as a hub shows it."""
    access = lead_access(request.user, slug)
    publication = publication_get(access.project, number)
    waiting = publication.status in ACTIVE_JOB
    stated, _revision = facts_of(access.project)
    missing = facts_missing(access.project, stated, publication.licence, publication.description)
    context: dict[str, Any] = {
        "access": access,
        "project": access.project,
        "section": "publish",
        "publication": publication,
        "preview": number == Publication.PREVIEW,
        "waiting": waiting,
        "unattended": waiting and not workers_alive(CPU),
        "parts": card_parts(publication.card) if publication.card else None,
        "missing": [(name, LABELS[name]) for name in missing],
    }
    return render(request, "agreement/_card.html" if request.htmx else "agreement/card.html", context)
