"""A project's glossary, for its leads: searched, edited entry by entry, uploaded and downloaded."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import NotFound
from annotation.forms.glossary import EntryForm, GlossaryFileForm
from annotation.glossaries import tsv
from annotation.glossaries.entries import BETWEEN
from annotation.permissions import Access, lead_access
from annotation.selectors.glossary import glossary_entries, glossary_entry_get, glossary_languages, glossary_list
from annotation.services.glossary import UploadReport, glossary_entry_delete, glossary_entry_save, glossary_upload
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show

PAGE = 100
SHOWN = 20
"""The number of entries and rejected rows that a preview shows."""


@person_page
def glossary(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The glossary's entries, and a form to add one."""
    access = lead_access(request.user, slug)
    form = EntryForm(request.POST or None, initial=_usual_languages(access), prefix="entry")
    if form.is_valid():
        entry = attempt(form, lambda: glossary_entry_save(project=access.project, **form.cleaned_data))
        if entry:
            messages.success(request, _("“%(term)s” was added.") % {"term": entry.term})
            return redirect("glossary", slug=slug)
    return _page(request, access, entry_form=form)


@person_page
@require_POST
def upload(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Check a file, or add its entries. Checking changes nothing, and shows entries and rejected rows."""
    access = lead_access(request.user, slug)
    form = GlossaryFileForm(request.POST, request.FILES)
    report: UploadReport | None = None
    dry_run = request.POST.get("step") != "upload"
    if form.is_valid():
        data = form.cleaned_data
        report = attempt(
            form,
            lambda: glossary_upload(
                project=access.project,
                name=data["file"].name or "",
                data=data["file"].read(),
                term_language=data["term_language"],
                translation_language=data["translation_language"],
                replace=data["replace"],
                dry_run=dry_run,
                by=request.user,
            ),
        )
    if report and not dry_run:
        messages.success(request, _told(report))
        if not report.rejections:
            return redirect("glossary", slug=slug)
    checked = {"report": report, "dry_run": dry_run, "upload_form": form, "sample": SHOWN}
    if request.htmx:
        return render(request, "annotation/_glossary_preview.html", checked)
    return _page(request, access, **checked)


@person_page
def entry(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Change one entry."""
    access = lead_access(request.user, slug)
    found = glossary_entry_get(access.project, pk)
    initial = {
        "term": found.term,
        "translations": f"{BETWEEN} ".join(found.translations),
        "note": found.note,
        "term_language": found.term_language,
        "translation_language": found.translation_language,
    }
    form = EntryForm(request.POST or None, initial=initial)
    if form.is_valid() and attempt(
        form, lambda: glossary_entry_save(project=access.project, entry=found, **form.cleaned_data)
    ):
        messages.success(request, _("Saved."))
        return redirect("glossary", slug=slug)
    return show(request, "glossary_entry", access, form=form, entry=found)


@person_page
@require_POST
def delete(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Delete one entry."""
    access = lead_access(request.user, slug)
    found = glossary_entry_get(access.project, pk)
    term = found.term
    glossary_entry_delete(entry=found)
    messages.success(request, _("“%(term)s” was deleted.") % {"term": term})
    return redirect("glossary", slug=slug)


@person_page
@require_safe
def download(request: AuthenticatedRequest, slug: str, term_language: str, translation_language: str) -> HttpResponse:
    """The entries of two languages as TSV."""
    access = lead_access(request.user, slug)
    languages = term_language, translation_language
    entries = glossary_entries(access.project).get(languages)
    if not entries:
        raise NotFound(_("The glossary has no entries of these languages."), where="-".join(languages))
    return HttpResponse(
        tsv.write(entries, *languages),
        content_type="text/tab-separated-values; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{slug}-{"-".join(languages)}.tsv"'},
    )


def _page(request: AuthenticatedRequest, access: Access, **context: Any) -> HttpResponse:
    wanted = request.GET.get("q", "").strip()
    rows = glossary_list(access.project, wanted)
    by_languages = {key: len(entries) for key, entries in glossary_entries(access.project).items()}
    given = {
        "entry_form": EntryForm(initial=_usual_languages(access), prefix="entry"),
        "upload_form": GlossaryFileForm(initial=_usual_languages(access)),
        **context,
    }
    return show(
        request,
        "glossary",
        access,
        page=Paginator(rows, PAGE).get_page(request.GET.get("page")),
        q=wanted,
        query=urlencode({"q": wanted}),
        by_languages=by_languages,
        total=sum(by_languages.values()),
        **given,
    )


def _usual_languages(access: Access) -> dict[str, str]:
    term, translation = glossary_languages(access.project)
    return {"term_language": term, "translation_language": translation}


def _told(report: UploadReport) -> str:
    """What an upload did, in a sentence."""
    n = report.new + report.changed + report.removed
    return ngettext(
        "%(n)s entry was changed: %(new)s new, %(changed)s with other translations, %(removed)s deleted.",
        "%(n)s entries were changed: %(new)s new, %(changed)s with other translations, %(removed)s deleted.",
        n,
    ) % {"n": n, "new": report.new, "changed": report.changed, "removed": report.removed}
