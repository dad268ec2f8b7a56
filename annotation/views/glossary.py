"""A project's glossary, for its leads: searched, edited entry by entry, uploaded and downloaded."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from annotation.errors import DomainError, NotFound
from annotation.forms.glossary import ChangeForm, DeletionForm, EntryForm, GlossaryFileForm
from annotation.glossaries import tbx, tsv
from annotation.glossaries.entries import SEPARATOR, alphabetical
from annotation.glossaries.files import RejectedRow
from annotation.models.glossary import GlossaryEntry
from annotation.permissions import Access, lead_access
from annotation.selectors.glossary import (
    glossary_entries,
    glossary_entry_change,
    glossary_entry_get,
    glossary_languages,
    glossary_last_deletion,
    glossary_list,
)
from annotation.services.glossary import glossary_entry_delete, glossary_entry_save
from annotation.services.glossary_uploads import UploadReport, glossary_deletion_undo, glossary_upload
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show

PAGE = 100
MAX_REJECTIONS_SHOWN = 20
"""The number of entries and rejected rows that a preview shows."""
MAX_ROWS_IN_MESSAGE = 3
"""The number of rejected rows that the message about an upload lists."""


_DOWNLOADS = {"tsv": (tsv.write, "text/tab-separated-values"), "tbx": (tbx.write, "application/xml")}


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
    """Check a file, or add its entries. Checking changes nothing, and shows entries and rejected rows.

    A file that deletes entries is uploaded once their number has been confirmed.
    """
    access = lead_access(request.user, slug)
    form = GlossaryFileForm(request.POST, request.FILES)
    report: UploadReport | None = None
    dry_run = request.POST.get("step") != "upload" and "deletes" not in request.POST
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
                deletes=data["deletes"] or 0,
                dry_run=dry_run,
                by=request.user,
            ),
        )
    if report and report.written:
        messages.success(request, _upload_message(report))
        address = reverse("glossary", args=(slug,))
        return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
    checked: dict[str, Any] = {
        "report": report,
        "upload_form": form,
        "sample": MAX_REJECTIONS_SHOWN,
        "confirming": not dry_run,
    }
    if report:
        rejected = [_rejection(each) for each in report.rejected[:MAX_REJECTIONS_SHOWN]]
        checked |= {"rejections": rejected, "more": report.rejections - len(rejected)}
    if request.htmx:
        return show(request, "_glossary_preview", access, **checked)
    return _page(request, access, **checked)


@person_page
def entry(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Change one entry. If someone else did meanwhile, both versions are shown."""
    access = lead_access(request.user, slug)
    row = glossary_entry_get(access.project, pk)
    form = _change_form(row, request.POST or None)
    newer = None
    if form.is_valid():
        data = {**form.cleaned_data}
        base = data.pop("revision")
        if attempt(form, lambda: glossary_entry_save(project=access.project, entry=row, base=base, **data)):
            messages.success(request, _("Saved."))
            return redirect("glossary", slug=slug)
        row = glossary_entry_get(access.project, pk)
        if base != row.revision:
            newer = glossary_entry_change(row)
            form.take_revision(row.revision)
    return show(request, "glossary_entry", access, form=form, entry=row, newer=newer)


