"""Webhooks of a project, for its leads: the list, and one webhook with its log."""

from __future__ import annotations

import hashlib

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from annotation.display_names import DELIVERY_PROBLEMS, EVENT_NAMES
from annotation.errors import Invalid
from annotation.forms.webhooks import WebhookForm
from annotation.models.webhooks import EventType, Webhook, WebhookDelivery
from annotation.permissions import Access, lead_access
from annotation.selectors.webhooks import (
    deliveries_pending,
    delivery_get,
    delivery_list,
    webhook_get,
    webhook_list,
)
from annotation.selectors.workers import CPU, workers_alive
from annotation.services.webhook_deliveries import RETENTION
from annotation.services.webhooks import (
    FORMER_SECRET,
    MAX_WEBHOOKS,
    NewWebhook,
    deliveries_resend_failed,
    delivery_resend,
    webhook_change,
    webhook_create,
    webhook_remove,
    webhook_rotate,
    webhook_test,
)
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show

PAGE = 20
EVENTS_AND_TEST = {**EVENT_NAMES, EventType.TEST.value: EventType.TEST.value}


@person_page
def webhooks(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The list, and the form for a new webhook, whose secret the answer alone shows."""
    access = lead_access(request.user, slug)
    form = WebhookForm(request.POST if request.method == "POST" else None)
    created: NewWebhook | None = None
    if form.is_bound and form.is_valid():
        created = attempt(form, lambda: webhook_create(project=access.project, by=request.user, **form.cleaned_data))
    if created is not None:
        return _page(request, access, created.webhook.pk, created=created)
    rows = list(webhook_list(access.project))
    return show(
        request,
        "webhooks",
        access,
        form=form,
        rows=rows,
        names=EVENT_NAMES,
        disabled=sum(not row.enabled for row in rows),
        room=len(rows) < MAX_WEBHOOKS,
    )


@person_page
def webhook(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """One webhook: change it, and see what was sent to it."""
    access = lead_access(request.user, slug)
    hook = webhook_get(access.project, pk)
    form = _form(hook, request)
    if form.is_bound and form.is_valid():
        data = form.cleaned_data
        if attempt(form, lambda: webhook_change(hook=hook, by=request.user, **data)):
            messages.success(request, _("Saved."))
            return redirect("webhook", slug=slug, pk=pk)
    return _page(request, access, pk, form=form)


def _form(hook: Webhook, request: AuthenticatedRequest | None = None) -> WebhookForm:
    sent = request.POST if request is not None and request.method == "POST" else None
    return WebhookForm(sent, initial={"url": hook.url, "events": hook.events})


def _page(
    request: AuthenticatedRequest,
    access: Access,
    pk: int,
    *,
    form: WebhookForm | None = None,
    created: NewWebhook | None = None,
) -> HttpResponse:
    hook = webhook_get(access.project, pk)
    pending = hook.enabled and deliveries_pending(hook)
    page = Paginator(delivery_list(hook), PAGE).get_page(request.GET.get("page"))
    state = _state(hook, page)
    response = show(
        request,
        "_webhook_log" if request.htmx else "webhook",
        access,
        hook=hook,
        state=state,
        form=form or _form(hook),
        made=created,
        page=page,
        query="",
        pending=pending,
        unattended=pending and not workers_alive(CPU),
        names=EVENTS_AND_TEST,
        problems=DELIVERY_PROBLEMS,
        kept=RETENTION.days,
        former_hours=int(FORMER_SECRET.total_seconds() // 3600),
    )
    if request.htmx and pending and request.GET.get("seen") == state:
        response["HX-Reswap"] = "none"  # what is there says so already, and someone may be reading it
    return response


def _state(hook: Webhook, page: Page[WebhookDelivery]) -> str:
    """A digest of what the log shows."""
    rows = [(row.pk, row.status, row.tried, row.code, row.due) for row in page]
    return hashlib.sha256(repr((hook.enabled, rows)).encode()).hexdigest()[:16]


@person_page
@require_POST
def act(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """What `do` names: test, enable, disable, resend (all that was given up), or rotate (a new secret, shown once)."""
    access = lead_access(request.user, slug)
    hook = webhook_get(access.project, pk)
    match request.POST.get("do"):
        case "test":
            webhook_test(hook=hook)
            messages.success(request, _("A test event is on its way. The log below shows the result."))
        case "enable":
            webhook_change(hook=hook, enabled=True, by=request.user)
            messages.success(request, _("The webhook is enabled."))
        case "disable":
            webhook_change(hook=hook, enabled=False, by=request.user)
            messages.success(request, _("The webhook is disabled: nothing is sent to it."))
        case "rotate":
            return _page(request, access, pk, created=webhook_rotate(hook=hook, by=request.user))
        case "resend":
            count = deliveries_resend_failed(hook=hook)
            text = ngettext("%(n)s delivery is being sent again.", "%(n)s deliveries are being sent again.", count)
            messages.success(request, text % {"n": count})
        case _:
            raise Invalid(_("There is no such action for a webhook."), where="do")
    return redirect("webhook", slug=slug, pk=pk)


@person_page
def delete(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Delete a webhook, after asking for confirmation."""
    access = lead_access(request.user, slug)
    hook = webhook_get(access.project, pk)
    if request.method == "POST":
        webhook_remove(hook=hook, by=request.user)
        messages.success(request, _("The webhook was deleted."))
        return redirect("webhooks", slug=slug)
    return show(request, "webhook_delete", access, hook=hook)


@person_page
@require_POST
def resend(request: AuthenticatedRequest, slug: str, pk: int, delivery: int) -> HttpResponse:
    """Send a delivery again, under the same id."""
    row = delivery_get(lead_access(request.user, slug).project, pk, delivery)
    delivery_resend(row=row)
    messages.success(request, _("The event is being sent again. The log below shows the result."))
    return redirect("webhook", slug=slug, pk=pk)
