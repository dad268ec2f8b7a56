"""A project's guidelines: read by everyone in it, written by its leads, version by version."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.forms.texts import GuidelineForm
from annotation.permissions import lead_access, member_access
from annotation.selectors.projects import guideline_current, guideline_get, guideline_list
from annotation.services.guidelines import guideline_write
from annotation.text.markdown import markdown_html
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show
from annotation.views.query_params import number_param


@person_page
@require_safe
def guidelines(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The guidelines; earlier versions by `?version=`."""
    access = member_access(request.user, slug)
    version = number_param(request.GET, "version")
    current = guideline_current(access.project)
    shown = guideline_get(access.project, version) if version is not None else current
    return show(
        request,
        "guidelines",
        access,
        guideline=shown,
        current=current,
        html=markdown_html(shown.text) if shown else "",
        versions=guideline_list(access.project),
        scheme=access.project.labels,
    )


@person_page
def edit(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Edit the guidelines. Saving creates the next version; a preview creates none."""
    access = lead_access(request.user, slug)
    current = guideline_current(access.project)
    initial = {"text": current.text if current else "", "base": current.version if current else 0}
    form = GuidelineForm(request.POST or None, initial=initial)
    if request.htmx:
        return show(request, "_guideline_preview", access, html=markdown_html(request.POST.get("text", "")))
    if form.is_valid():
        data = form.cleaned_data
        kept = attempt(form, lambda: guideline_write(project=access.project, text=data["text"], base=data["base"]))
        if kept:
            messages.success(request, _("Version %(version)s saved.") % {"version": kept.version})
            return redirect("guidelines", slug=slug)
    return show(request, "guidelines_edit", access, form=form, html=markdown_html(str(form["text"].value() or "")))
