"""The page of pre-label quality: every run against the gold, each computed when it is scrolled into view."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from agreement.prelabel_eval.panels import methods_table, run_panel
from agreement.selectors import gold_newest
from annotation.errors import NotFound
from annotation.permissions import lead_access
from annotation.selectors.highlights import highlight_runs
from annotation.views.base import AuthenticatedRequest, person_page


@person_page
@require_safe
def quality(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The runs; `?run=` shows one run's figures, `?between` how far the runs agree with each other."""
    access = lead_access(request.user, slug)
    project = access.project
    gold, runs = gold_newest(project), highlight_runs(project)
    context: dict[str, Any] = {"access": access, "project": project, "section": "prelabels", "runs": runs, "gold": gold}
    if gold is not None and project.labels.labels:
        if name := request.GET.get("run"):
            chosen = next((run for run in runs if run.run == name), None)
            if chosen is None:
                raise NotFound(_("There is no run “%(run)s” in this project.") % {"run": name}, where=project.name)
            panel = run_panel(project, chosen, gold)
            return render(request, "agreement/_run_quality.html", {**context, "run": chosen, "panel": panel})
        if "between" in request.GET:
            table = methods_table(project, runs, gold)
            return render(request, "agreement/_quality_table.html", {**context, "table": table})
    return render(request, "agreement/quality.html", context)
