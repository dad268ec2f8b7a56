"""The page of gold that a worker makes: its progress and its result."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from agreement.blind import Redactor
from agreement.gold.services.jobs import VersionOrJob, gold_job_cancel, gold_job_retry
from agreement.gold.status import may_manage_job
from agreement.gold.views.base import REFRESH_SECONDS, render_page
from agreement.models import GoldJob
from agreement.selectors import gold_job_get
from annotation.errors import DomainError, Invalid
from annotation.models import JobStatus
from annotation.permissions import Access, adjudicator_access, lead_access
from annotation.selectors.workers import CPU, workers_alive
from annotation.views.base import AuthenticatedRequest, person_page


def redirect_to_result(
    request: AuthenticatedRequest, access: Access, action: str, result: VersionOrJob
) -> HttpResponse:
    """Redirect to what was made at once, or to the page that waits for it."""
    slug = access.project.slug
    if isinstance(result, GoldJob):
        return redirect("gold-job", slug, result.pk)
    if action != GoldJob.OPEN:
        messages.success(request, _("Gold version %(number)s was created.") % {"number": result.number})
    return redirect(_result_url(slug, action, result.number))


def _result_url(slug: str, action: str, number: int) -> str:
    if action == GoldJob.OPEN:
        return reverse("manual-adjudication", args=[slug])
    return reverse("gold-version", args=[slug, number])


@person_page
@require_http_methods(["GET", "HEAD", "POST"])
def job(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """What a worker is making, with status 202 until it is done; then a redirect to it.

    Until then the page polls its own status. A POST cancels or retries it: for leads, and for adjudicators if it is a
    draft that is opened.
    """
    access = adjudicator_access(request.user, slug)
    gold_job = gold_job_get(access.project, pk)
    if request.method == "POST":
        return _act(request, access, gold_job)
    if gold_job.status == JobStatus.DONE and gold_job.version is not None:
        return _redirect(request, _result_url(slug, gold_job.action, gold_job.version))
    waiting = gold_job.status != JobStatus.FAILED
    if request.htmx and not waiting:
        return HttpResponse(headers={"HX-Refresh": "true"})
    state = f"{gold_job.status}-{gold_job.done}"
    context = {
        "job": gold_job,
        "waiting": waiting,
        "state": state,
        "may_act": may_manage_job(access, gold_job),
        "problem": Redactor(access.project, hidden=access.blind, viewer=request.user)(gold_job.problem),
        "unattended": waiting and not workers_alive(CPU),
    }
    page = "_gold_job" if request.htmx else "gold_job"
    response = render_page(request, page, access, **context)
    if waiting:
        response.status_code = 202
        response["Retry-After"] = str(REFRESH_SECONDS)
        if request.GET.get("seen") == state:
            response["HX-Reswap"] = "none"  # what is there says so already, and need not be read out again
    return response


def _redirect(request: AuthenticatedRequest, address: str) -> HttpResponse:
    """A redirect, which htmx follows as a whole page."""
    if request.htmx:
        return HttpResponse(headers={"HX-Redirect": address})
    return redirect(address)


def _act(request: AuthenticatedRequest, access: Access, job: GoldJob) -> HttpResponse:
    if not may_manage_job(access, job):
        lead_access(request.user, access.project.slug)
    slug, action = access.project.slug, request.POST.get("action", "")
    try:
        if action == "cancel":
            gold_job_cancel(job=job)
            messages.info(request, _("Cancelled. No changes were made."))
            return redirect("adjudication", slug)
        if action == "retry":
            job = gold_job_retry(job=job, by=request.user)
        else:
            raise Invalid(_("Choose what to do: cancel or try again."), where="action")
    except DomainError as error:
        messages.error(request, str(error))
    return redirect("gold-job", slug, job.pk)
