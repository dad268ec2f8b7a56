"""The page of pre-label quality: every run against the gold, each computed when it is scrolled into view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from agreement.data.projections import is_projection
from agreement.prelabel_eval.analyses_jobs import analyses_request
from agreement.prelabel_eval.analyses_list_page import RowTarget, list_page
from agreement.prelabel_eval.analyses_lists import AnalysedRow, FigurePart, PairList
from agreement.prelabel_eval.panels import methods_table, projection_panel, run_panel
from agreement.prelabel_eval.projection_panel import changed_cells, changed_columns, changed_list
from agreement.report.figure_urls import pair_url
from agreement.report.query_params import number_of
from agreement.report.render.plots import with_hrefs
from agreement.report.scope import Scope
from agreement.report.views import REFRESH_SECONDS
from agreement.selectors import gold_newest
from annotation.errors import Conflict, NotFound
from annotation.figure_tables import table_json, table_linked
from annotation.models import Phase, Project
from annotation.permissions import lead_access
from annotation.selectors.highlights import HighlightRun, highlight_runs
from annotation.selectors.workers import CPU, workers_alive
from annotation.views.base import AuthenticatedRequest, person_page

PER_PAGE = 100


@person_page
@require_safe
def quality(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The runs; `?run=` shows one run's figures, `?between` how far the runs agree with each other.

    `?projection=` shows what people changed of a run's carried labels, which needs no gold, and `?changed=` the
    submissions behind it.
    """
    access = lead_access(request.user, slug)
    project = access.project
    gold, runs = gold_newest(project), highlight_runs(project)
    context: dict[str, Any] = {"access": access, "project": project, "section": "prelabels", "runs": runs, "gold": gold}
    context["projections"] = [run.run for run in runs if is_projection(run)]
    if project.labels.labels and (name := request.GET.get("projection") or request.GET.get("changed")):
        chosen = next((run for run in runs if run.run == name and is_projection(run)), None)
        if chosen is None:
            raise NotFound(_("There is no run “%(run)s” in this project.") % {"run": name}, where=project.name)
        if "changed" in request.GET:
            return _changed_pairs_page(request, context, chosen)
        # A link of these tables is one of this page.
        tables = [table_linked(table, lambda link: link) for table in projection_panel(project, chosen, gold)]
        return render(request, "agreement/_projection.html", {**context, "run": chosen, "tables": tables})
    if gold is not None and project.labels.labels:
        if name := request.GET.get("run"):
            chosen = next((run for run in runs if run.run == name), None)
            if chosen is None:
                raise NotFound(_("There is no run “%(run)s” in this project.") % {"run": name}, where=project.name)
            panel = run_panel(project, chosen, gold)
            return render(request, "agreement/_run_quality.html", {**context, "run": chosen, "panel": panel})
        if "between" in request.GET:
            table = table_json(methods_table(project, runs, gold))
            return render(request, "annotation/_figures_table.html", {**context, "table": table})
    return render(request, "agreement/quality.html", context)


@person_page
@require_http_methods(["GET", "HEAD", "POST"])
def analyses(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The analyses, computed by a worker if there is much data. A POST retries those that could not be computed."""
    access = lead_access(request.user, slug)
    row, fresh = analyses_request(project=access.project, retry=request.method == "POST")
    if request.method == "POST":
        return redirect("analyses", slug)
    waiting = bool(row.requested_fingerprint)
    context = {"row": row, "fresh": fresh, "waiting": waiting, "unattended": waiting and not workers_alive(CPU)}
    common = {"access": access, "project": access.project, "section": "prelabels"}
    if row.body:
        context["sections"] = [_section_with_urls(access.project, section) for section in row.body["sections"]]
    return render(request, "agreement/analyses.html", {**common, **context})


def _section_with_urls(project: Project, section: Mapping[str, Any]) -> dict[str, Any]:
    """A section with the URLs of the lists behind its figures, in tables and in its plot."""
    lists = reverse("analyses-pairs", args=[project.slug])

    def address(link: str) -> str:
        return f"{lists}?{link.partition('?')[2]}"

    plot = section["plot"] and {**section["plot"], "svg": with_hrefs(section["plot"]["svg"], address)}
    return {**section, "tables": [table_linked(table, address) for table in section["tables"]], "plot": plot}


@person_page
@require_safe
def analyses_pairs(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The pairs behind one figure of the analyses, and what each contributes to it."""
    access = lead_access(request.user, slug)
    project, part = access.project, FigurePart.parse(request.GET.dict())
    row, fresh = analyses_request(project=project, part=part)
    waiting = bool(row.requested_fingerprint)
    common = {
        **{"access": access, "project": project, "section": "prelabels", "fresh": fresh},
        "unattended": waiting and not workers_alive(CPU),
    }
    if not row.body and row.failed:
        raise Conflict(_("This list could not be computed: %(problem)s") % {"problem": row.problem}, code="failed")
    if not row.body:
        return render(request, "agreement/analyses_computing.html", {**common, "seconds": REFRESH_SECONDS}, status=202)
    if row.body["list"] is None:
        raise NotFound(_("There is no such figure."), where=project.name)
    pair_list = PairList.from_json(row.body["list"])
    shown = list_page(part, pair_list, project.labels)
    page = Paginator(pair_list.rows, PER_PAGE).get_page(number_of(request, "page", 1))
    context = {
        "heading": shown.heading,
        "answer": shown.answer,
        "columns": shown.columns,
        "page": page,
        "rows": [(_row_url(project, each, shown.leads_to), each.annotated.name, shown.cells(each)) for each in page],
        "filters": f"&{part}",
    }
    return render(request, "agreement/analyses_pairs.html", {**common, **context})


def _row_url(project: Project, row: AnalysedRow, leads_to: RowTarget) -> str:
    """What a row of a list opens."""
    if leads_to == "work":
        return reverse("pair", args=[project.slug, row.annotated.pair])
    opened = pair_url(project, row.annotated.pair, Scope(row.annotated.phase or Phase.MAIN))
    return f"{opened}{'&gold=1' if leads_to == 'gold' else ''}{f'#{row.anchor}' if row.anchor else ''}"


def _changed_pairs_page(request: AuthenticatedRequest, context: dict[str, Any], run: HighlightRun) -> HttpResponse:
    """The submissions of pairs of some languages whose labels were carried over, each leading to its pair."""
    project, languages = context["project"], request.GET.get("languages", "")
    revised, answer = changed_list(project, run, languages)
    page = Paginator(revised, PER_PAGE).get_page(number_of(request, "page", 1))
    rows = [(pair_url(project, each.pair, Scope()), each.name, changed_cells(each)) for each in page]
    return render(
        request,
        "agreement/changed_labels.html",
        {
            **context,
            "heading": _("Changed labels: %(run)s, %(languages)s") % {"run": run.run, "languages": languages},
            "answer": answer,
            "columns": changed_columns(),
            "page": page,
            "rows": rows,
            "filters": f"&{urlencode({'changed': run.run, 'languages': languages})}",
        },
    )
