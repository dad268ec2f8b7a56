"""A project's guidelines: read by everyone in it, written by its leads, version by version."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from annotation.forms.texts import GuidelineForm, ReopenForm
from annotation.models import Project
from annotation.permissions import lead_access, member_access
from annotation.scheme_words import scheme_in_words
from annotation.selectors.guidelines import outdated_annotations
from annotation.selectors.projects import guideline_current, guideline_get, guideline_list
from annotation.services.guidelines import guideline_write
from annotation.services.reopening import ReopenResult, outdated_reopen
from annotation.text.line_diff import line_diff
from annotation.text.markdown import markdown_html
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show
from annotation.views.query_params import number_param


@person_page
@require_safe
def guidelines(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The guidelines; earlier versions by `?version=`, what changed since another one by `&since=`."""
    access = member_access(request.user, slug)
    version = number_param(request.GET, "version")
    since = number_param(request.GET, "since")
    current = guideline_current(access.project)
    shown = guideline_get(access.project, version) if version is not None else current
    before = guideline_get(access.project, since) if since is not None else None
    outdated = sum(row.reopenable for row in outdated_annotations(access.project)) if access.lead else 0
    return show(
        request,
        "guidelines",
        access,
        guideline=shown,
        current=current,
        before=before,
        changes=line_diff(before.text, shown.text) if before and shown else [],
        outdated=outdated,
        html=markdown_html(shown.text) if shown else "",
        versions=guideline_list(access.project),
        scheme=scheme_in_words(access.project.labels),
    )


@person_page
def reopen(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """What was submitted under older guidelines, by person and version; and reopening all of it."""
    access = lead_access(request.user, slug)
    form = ReopenForm(request.POST or None)
    if form.is_valid():
        version = form.cleaned_data["version"]
        result = attempt(form, lambda: outdated_reopen(project=access.project, by=request.user, version=version))
        if result:
            messages.success(request, _reopened_message(result))
            return redirect("guidelines-reopen", slug=slug)
    rows = outdated_annotations(access.project)
    return show(
        request,
        "guidelines_reopen",
        access,
        form=form,
        rows=rows,
        current=guideline_current(access.project),
        open=sum(row.reopenable for row in rows),
        closed=sum(row.closed for row in rows),
        final=sum(row.final for row in rows),
    )


def _reopened_message(result: ReopenResult) -> str:
    message = ngettext("%(n)s pair was reopened.", "%(n)s pairs were reopened.", result.reopened) % {
        "n": result.reopened
    }
    if not result.reopened:  # someone else, or the annotators themselves, reopened them after the page was opened
        message = _("There was nothing to reopen.")
    if result.final:
        final = ngettext(
            "%(n)s pair stays submitted, because only the first submission counts.",
            "%(n)s pairs stay submitted, because only the first submission counts.",
            result.final,
        )
        message = f"{message} {final % {'n': result.final}}"
    more = _("There are more: press the button again.")
    return f"{message} {more}" if result.more else message


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
        version = attempt(form, lambda: guideline_write(project=access.project, text=data["text"], base=data["base"]))
        if version:
            messages.success(request, _("Version %(version)s saved.") % {"version": version.version})
            return redirect("guidelines", slug=slug)
    newer = _newer_version_context(access.project, form)
    html = markdown_html(str(form["text"].value() or ""))
    return show(request, "guidelines_edit", access, form=form, html=html, **newer)


def _newer_version_context(project: Project, form: GuidelineForm) -> dict[str, Any]:
    """The version that someone else saved while this one was written, and what it changed; saving again follows it."""
    current = guideline_current(project)
    base = form.cleaned_data.get("base") if form.is_bound and form.errors else None
    if current is None or base is None or base >= current.version:
        return {}
    before = guideline_get(project, base).text if base else ""
    form.data = {**form.data.dict(), "base": str(current.version)}  # type: ignore[attr-defined]
    return {"newer": current, "changes": line_diff(before, current.text)}
