"""Choosing an encoder: a lead names candidates, a worker compares them, and the page shows them side by side."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import Conflict, DomainError
from annotation.figure_tables import table_json
from annotation.forms.base import refuse
from annotation.permissions import lead_access
from annotation.selectors.gold_scorer import gold_scorer
from annotation.views.base import AuthenticatedRequest, person_page
from assist.encoder_comparisons.figures import (
    HISTOGRAMS,
    clsd_tables,
    compositionality_tables,
    csv_lines,
    figures_json,
    gold_tables,
    histogram_table,
    models_of,
    overview,
    problems_of,
    resource_table,
    top_encoders,
)
from assist.encoder_comparisons.forms import ComparisonForm
from assist.encoder_comparisons.jobs import (
    COMPARISONS,
    comparison_cancel,
    comparison_get,
    comparison_list,
    comparison_request,
    comparison_retry,
)
from assist.encoder_comparisons.plots import changes_plots, histogram_plots, histogram_titles
from assist.models import EncoderComparison
from assist.requested_jobs.pages import job_progress, render_page

ROWS_SHOWN = 200
"""Rows in a list, for each encoder."""
CACHE_SECONDS = 24 * 3600


SECTION = {"section": "prelabels"}


@person_page
def encoders(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The form, and what was compared so far."""
    access = lead_access(request.user, slug)
    form = ComparisonForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        try:
            row = comparison_request(
                project=access.project,
                encoders=form.cleaned_data["encoders"].splitlines(),
                files=form.tables(),
                settings=form.settings(),
                by=request.user,
            )
        except DomainError as error:
            if f"{error.where}_file" in form.fields:
                form.add_error(f"{error.where}_file", error.message)
            else:
                refuse(form, error)
        else:
            return redirect("encoders-result", slug=slug, pk=row.pk)
    status = 422 if form.is_bound else 200
    gold = len(gold_scorer(access.project).pairs())
    return render_page(
        request,
        "encoders",
        access,
        status,
        **SECTION,
        form=form,
        comparisons=comparison_list(access.project),
        gold=gold,
    )


@person_page
@never_cache
@require_safe
def result(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """The progress of a comparison, then its figures."""
    access = lead_access(request.user, slug)
    row = comparison_get(access.project, pk)
    context = {**SECTION, **job_progress(row, COMPARISONS.name)}
    if row.result:
        context |= _sections(row, row.result)
    return render_page(request, "_encoders_result" if request.htmx else "encoders_result", access, **context)


def _sections(row: EncoderComparison, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Tables, plots and lists; all but the lists are kept, since a comparison never changes."""
    key = f"encoders:2:{row.pk}:{get_language()}"
    cached: dict[str, Any] | None = cache.get(key)
    if cached is None:
        composed, titles = models_of(figures, "compositionality"), histogram_titles()
        cached = {
            "leaders": top_encoders(figures),
            "overview": table_json(overview(figures)),
            "clsd": [table_json(table) for table in clsd_tables(figures)],
            "changes": [asdict(plot) for plot in changes_plots(figures)],
            "compositionality": [table_json(table) for table in compositionality_tables(figures)],
            "histograms": [asdict(plot) for plot in histogram_plots(figures)],
            "bars": [table_json(histogram_table(composed, name, titles[name])) for name in HISTOGRAMS if composed],
            "against_gold": [table_json(table) for table in gold_tables(figures)],
            "effort": table_json(effort) if (effort := resource_table(figures)) else None,
        }
        cache.set(key, cached, CACHE_SECONDS)
    problems = [(name, problem.text(_)) for name, problem in problems_of(figures).items()]
    return {
        **cached,
        "problems": problems,
        "compared": _encoder_count(figures),
        "differing": list(_differing_rows(row, figures)),
    }


def _encoder_count(figures: Mapping[str, Any]) -> int:
    """How many encoders there are figures of."""
    return len({each["model"] for task in ("clsd", "compositionality", "gold") for each in models_of(figures, task)})


def _differing_rows(row: EncoderComparison, figures: Mapping[str, Any]) -> Any:
    """For each encoder with a pivot: the rows right only directly, and those right only through the pivot."""
    for each in models_of(figures, "clsd"):
        if each["pivot"] is None:
            continue
        name, lists = each["model"], {"direct": [], "pivot": []}  # type: ignore[var-annotated]
        for differing in row.rows or ():
            direct, pivot = differing["nearest"].get(name, (0, 0))
            if (direct == 0) == (pivot == 0):
                continue
            way, wrong = ("direct", "pivot") if direct == 0 else ("pivot", "direct")
            texts = differing["direct"]
            nearest = differing[wrong]["distractors"][(pivot or direct) - 1]
            lists[way].append(
                {"line": differing["line"], "source": texts["source"], "target": texts["target"], "nearest": nearest}
            )
        counts = {"direct": len(each["pivot"]["only_direct"]), "pivot": len(each["pivot"]["only_pivot"])}
        yield {
            "model": name,
            "kept": row.rows is not None,
            "lists": [
                {
                    "way": way,
                    "count": counts[way],
                    "rows": rows[:ROWS_SHOWN],
                    "more": counts[way] - len(rows[:ROWS_SHOWN]),
                }
                for way, rows in lists.items()
            ],
        }


def _result_of(request: AuthenticatedRequest, slug: str, pk: int) -> EncoderComparison:
    """A comparison with a result. Raises Conflict without one."""
    row = comparison_get(lead_access(request.user, slug).project, pk)
    if row.result is None:
        raise Conflict(_("There are no figures yet."), where=str(row), hint=_("Wait until that is done."))
    return row


@person_page
@require_safe
def as_json(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """The figures as the command prints them, by task, and the rows that only one way gets right."""
    row = _result_of(request, slug, pk)
    assert row.result is not None
    text = json.dumps({**figures_json(row.result), "rows": row.rows}, ensure_ascii=False, allow_nan=False, indent=1)
    return _file(text, "application/json", f"encoders-{pk}.json")


@person_page
@require_safe
def as_csv(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Every figure in a line."""
    row = _result_of(request, slug, pk)
    assert row.result is not None
    out = io.StringIO()
    csv.writer(out).writerows(csv_lines(row.result))
    return _file(out.getvalue(), "text/csv; charset=utf-8", f"encoders-{pk}.csv")


def _file(text: str, kind: str, name: str) -> HttpResponse:
    return HttpResponse(
        text.encode(), content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@person_page
@require_POST
def cancel(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Cancel a waiting or running comparison."""
    comparison_cancel(row=comparison_get(lead_access(request.user, slug).project, pk))
    return redirect("encoders-result", slug=slug, pk=pk)


@person_page
@require_POST
def retry(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Retry a comparison that failed or was cancelled."""
    comparison_retry(row=comparison_get(lead_access(request.user, slug).project, pk))
    return redirect("encoders-result", slug=slug, pk=pk)
