"""Mining: a lead sends articles, a worker compares them, the lead looks through the matches and imports them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import DomainError
from annotation.forms.base import refuse
from annotation.permissions import lead_access
from annotation.services.import_report import MAX_REJECTIONS_SHOWN as REJECTIONS_SHOWN
from annotation.services.import_report import ImportRefused
from annotation.text.paragraphs import direction
from annotation.views.base import AuthenticatedRequest, person_page
from assist.mining.filters import REASONS, Match
from assist.mining.records import pair_id
from assist.mining_requests.forms import ArticlesForm, BoundsForm
from assist.mining_requests.jobs import (
    MINING_JOBS,
    mining_cancel,
    mining_get,
    mining_import,
    mining_list,
    mining_preview,
    mining_request,
)
from assist.models import Mining
from assist.requested_jobs.pages import job_progress, render_page

MATCHES_SHOWN = 200
"""Matches in a table."""


@person_page
def mining(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The upload form, and what was searched so far."""
    access = lead_access(request.user, slug)
    form = ArticlesForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {}
    if form.is_valid():
        try:
            row = mining_request(
                project=access.project, files=form.cleaned_data["upload"], settings=form.settings(), by=request.user
            )
        except ImportRefused as error:
            form.add_error("upload", error.message)
            context = {"rejections": error.rejections[:REJECTIONS_SHOWN]}
            context["more"] = len(error.rejections) - REJECTIONS_SHOWN
        except DomainError as error:
            refuse(form, error)
        else:
            return redirect("mining-result", slug=slug, pk=row.pk)
    status = 422 if form.is_bound else 200
    return render_page(request, "mining", access, status, form=form, jobs=mining_list(access.project), **context)


@person_page
@never_cache
@require_safe
def result(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """The progress of one search, then its matches, under the bounds of the address."""
    access = lead_access(request.user, slug)
    row = mining_get(access.project, pk)
    form = BoundsForm(request.GET or None, initial=row.settings)
    template = "_mining_result" if request.htmx else "mining_result"
    return render_page(request, template, access, **_result(row, form))


def _result(row: Mining, form: BoundsForm) -> dict[str, Any]:
    context: dict[str, Any] = {**job_progress(row, MINING_JOBS.name), "form": form}
    if row.result is None or (form.is_bound and not form.is_valid()):
        return context
    try:
        mined, chosen = mining_preview(row, form.settings() if form.is_bound else {})
    except DomainError as error:
        refuse(form, error)
        return context
    matches, dropped = mined.kept_matches, [match for match in mined.matches if match.dropped]
    dirs = [(language, direction(language)) for language in mined.languages]
    return context | {
        "mined": mined,
        "left_out": sum(mined.summaries),
        "least": chosen.similarity[0],
        "dirs": dirs,
        "kept": [_line(match) for match in matches[:MATCHES_SHOWN]],
        "more_kept": len(matches) - MATCHES_SHOWN,
        "dropped": [_line(match) for match in dropped[:MATCHES_SHOWN]],
        "more_dropped": len(dropped) - MATCHES_SHOWN,
        "reasons": [(why.message, mined.dropped[code]) for code, why in REASONS.items() if mined.dropped[code]],
    }


def _line(match: Match) -> dict[str, Any]:
    why = REASONS[match.dropped].message if match.dropped else ""
    return {"match": match, "id": pair_id(match), "a": match.a + 1, "b": match.b + 1, "why": why}


@person_page
@require_POST
def start(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Import what is kept, apart from the pairs that are marked."""
    access = lead_access(request.user, slug)
    row = mining_get(access.project, pk)
    form = BoundsForm(request.POST)
    if form.is_valid():
        try:
            imported = mining_import(
                row=row, bounds=form.settings(), left_out=set(request.POST.getlist("leave_out")), by=request.user
            )
        except DomainError as error:
            refuse(form, error)
        else:
            return redirect("import-result", slug=slug, pk=imported.pk)
    return render_page(request, "mining_result", access, 422, **_result(row, form))


@person_page
@require_POST
def cancel(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Cancel a waiting or running search."""
    access = lead_access(request.user, slug)
    mining_cancel(row=mining_get(access.project, pk))
    return redirect("mining-result", slug=slug, pk=pk)
