"""Generating items: a lead sends sentences, sees what would be asked and what it costs, and starts it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import DomainError, Invalid
from annotation.forms.base import refuse
from annotation.forms.settings import settings_with_titles
from annotation.models import Project
from annotation.permissions import is_lead, lead_access
from annotation.views.base import AuthenticatedRequest, person_page
from assist.item_generation.settings import GenerationSettings
from assist.item_requests.forms import ItemsForm
from assist.item_requests.jobs import (
    GENERATION_JOBS,
    generation_cancel,
    generation_get,
    generation_list,
    generation_preview,
    generation_request,
    generation_retry,
    generation_start,
)
from assist.llm.site_settings import llm_site
from assist.models import ItemMaking
from assist.requested_jobs.pages import job_progress, render_page
from assist.runs.llm_costs import site_left

SECTION = {"section": "prelabels"}
ROLES = {"system": gettext_lazy("Instructions"), "user": gettext_lazy("Question")}
"""What the messages of a request are called."""


@person_page
def items(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The form, and what was made so far."""
    access = lead_access(request.user, slug)
    form = ItemsForm(request.POST or None, request.FILES or None, initial={"into": f"{slug}-items"[:80]})
    if form.is_valid():
        chosen = form.cleaned_data
        try:
            row = generation_request(
                project=access.project,
                task=chosen["task"],
                file=chosen["file"],
                into=chosen["into"],
                settings=form.settings(),
                by=request.user,
            )
        except DomainError as error:
            if error.where in form.fields:
                form.add_error(error.where, " ".join(filter(None, (error.message, error.hint))))
            else:
                refuse(form, error)
        else:
            return redirect("items-result", slug=slug, pk=row.pk)
    status = 422 if form.is_bound else 200
    context = {**SECTION, "form": form, "jobs": generation_list(access.project), "models": sorted(llm_site().models)}
    return render_page(request, "items", access, status, **context)


@person_page
@never_cache
@require_safe
def result(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """What would be asked; then how far the model is; then what was made."""
    access = lead_access(request.user, slug)
    row = generation_get(access.project, pk)
    context: dict[str, Any] = {**SECTION, **job_progress(row, GENERATION_JOBS.name), **_target(request, row)}
    context["waiting"] = context["unfinished"] and not row.started
    context["unfinished"] = context["unfinished"] and row.started
    if context["waiting"]:
        context |= _preview(row)
    return render_page(request, "_items_result" if request.htmx else "items_result", access, **context)


def _target(request: AuthenticatedRequest, row: ItemMaking) -> dict[str, Any]:
    """The rating project of the items, if it is there and the reader's."""
    target = Project.objects.filter(slug=row.into).first()
    opens = target is not None and is_lead(request.user, target)
    return {"target": reverse("project", args=[row.into]) if opens else ""}


def _preview(row: ItemMaking) -> dict[str, Any]:
    settings = settings_with_titles(GenerationSettings, row.settings)
    try:
        preview = generation_preview(row)
    except Invalid as error:
        return {"problem": str(error)}
    if preview is None:
        return {"problem": _("The sentences are no longer available. Enter them again.")}
    messages = [(ROLES[role], text) for role, text in preview.messages]
    limits = {"limit": row.settings["limit"], "left": site_left() if not row.settings["address"] else None}
    return {"estimate": preview.estimate, "prompt": messages, "settings": settings, **limits}


@person_page
@require_POST
def start(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Have a worker make the items."""
    generation_start(row=generation_get(lead_access(request.user, slug).project, pk), by=request.user)
    return redirect("items-result", slug=slug, pk=pk)


@person_page
@require_POST
def cancel(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Cancel a job that is not started, waiting or running."""
    generation_cancel(row=generation_get(lead_access(request.user, slug).project, pk))
    return redirect("items-result", slug=slug, pk=pk)


@person_page
@require_POST
def retry(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Continue a job that failed or was cancelled."""
    generation_retry(row=generation_get(lead_access(request.user, slug).project, pk), by=request.user)
    return redirect("items-result", slug=slug, pk=pk)
