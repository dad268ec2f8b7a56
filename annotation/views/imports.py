"""Imports: a lead uploads files, a worker checks or imports them, and the result has its own page."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import Conflict, DomainError
from annotation.formats import FORMATS, import_formats
from annotation.formats.rejection_groups import rejection_groups, stored_parts
from annotation.forms.base import refuse
from annotation.forms.imports import ImportForm, ImportOptionsForm, StartForm
from annotation.job_notifications import notify
from annotation.models import ACTIVE_JOB, JobStatus
from annotation.models.imports import Import, ImportStatus
from annotation.permissions import Access, lead_access
from annotation.selectors.imports import import_get, import_list, import_warnings
from annotation.selectors.pairs import project_size
from annotation.selectors.projects import assignable_annotators
from annotation.selectors.workers import CPU, workers_alive
from annotation.services.import_jobs import IMPORTS, import_cancel, import_recheck, import_request, import_start
from annotation.services.import_report import MAX_REJECTIONS_SHOWN, ImportRefused, ImportReport
from annotation.services.import_samples import import_sample, import_samples
from annotation.views.base import AuthenticatedRequest, person_page, show

NEWEST_IMPORTS = 20
"""The number of imports that the page lists."""


@person_page
def upload(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The upload form, and the newest imports with their results and warnings."""
    access = lead_access(request.user, slug)
    form = ImportForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {}
    if form.is_valid():
        data = form.cleaned_data
        try:
            row = import_request(
                project=access.project,
                files=data["upload"],
                format=data["format"],
                options=data["options"],
                dry_run=request.POST.get("step") != "import",
                by=request.user,
            )
        except ImportRefused as error:
            form.add_error("upload", error.message)
            context = {
                "rejections": error.rejections[:MAX_REJECTIONS_SHOWN],
                "more": len(error.rejections) - MAX_REJECTIONS_SHOWN,
            }
        except DomainError as error:
            refuse(form, error)
        else:
            return redirect("import-result", slug=slug, pk=row.pk)
    return show(
        request,
        "import",
        access,
        form=form,
        formats=import_formats(web=True).values(),
        samples=import_samples(),
        size=project_size(access.project),
        imports=import_list(access.project)[:NEWEST_IMPORTS],
        warnings=import_warnings(access.project),
        **context,
    )