@person_page
@require_POST
def delete(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Delete one entry, once that has been confirmed for the entry as it is now."""
    access = lead_access(request.user, slug)
    row = glossary_entry_get(access.project, pk)
    term = row.term
    confirmed = DeletionForm(request.POST if "revision" in request.POST else None)
    if confirmed.is_valid():
        base = confirmed.cleaned_data["revision"]
        if attempt(confirmed, lambda: (glossary_entry_delete(entry=row, base=base), True)):
            messages.success(request, _("“%(term)s” was deleted.") % {"term": term})
            return redirect("glossary", slug=slug)
        row = glossary_entry_get(access.project, pk)
    return show(
        request, "glossary_entry", access, form=_change_form(row), entry=row, deleting=True, confirmed=confirmed
    )


@person_page
@require_POST
def restore(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Restore the entries that were deleted last."""
    access = lead_access(request.user, slug)
    try:
        restored = glossary_deletion_undo(project=access.project, by=request.user)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("glossary", slug=slug)
    n = len(restored)
    text = ngettext("“%(term)s” was restored.", "%(n)s entries were restored.", n)
    messages.success(request, text % {"n": n, "term": restored[0].term})
    return redirect("glossary", slug=slug)


def _change_form(row: GlossaryEntry, data: Any = None) -> ChangeForm:
    initial = {
        "term": row.term,
        "translations": f"{SEPARATOR} ".join(row.translations),
        "note": row.note,
        "term_language": row.term_language,
        "translation_language": row.translation_language,
        "revision": row.revision,
    }
    return ChangeForm(data, initial=initial)


@person_page
@require_safe
def download(
    request: AuthenticatedRequest, slug: str, term_language: str, translation_language: str, ending: str
) -> HttpResponse:
    """The entries of two languages as a file."""
    access = lead_access(request.user, slug)
    languages = term_language, translation_language
    entries = glossary_entries(access.project).get(languages)
    if not entries:
        raise NotFound(_("The glossary has no entries in these languages."), where="-".join(languages))
    write, content_type = _DOWNLOADS[ending]
    return HttpResponse(
        write(sorted(entries, key=lambda each: alphabetical(each.word)), *languages),
        content_type=f"{content_type}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{slug}-{"-".join(languages)}.{ending}"'},
    )


def _page(request: AuthenticatedRequest, access: Access, **context: Any) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    rows = glossary_list(access.project, query)
    by_languages = {key: len(entries) for key, entries in glossary_entries(access.project).items()}
    defaults = {
        "entry_form": EntryForm(initial=_usual_languages(access), prefix="entry"),
        "upload_form": GlossaryFileForm(initial=_usual_languages(access)),
        **context,
    }
    return show(
        request,
        "glossary",
        access,
        page=Paginator(rows, PAGE).get_page(request.GET.get("page")),
        q=query,
        query=urlencode({"q": query}),
        deletion=glossary_last_deletion(access.project),
        by_languages=by_languages,
        total=sum(by_languages.values()),
        **defaults,
    )


def _usual_languages(access: Access) -> dict[str, str]:
    term, translation = glossary_languages(access.project)
    return {"term_language": term, "translation_language": translation}


def _rejection(row: RejectedRow) -> dict[str, str]:
    """A rejected row as the table of rejected rows shows it."""
    return {"where": _("line %(n)s") % {"n": row.line}, "reason": row.reason.text(_)}


def _upload_message(report: UploadReport) -> str:
    """What an upload did, in sentences, with the first rejected rows."""
    n = report.new + report.changed + len(report.removed)
    text = ngettext(
        "%(n)s entry was changed: %(new)s new, %(changed)s with other translations, %(removed)s deleted.",
        "%(n)s entries were changed: %(new)s new, %(changed)s with other translations, %(removed)s deleted.",
        n,
    ) % {"n": n, "new": report.new, "changed": report.changed, "removed": len(report.removed)}
    if not report.rejections:
        return text
    left_out = ngettext(
        "%(n)s row was rejected: %(rows)s.", "%(n)s rows were rejected: %(rows)s.", report.rejections
    ) % {"n": report.rejections, "rows": _first_rejected(report)}
    return f"{text} {left_out}"


def _first_rejected(report: UploadReport) -> str:
    rows = [f"{row['where']}, {row['reason']}" for row in map(_rejection, report.rejected[:MAX_ROWS_IN_MESSAGE])]
    more = report.rejections - len(rows)
    return "; ".join([*rows, *([ngettext("and %(n)s more", "and %(n)s more", more) % {"n": more}] if more else [])])
