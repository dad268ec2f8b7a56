"""The monitor: what needs the lead first, then progress, pace and forecast, and the queue of what annotators said."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agreement.models import CachedReport
from agreement.report.scope import Scope
from annotation.costs import WINDOW
from annotation.models import Assignment, Project
from annotation.number_parsing import NumberError, parse_integer
from annotation.permissions import lead_access
from annotation.review_criteria import FASTEST, MAX_DAY_SECONDS
from annotation.scheme_words import scheme_in_words
from annotation.selectors.monitor import (
    UnusualAnnotations,
    review_counts,
    review_done,
    review_get,
    review_queue,
    unusual_annotations,
)
from annotation.selectors.pairs import project_size
from annotation.selectors.progress import ProgressCounts, progress_by_phase
from annotation.selectors.projects import options_of
from annotation.selectors.threads import ThreadStatus, lead_read_state, thread_counts, threads_listed, threads_of
from annotation.selectors.time import project_cost
from annotation.services.reviews import review_remove, review_set
from annotation.views.base import AuthenticatedRequest, person_page

ROWS, NAMES_SHOWN, SECONDS = 30, 10, 20


@person_page
@require_safe
def monitor(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The page, which asks for its changing part every `SECONDS`; `?dealt=1` lists what was dealt with."""
    access = lead_access(request.user, slug)
    project = access.project
    queue, dealt = review_queue(project), "dealt" in request.GET
    unusual, cost = unusual_annotations(project, limit=NAMES_SHOWN), project_cost(project)
    progress = _progress(project)
    context = {
        "access": access,
        "project": project,
        "counts": review_counts(queue),
        "waiting": Paginator(review_done(project) if dealt else queue, ROWS).get_page(request.GET.get("page")),
        "dealt": dealt,
        "threads": [
            (each, lead_read_state(each, request.user))
            for each in threads_listed(threads_of(project, of=None), ThreadStatus.WAITING)[:NAMES_SHOWN]
        ],
        "messages_waiting": thread_counts(project)["waiting"],
        "total": sum(progress.values(), ProgressCounts()),
        "cost": cost,
        "rows": [(each, progress.get(each.annotator.pk, ProgressCounts())) for each in cost.people],
        "currency": options_of(project).currency,
        "stuck": [each for each in cost.people if each.forecast.remaining and not each.forecast.pace],
        "unassigned": project_size(project).unassigned,
        "seconds": SECONDS,
        "fastest": FASTEST,
        "longest_hours": MAX_DAY_SECONDS // 3600,
        "pace_days": WINDOW,
        **_unusual(project, unusual),
        **_agreement(project),
    }
    return render(request, f"agreement/{'_monitor' if request.htmx else 'monitor'}.html", context)


def _progress(project: Project) -> dict[int, ProgressCounts]:
    by_person: dict[int, ProgressCounts] = defaultdict(ProgressCounts)
    for (person, _phase), counts in progress_by_phase(Assignment.objects.filter(annotator__project=project)).items():
        by_person[person] += counts
    return dict(by_person)


def _unusual(project: Project, unusual: UnusualAnnotations) -> dict[str, Any]:
    labels = {label.key: label for label in scheme_in_words(project.labels).labels}
    return {
        "fast": [
            (
                unusual.people[who],
                len(submissions),
                [(each, unusual.pairs[each.pair]) for each in submissions[:NAMES_SHOWN]],
            )
            for who, submissions in sorted(unusual.fast.items(), key=lambda each: -len(each[1]))
        ],
        "long_days": [(unusual.people[each.annotator], each) for each in unusual.days],
        "slow": [(each, unusual.pairs[each.pair]) for each in unusual.slow],
        "unlike": [(each, unusual.people[each.annotator], labels.get(each.label)) for each in unusual.labels],
    }


def _agreement(project: Project) -> dict[str, Any]:
    """What the last report says, as far as one was computed: none is computed for this page."""
    rows = CachedReport.objects.filter(project=project, view=str(Scope()), body__isnull=False).order_by("-made")
    reports = rows.values("made", "language", "body__headline", "body__drifting")
    report = next((each for each in reports if each["language"] == get_language()), None) or reports.first()
    if report is None:
        return {"agreement": None, "drifting": []}
    # A sentence in another language than the page's is better than none.
    return {
        "agreement": {"headline": report["body__headline"], "language": report["language"], "made": report["made"]},
        "drifting": report["body__drifting"] or [],
    }


@person_page
@require_POST
def review(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Take an annotation off the queue, as it was when the lead saw it, or (`undo`) put it back."""
    access = lead_access(request.user, slug)
    annotation = review_get(access.project, pk)
    if "undo" in request.POST:
        review_remove(annotation=annotation)
        messages.success(request, _("The annotation is in the queue again."))
        return redirect("monitor", slug=slug)
    try:
        revision = parse_integer(request.POST.get("revision", ""))
    except NumberError:
        revision = -1  # which no annotation has
    review_set(annotation=annotation, revision=revision, by=request.user)
    messages.success(request, _("The annotation was removed from the queue until its annotator changes it."))
    return redirect("monitor", slug=slug)
