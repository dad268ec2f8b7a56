"""How far do they agree? The report, its documents, one pair, and what people disagree on."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_POST

from agreement import tasks
from agreement.comparison import answered, comparison, people_of
from agreement.report.latex import PREAMBLE, as_latex, latex
from agreement.report.tables import as_csv, as_markdown
from agreement.reports import View, agreement_report
from agreement.selectors import exclusions
from agreement.services.examples import example_add
from agreement.services.reports import report_ask
from agreement.units import natural
from agreement.views.asked import view_of
from annotation.models import Annotator, Assignment, Pair, Phase, Source
from annotation.permissions import Access, adjudicator_access, lead_access
from annotation.selectors.pairs import pair_get
from annotation.selectors.projects import options_of
from annotation.text.schemes import Side
from annotation.views.base import Asked, person_page

PER_PAGE = 50
DISPUTED = 10
TYPES = {"md": ("text/markdown", as_markdown), "tex": ("application/x-tex", as_latex), "csv": ("text/csv", as_csv)}


def shown(request: Asked, template: str, access: Access, view: View, **context: Any) -> HttpResponse:
    """A page of this section."""
    common = {
        "access": access,
        "project": access.project,
        "section": "agreement",
        "view": view,
        "query": str(view),
    }
    return render(request, f"agreement/{template}.html", {**common, **context})


@person_page
def agreement(request: Asked, slug: str) -> HttpResponse:
    """How far do they agree? Computed anew when the work changed; an older report is shown with that said."""
    access, view = lead_access(request.user, slug), view_of(request)
    kept, fresh = report_ask(project=access.project, view=view)
    if not fresh:
        tasks.ring()
    page = "_report" if request.htmx else "agreement"
    disputed = kept.body["rows"][:DISPUTED] if kept.body else []
    common = {"kept": kept, "body": kept.body, "fresh": fresh, "disputed": disputed}
    return shown(request, page, access, view, **common, **_choices(access))


def _choices(access: Access) -> dict[str, Any]:
    """What the report can be narrowed to."""
    assignments = Assignment.objects.filter(pair__project=access.project)
    there = set(assignments.values_list("phase", flat=True).distinct())
    pairs = Pair.objects.filter(project=access.project)
    languages = {f"{a.upper()}-{b.upper()}" for a, b in pairs.values_list("a__language", "b__language").distinct()}
    working = Annotator.objects.filter(project=access.project, assignments__isnull=False).distinct()
    people = sorted((person.alias for person in working), key=natural)
    return {
        "phases": [phase for phase in Phase.values if phase in there],
        "languages": sorted(languages),
        "downloads": [(ending, ending.upper()) for ending in ("json", *TYPES)],
        "annotator_pairs": [",".join(pair) for pair in combinations(people, 2)] if 2 < len(people) < 12 else [],
    }


@person_page
def download(request: Asked, slug: str, ending: str) -> HttpResponse:
    """The report as JSON, or its tables as Markdown, LaTeX or CSV."""
    access, view = lead_access(request.user, slug), view_of(request)
    # What leaves the house is in English, whoever fetches it.
    with override("en"):
        report = agreement_report(access.project, view=view)
        if ending == "json":
            text, kind = json.dumps(report.to_json(), ensure_ascii=False, allow_nan=False), "application/json"
        else:
            kind, say = TYPES[ending]
            written = latex(report.methods) if ending == "tex" else report.methods
            parts = [*(say(table) for table in report.tables), *([] if ending == "csv" else [written])]
            parts = [PREAMBLE, *parts] if ending == "tex" else parts
            text = "\n\n".join(parts)
    response = HttpResponse(text, content_type=f"{kind}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-agreement.{ending}"'
    return response


@person_page
def pair(request: Asked, slug: str, pk: int) -> HttpResponse:
    """What did everybody make of this pair? Differences first."""
    access, view = adjudicator_access(request.user, slug), view_of(request)
    found = pair_get(access.project, pk)
    # Who is to decide without knowing whose work it is does not learn it here.
    blind = not access.lead and options_of(access.project).adjudication_blind
    people = people_of(found, source=Source.HUMAN, phase=view.phase, blind=blind, again=view.again)
    if view.annotators and not view.again:
        people = tuple(person for person in people if person.name in view.annotators)
    laid = comparison(access.project, found, people)
    excluded = exclusions(access.project).get(found.pk, "")
    scheme = access.project.labels
    context = {
        "pair": found,
        "laid": laid,
        "scheme": scheme,
        "excluded": excluded,
        "answered": answered(scheme, people),
    }
    return shown(request, "pair", access, view, **context)


@person_page
@require_POST
def example(request: Asked, slug: str, pk: int) -> HttpResponse:
    """Make a disagreement an example in the guidelines."""
    access = lead_access(request.user, slug)
    found = pair_get(access.project, pk)
    side: Side = "b" if request.POST.get("side") == "b" else "a"
    first, last = (request.POST.get(name, "") for name in ("first", "last"))
    made = example_add(
        pair=found,
        side=side,
        first=int(first) if first.isdecimal() else -1,
        last=int(last) if last.isdecimal() else -1,
        label=request.POST.get("label", ""),
        remark=request.POST.get("remark", ""),
    )
    messages.success(request, _("It is an example in version %(n)s of the guidelines.") % {"n": made.version})
    return redirect("guidelines", slug)
