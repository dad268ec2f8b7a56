"""Messages of a project, for its leads: the list, and one thread with its answer. Annotators have the workspace."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.forms.messages import MessageForm
from annotation.permissions import lead_access
from annotation.selectors.threads import (
    STATUSES,
    ThreadStatus,
    lead_read_state,
    thread_counts,
    thread_get,
    threads_listed,
    threads_new_to,
    threads_of,
)
from annotation.services.thread_read_marks import threads_read
from annotation.services.threads import thread_answer, thread_reopen, thread_resolve
from annotation.views.absolute_urls import site_origin
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show
from annotation.views.message_mail import thread_mail

PAGE = 20


@person_page
@require_safe
def threads(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The project's threads by status: what waits for a lead comes first."""
    access = lead_access(request.user, slug)
    status = request.GET.get("status", "")
    status = status if status in STATUSES else ThreadStatus.OPEN.value
    listed = threads_listed(threads_of(access.project, of=None), status)
    page = Paginator(listed, PAGE).get_page(request.GET.get("page"))
    rows = [(each, lead_read_state(each, request.user)) for each in page]
    numbers = {"counts": thread_counts(access.project), "new": threads_new_to(access.project, request.user)}
    shown = {"status": status, "ThreadStatus": ThreadStatus, "query": f"status={status}"}
    return show(request, "threads", access, page=page, rows=rows, **shown, **numbers)


@person_page
def thread(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """One thread: answer it, resolve it, or open it again. `from=pair` goes back to the page of the pair."""
    access = lead_access(request.user, slug)
    row = thread_get(access.project, pk, of=None)
    back = reverse("thread", args=(slug, pk))
    if request.POST.get("from") == "pair":
        back = f"{reverse('pair', args=(slug, row.assignment.pair_id))}#thread-{pk}"
    if "resolve" in request.POST:
        thread_resolve(thread=row, by=request.user)
        messages.success(request, _("Resolved."))
        return redirect(back)
    if "reopen" in request.POST:
        thread_reopen(thread=row)
        messages.success(request, _("Reopened."))
        return redirect(back)
    form = MessageForm(request.POST if request.method == "POST" else None, auto_id=f"answer-{pk}-%s")
    if form.is_valid():
        text = form.cleaned_data["text"]
        if attempt(form, lambda: thread_answer(thread=row, by=request.user, text=text)):
            thread_mail(thread_get(access.project, pk, of=None), origin=site_origin(request))
            messages.success(request, _("Sent."))
            return redirect(back)
    read_state = lead_read_state(row, request.user)
    threads_read(threads=[row], by=request.user)
    return show(request, "thread", access, thread=row, read_state=read_state, form=form)
