"""Pages of agreement: the report, its documents, one pair, and what people disagree on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from itertools import combinations
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_POST, require_safe

from agreement.blind import Redactor
from agreement.data.side_by_side import answers_by_person, people_of, side_by_side_of, with_gold
from agreement.models import CachedReport, ComputationStatus
from agreement.report.figure_urls import body_with_urls, with_url
from agreement.report.files import TYPES
from agreement.report.name_lists import join_names
from agreement.report.page import body_of
from agreement.report.query_params import scope_of
from agreement.report.render import groups
from agreement.report.scope import Scope
from agreement.report.services.examples import example_add
from agreement.report.services.reports import NotComputed, report_files, report_request
from agreement.selectors import exclusions, gold_newest
from annotation.display_names import natural_sort_key
from annotation.errors import Conflict
from annotation.models import Annotator, Assignment, Pair, Phase, Source
from annotation.permissions import Access, adjudicator_access, lead_access
from annotation.scheme_words import scheme_in_words
from annotation.selectors.pairs import pair_get
from annotation.selectors.workers import CPU, workers_alive
from annotation.text.schemes import Side
from annotation.views.base import AuthenticatedRequest, person_page
from annotation.views.query_params import number_param

PER_PAGE = 50
DISPUTED_SHOWN = 5
REFRESH_SECONDS = 2


def render_page(
    request: AuthenticatedRequest, template: str, access: Access, scope: Scope, **context: Any
) -> HttpResponse:
    """A page of this section."""
    common = {
        "access": access,
        "project": access.project,
        "section": "agreement",
        "scope": scope,
        "query": str(scope),
    }
    return render(request, f"agreement/{template}.html", {**common, **context})


def needs_report(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page of what is computed with a report: until a worker has done that it says so, with status 202.

    A person's page loads itself again; JSON has `Retry-After`.
    """

    @wraps(view)
    def waiting(request: AuthenticatedRequest, slug: str, **values: Any) -> HttpResponse:
        try:
            return view(request, slug, **values)
        except NotComputed as error:
            return _not_computed(request, lead_access(request.user, slug), error.report, values.get("ending", ""))

    return waiting


def _not_computed(request: AuthenticatedRequest, access: Access, cached: CachedReport, ending: str) -> HttpResponse:
    if cached.failed and not cached.requested_fingerprint:
        text = _("The report could not be computed: %(problem)s") % {"problem": cached.problem}
        raise Conflict(text, code="failed", hint=_("Try again on the report's page."))
    if ending == "json":
        body = {"status": ComputationStatus.COMPUTING.value, "report": str(scope_of(request))}
        response: HttpResponse = JsonResponse(body, status=202)
    else:
        context = {"unattended": waits_without_worker(cached), "seconds": REFRESH_SECONDS}
        response = render_page(request, "computing", access, scope_of(request), **context)
        response.status_code = 202
    response["Retry-After"] = str(REFRESH_SECONDS)
    return response


