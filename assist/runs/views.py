"""The lead's pre-labelling pages: runs, methods and their settings."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import DomainError, NotFound
from annotation.forms.settings import settings_with_titles
from annotation.models import ACTIVE_JOB, JobStatus, Project
from annotation.permissions import Access, lead_access
from annotation.selectors.workers import workers_alive
from annotation.views.base import AuthenticatedRequest, attempt, person_page
from assist.methods.base import Method
from assist.models import Queue
from assist.phrases.run_phrases import translated, translated_last_line, translated_log, translated_name
from assist.runs.automatic import project_prelabel
from assist.runs.forms import AutomaticForm, MethodForm, MethodSettingsForm, advice, newest_methods, summary
from assist.runs.llm_answer_rows import answer_rows
from assist.runs.llm_costs import run_answers
from assist.runs.method_choice import method_class
from assist.runs.method_reports import report_curve, report_rows
from assist.runs.prelabel_options import PrelabelOptions
from assist.runs.selectors import (
    missing_packages_note,
    pair_languages,
    project_labelled,
    run_failures,
    run_get,
    run_list,
    run_progress,
    run_settings,
    run_trains,
    run_without_source,
    shown_run,
)
from assist.runs.services import has_local_workers, run_perform_action, run_request
from assist.runs.word_lists import WordListReport, word_list_request


def _render_page(
    request: HttpRequest, template: str, access: Access, status: int = 200, **context: Any
) -> HttpResponse:
    context |= {"access": access, "project": access.project, "section": "prelabels"}
    return render(request, f"assist/{template}.html", context, status=status)


def _table(project: Project) -> dict[str, Any]:
    """The table of runs, for the page and for the part of it that is refreshed."""
    rows = [(run, run_progress(run)) for run in run_list(project)]
    labelled = project_labelled(project)
    for run, _progress in rows:
        run.trains = run_trains(run, labelled)  # type: ignore[attr-defined]
        run.error_text = translated(run.error, _)  # type: ignore[attr-defined]
    active = [run for run, _progress in rows if run.status in ACTIVE_JOB]
    return {
        "rows": rows,
        "active": active,
        "unattended": any(progress.unattended for _run, progress in rows),
        "shown": shown_run(project),
        "watched": bool(active) or PrelabelOptions.of(project.settings).automatic,
    }


@person_page
def prelabels(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The project's runs, and a form that requests a new one."""
    access = lead_access(request.user, slug)
    form = MethodForm(request.POST or None, initial={"method": newest_methods()[0].name})
    if not form.is_valid():
        chosen = newest_methods()[0]
        return _page(
            request,
            access,
            form,
            MethodSettingsForm(chosen, access.project.labels),
            status=422 if form.is_bound else 200,
        )
    chosen = method_class(form.cleaned_data["method"])
    settings = MethodSettingsForm(chosen, access.project.labels, request.POST)
    if settings.is_valid():
        run = attempt(
            form,
            lambda: run_request(
                project=access.project,
                method=chosen.slug(),
                settings=settings.settings(),
                by=request.user,
                from_web=True,
            ),
        )
        if run:
            messages.success(request, _("%(run)s is %(status)s.") % {"run": run, "status": run.get_status_display()})
            return redirect("prelabels", slug=slug)
    return _page(request, access, form, settings, status=422)


def _page(
    request: AuthenticatedRequest, access: Access, form: MethodForm, settings: MethodSettingsForm, status: int = 200
) -> HttpResponse:
    options = PrelabelOptions.of(access.project.settings)
    automatic = AutomaticForm(initial=options.to_json(), auto_id="auto_%s")
    return _render_page(
        request,
        "prelabels",
        access,
        status,
        form=form,
        settings_form=settings,
        **_missing_requirements(access.project, settings.chosen),
        automatic_form=automatic,
        methods=[(cls, summary(cls), advice(cls)) for cls in newest_methods()],
        workers=workers_alive(),
        **_table(access.project),
    )