@person_page
@require_safe
def result(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """The progress of one import, then its result. While it runs, the page refreshes itself."""
    access = lead_access(request.user, slug)
    row = import_get(access.project, pk)
    context = _context(access, row)
    if context["unfinished"]:
        # A message to the workers may be lost; it is sent again while the page is open.
        notify(IMPORTS.name)
    if request.htmx:
        return render(
            request, "annotation/_import_result.html", {"access": access, "project": access.project, **context}
        )
    return show(request, "import_result", access, **context)


def _context(access: Access, row: Import, refused: ImportOptionsForm | None = None) -> dict[str, Any]:
    """What the page of an import shows; `refused`: with choices that the files can't be read with."""
    table = (row.preview or {}).get("table") or {}
    form = refused or (_options_form(row) if _has_files(row) else None)
    report = ImportReport.from_json(row.report) if row.report else None
    return {
        "row": row,
        "unfinished": row.status in ACTIVE_JOB,
        "unattended": row.status in ACTIVE_JOB and not row.foreground and not workers_alive(CPU),
        # What is shown of choices that were refused is not what would be imported.
        "can_start": refused is None and row.dry_run and row.status == JobStatus.DONE and _has_files(row),
        "can_change": bool(row.better_scheme)
        and refused is None
        and _has_files(row)
        and (row.status == ImportStatus.REFUSED or (row.dry_run and row.status == JobStatus.DONE))
        and not project_size(access.project).pairs,
        "preview": row.preview,
        "options_form": form,
        "more": _uncounted_rejections(row),
        "unsure": len(table.get("unsure", [])) if form is not None else 0,
        "percent": 100 * row.done // row.total if row.total else 0,
        "next": _next_step(access) if row.status == JobStatus.DONE and not row.dry_run else "",
        "report_lines": "\n".join(report.lines()) if report else "",
        "new_people": report.annotators_new + report.leads_new if report else [],
        "new_leads": report.leads_new if report else [],
    }


def _has_files(row: Import) -> bool:
    return bool(getattr(row, "has_files", False))


def _uncounted_rejections(row: Import) -> int:
    """How many rejections are neither stored nor counted with one that is."""
    return row.rejected - sum(group.count for group in rejection_groups(map(stored_parts, row.rejections)))


def _next_step(access: Access) -> str:
    """What the imported pairs still need before anyone annotates them: 'people', 'assignments', or ''."""
    if not project_size(access.project).unassigned:
        return ""
    return "assignments" if assignable_annotators(access.project).exists() else "people"


def _options_form(row: Import, data: QueryDict | None = None) -> ImportOptionsForm | None:
    """What a lead may change before the import: format, sheet, columns, languages; None once it was imported.

    `data`: with these choices instead of how the files were read.
    """
    if not row.dry_run or row.status not in (JobStatus.DONE, ImportStatus.REFUSED):
        return None
    table = (row.preview or {}).get("table") or {}
    columns = {name.removesuffix("_column") + "_column": column for name, column in table.get("mapping", {}).items()}
    guesses = table.get("languages", {}).items()
    languages = {f"language_{side}": guess["code"] for side, guess in guesses if guess["sure"]}
    sheet = {name: table[name] for name in ("sheet", "header") if name in table}
    initial = {"format": row.format, **sheet, **columns, **languages, **row.options}
    documents = bool(table.get("texts") or (row.report or {}).get("documents") or row.options.get("pairs"))
    read_as = FORMATS.get((row.preview or {}).get("format", ""))
    documents = documents or (read_as is not None and read_as.documents)
    return ImportOptionsForm(data, initial=initial, table=table, documents=documents)


@person_page
@require_POST
def start(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Import what a dry run has checked, with the current scheme or with the better one."""
    access = lead_access(request.user, slug)
    form = StartForm(request.POST)
    form.full_clean()
    try:
        import_start(row=import_get(access.project, pk), scheme=form.cleaned_data.get("scheme", ""))
    except Conflict as error:  # in another tab, it was started already: its page shows how it went
        messages.error(request, error.message)
    return redirect("import-result", slug=slug, pk=pk)


@person_page
@require_POST
def recheck(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Read the uploaded files of a dry run again, with the format, columns and languages that the lead chose."""
    access = lead_access(request.user, slug)
    row = import_get(access.project, pk)
    form = ImportOptionsForm(request.POST)
    form.full_clean()
    shown = _options_form(row)
    chosen = form.changed(shown.initial if shown is not None else {})
    options = {name: value for name, value in row.options.items() if name not in form.fields}
    try:
        import_recheck(row=row, format=form.cleaned_data.get("format", ""), options={**options, **chosen})
    except ImportRefused as error:
        refused = _options_form(row, request.POST)
        if refused is None:
            raise
        for each in error.rejections:
            name = each.where.removeprefix("option ")
            refused.add_error(name if name in refused.fields else None, each.phrase.text(_))
        return show(request, "import_result", access, **_context(access, row, refused))
    return redirect("import-result", slug=slug, pk=pk)


@person_page
@require_safe
def sample(request: AuthenticatedRequest, slug: str, name: str) -> HttpResponse:
    """A small file in one of the formats."""
    access = lead_access(request.user, slug)
    response = HttpResponse(import_sample(name, access.project.labels), content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@person_page
@require_POST
def cancel(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Cancel a waiting or running import."""
    access = lead_access(request.user, slug)
    import_cancel(row=import_get(access.project, pk))
    return redirect("import-result", slug=slug, pk=pk)