@person_page
def agreement(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The agreement report, recomputed when the work changes; until then the old one is shown, marked as outdated.

    A POST retries a report that could not be computed.
    """
    access, scope = lead_access(request.user, slug), scope_of(request)
    if request.method == "POST":
        report_request(project=access.project, scope=scope, retry=True, body_of=body_of)
        return redirect(f"{request.path}?{scope}")
    cached, fresh = report_request(project=access.project, scope=scope, body_of=body_of)
    page = "_report" if request.htmx else "agreement"
    body = (
        body_with_urls(access.project, scope, cached.body) if cached.body and has_current_format(cached.body) else None
    )
    most = [row for row in body["rows"] if row["disputed"]][:DISPUTED_SHOWN] if body else []
    disputed = [with_url(access.project, scope, row) for row in most]
    people = [table["key"] for table in body["tables"] if table["group"] == "who"] if body else []
    people.sort(key=groups.ANNOTATOR_TABLES.index)
    common = {
        "row": cached,
        "body": body,
        "fresh": fresh,
        "disputed": disputed,
        "unattended": waits_without_worker(cached),
    }
    first = {"who_first": people[0] if people else "", "who_more": len(people) > 1}
    return render_page(request, page, access, scope, **common, **first, **_choices(access))


def has_current_format(body: Mapping[str, Any]) -> bool:
    """Whether a stored report has what the page shows; one that an earlier release stored has not."""
    return "questions" in body


def waits_without_worker(cached: CachedReport) -> bool:
    """Whether a report is requested but no worker is running to compute it."""
    return bool(cached.requested_fingerprint) and not workers_alive(CPU)


def _choices(access: Access) -> dict[str, Any]:
    """The choices for narrowing the report."""
    assignments = Assignment.objects.filter(pair__project=access.project)
    phases = set(assignments.values_list("phase", flat=True).distinct())
    pairs = Pair.objects.filter(project=access.project)
    languages = {f"{a.upper()}-{b.upper()}" for a, b in pairs.values_list("a__language", "b__language").distinct()}
    working = Annotator.objects.filter(project=access.project, assignments__isnull=False).distinct()
    people = sorted((person.alias for person in working), key=natural_sort_key)
    return {
        "phases": [phase for phase in Phase.values if phase in phases],
        "languages": sorted(languages),
        "downloads": [(ending, ending.upper()) for ending in TYPES],
        "annotator_pairs": _annotator_pairs(people) if 2 < len(people) < 12 else [],
    }


def _annotator_pairs(people: Sequence[str]) -> list[tuple[str, str]]:
    """Every two people: as shown on the page, and as in URLs."""
    text = _("%(one)s and %(other)s")
    return [(text % {"one": one, "other": other}, join_names((one, other))) for one, other in combinations(people, 2)]


@person_page
@require_safe
@needs_report
def download(request: AuthenticatedRequest, slug: str, ending: str) -> HttpResponse:
    """The report as JSON, or its tables as Markdown, LaTeX or CSV; annotators have the names that are published."""
    access, scope = lead_access(request.user, slug), scope_of(request)
    # Downloads are always in English.
    with override("en"):
        text = report_files(access.project, scope)[ending]
    response = HttpResponse(text, content_type=f"{TYPES[ending]}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-agreement.{ending}"'
    return response


@person_page
@require_safe
def pair(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """All work on a pair, differences first; with `?gold=1` its gold beside it, for leads."""
    access, scope = adjudicator_access(request.user, slug), scope_of(request)
    shown_pair = pair_get(access.project, pk)
    # Blind adjudicators don't learn whose work it is here, even if they request someone by name.
    if access.blind:
        scope = Scope(scope.phase, scope.languages, split=scope.split)
    people = people_of(shown_pair, source=Source.HUMAN, phase=scope.phase, blind=access.blind, again=scope.again)
    if scope.annotators and not scope.again:
        people = tuple(person for person in people if person.name in scope.annotators)
    others = len(people)
    if access.lead and request.GET.get("gold"):
        people = with_gold(people, shown_pair, gold_newest(access.project))
    side_by_side = side_by_side_of(access.project, shown_pair, people)
    redact = Redactor(access.project, hidden=access.blind, viewer=request.user)
    excluded = redact(exclusions(access.project).get(shown_pair.pk, ""))
    scheme = scheme_in_words(access.project.labels)
    context = {
        "pair": shown_pair,
        "side_by_side": side_by_side,
        "scheme": scheme,
        "excluded": excluded,
        "answered": answers_by_person(scheme, people),
        "with_gold": len(people) > others,
    }
    return render_page(request, "pair", access, scope, **context)


@person_page
@require_POST
def example(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Add a disagreement to the guidelines as an example."""
    access = lead_access(request.user, slug)
    pair = pair_get(access.project, pk)
    side: Side = "b" if request.POST.get("side") == "b" else "a"
    first, last = number_param(request.POST, "first"), number_param(request.POST, "last")
    version = example_add(
        pair=pair,
        side=side,
        first=-1 if first is None else first,
        last=-1 if last is None else last,
        label=request.POST.get("label", ""),
        remark=request.POST.get("remark", ""),
    )
    messages.success(request, _("Added as an example in version %(n)s of the guidelines.") % {"n": version.version})
    return redirect("guidelines", slug)
