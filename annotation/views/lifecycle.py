"""A project's life: a copy of it, its archive, its deletion."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from annotation.formats.project_archive import FORMAT as ARCHIVE
from annotation.forms.lifecycle import ArchiveForm, DeleteForm, DuplicateForm
from annotation.models import JobStatus
from annotation.models.glossary import GlossaryEntry
from annotation.permissions import lead_access
from annotation.scheme_words import scheme_in_words
from annotation.selectors.projects import guideline_current, newest_archive
from annotation.selectors.time import rates_of, time_corrections
from annotation.services.archiving import project_archive, project_unarchive
from annotation.services.deletion import SMALL_PROJECT_PAIRS, deletion_counts, project_delete
from annotation.services.duplicates import duplicate_names, project_duplicate
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show


@person_page
def duplicate(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Create a project like this one, without its texts and people."""
    access = lead_access(request.user, slug)
    project = access.project
    name, free = duplicate_names(project)
    form = DuplicateForm(request.POST or None, initial={"name": name, "slug": free})
    if form.is_valid():
        copy = attempt(form, lambda: project_duplicate(project=project, lead=request.user, **form.cleaned_data))
        if copy:
            messages.success(request, _("Project created. Next, import its pairs."))
            return redirect("project", slug=copy.slug)
    return show(
        request,
        "project_duplicate",
        access,
        form=form,
        scheme=scheme_in_words(project.labels),
        guideline=guideline_current(project),
        entries=GlossaryEntry.objects.filter(project=project).count(),
    )


@person_page
def archive(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Archive the project, or unarchive it."""
    access = lead_access(request.user, slug)
    form = ArchiveForm(request.POST or None)
    if form.is_valid():
        archived = form.cleaned_data["archived"]
        service = project_archive if archived else project_unarchive
        if attempt(form, lambda: service(project=access.project, by=request.user)):
            done = _("The project is archived.") if archived else _("The project is no longer archived.")
            messages.success(request, done)
            return redirect("project-archive", slug=slug)
    return show(request, "project_archive", access, form=form)


@person_page
def delete(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Say what would be lost, offer the project as a file, and delete it once its name is typed."""
    access = lead_access(request.user, slug)
    project = access.project
    form = DeleteForm(request.POST or None)
    if form.is_valid():
        row = attempt(form, lambda: project_delete(project=project, name=form.cleaned_data["name"], by=request.user))
        if row:
            done = row.status == JobStatus.DONE
            text = _("“%(name)s” is deleted.") if done else _("“%(name)s” is deleted. A worker is removing its data.")
            messages.success(request, text % {"name": row.name})
            return redirect("home")
    return show(
        request,
        "project_delete",
        access,
        form=form,
        counts=deletion_counts(project),
        archive=ARCHIVE,
        packed=newest_archive(project),
        rates_or_corrections=bool(rates_of(project)) or time_corrections(project).exists(),
        small=SMALL_PROJECT_PAIRS,
    )