@person_page
@never_cache
@require_safe
def runs(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The table of runs, to refresh an open page."""
    access = lead_access(request.user, slug)
    return _render_page(request, "_run_table", access, **_table(access.project))


@person_page
@require_safe
def method(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The settings of the selected method, or of the default."""
    access = lead_access(request.user, slug)
    chosen = method_class(request.GET.get("method") or newest_methods()[0].name)
    return _render_page(
        request,
        "_method_settings",
        access,
        settings_form=MethodSettingsForm(chosen, access.project.labels),
        summary=summary(chosen),
        advice=advice(chosen),
        **_missing_requirements(access.project, chosen),
    )


def _missing_requirements(project: Project, chosen: type[Method[Any, Any]]) -> dict[str, Any]:
    """What the method lacks: packages (if workers run on this machine), and models that its default settings need."""
    return {
        "not_installed": missing_packages_note(chosen) if has_local_workers() else "",
        "downloads": chosen().downloads(pair_languages(project)),
    }


@person_page
@never_cache
@require_safe
def word_lists(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """How much of the project's texts the word lists know, and their licences, as workers have counted it."""
    access = lead_access(request.user, slug)
    row, current = word_list_request(access.project)
    waiting = bool(row.requested_fingerprint)
    return _render_page(
        request,
        "word_lists",
        access,
        report=WordListReport.from_json(row.report) if row.report else None,
        current=current,
        waiting=waiting,
        problem=row.problem,
        unattended=waiting and not workers_alive(Queue.CPU),
    )


@person_page
@require_POST
def automatic(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Save the options of automatic pre-labelling."""
    access = lead_access(request.user, slug)
    form = AutomaticForm(request.POST)
    if form.is_valid():
        options = form.options(PrelabelOptions.of(access.project.settings))
        attempt(form, lambda: project_prelabel(project=access.project, options=options))
    if form.is_valid():
        messages.success(request, _("Saved."))
    else:
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    return redirect("prelabels", slug=slug)


@person_page
@never_cache
@require_safe
def run(request: AuthenticatedRequest, slug: str, run: str) -> HttpResponse:
    """One run: its status, settings, failures and log."""
    access = lead_access(request.user, slug)
    shown = run_get(access.project, run)
    shown.trains = run_trains(shown, project_labelled(access.project))  # type: ignore[attr-defined]
    answers = run_answers(shown)
    return _render_page(
        request,
        "run",
        access,
        run=shown,
        settings=settings_with_titles(run_settings(shown), shown.settings),
        progress=run_progress(shown),
        failures=[(each.pair, each.why.text(_)) for each in run_failures(shown)],
        without_source=run_without_source(shown),
        report=report_rows(shown.report, _),
        silent=translated(shown.report.get("no suggestions", ""), _),
        versions=[(translated_name(name, _), value) for name, value in shown.versions.items()],
        error=translated(shown.error, _),
        log=translated_log(shown.log, _),
        newest=translated_last_line(shown.log, _) if shown.status == JobStatus.RUNNING else "",
        curve=report_curve(shown.report),
        shown=shown_run(access.project),
        active=shown.status in ACTIVE_JOB,
        answers=answer_rows(answers) if answers else [],
    )


@person_page
@require_POST
def act(request: AuthenticatedRequest, slug: str, run: str, action: str) -> HttpResponse:
    """Pause, resume, cancel or retrain a run, or show it to annotators."""
    access = lead_access(request.user, slug)
    shown_run = run_get(access.project, run)
    try:
        after = run_perform_action(run=shown_run, action=action)
    except NotFound:
        raise
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("%(run)s is %(status)s.") % {"run": run, "status": after.get_status_display()})
    back = request.POST.get("back")
    return redirect("prelabels-run", slug=slug, run=run) if back == "run" else redirect("prelabels", slug=slug)
