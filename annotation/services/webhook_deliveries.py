"""Deliveries to webhooks: sent by workers, again and again with growing waits, until the receiver takes them.

What a killed worker had started is sent again by the next one, under the same id: a receiver may get it twice, and
never not at all. Their order is not guaranteed.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, When
from django.db.models.functions import Now
from django.utils import timezone

from annotation.models.lifecycle import ProjectEventType
from annotation.models.webhooks import DeliveryStatus, Webhook, WebhookDelivery
from annotation.outgoing_requests import HttpResult, Unreachable, post
from annotation.security_events import security_event
from annotation.services.audit_events import event_record
from annotation.services.claims import Heartbeat, claim_finish
from annotation.services.jobs import JobKind
from annotation.services.webhooks import url_host, webhook_locked, webhook_secrets

FIRST_WAIT = timedelta(seconds=30)
GROWTH = 4
MAX_WAIT = timedelta(hours=12)
MAX_TRIES = 8
"""With these waits, for about a day."""
MAX_PAUSE = timedelta(minutes=1)
"""How long one failure holds up a webhook's other deliveries, at most: a silent server would keep all workers busy."""
DISABLE_AFTER = timedelta(days=3)
DISABLE_TRIES = 10
"""A webhook is disabled once this many attempts in a row have failed, over this time."""
GONE = 410
"""The status by which a receiver says that it wants no more."""
RETENTION = timedelta(days=30)
REMOVED_AFTER = timedelta(hours=1)
REMOVED_AT_ONCE = 1000
RESPONSE_CHARACTERS = 500
USER_AGENT = "Diptych"
STATUS, REDIRECT, WORKER = "status", "redirect", "worker"
"""Problems besides those of `annotation.outgoing_requests.FailureReason`."""


def wait_after(tries: int) -> timedelta:
    """How long to wait after the attempt numbered `tries`, from 1."""
    # The exponent is limited too, for a webhook may have failed thousands of times.
    times = math.pow(GROWTH, min(tries - 1, 10))
    return min(FIRST_WAIT * times, MAX_WAIT)


def signed_headers(hook: Webhook, row: WebhookDelivery, now: datetime) -> dict[str, str]:
    """The headers of Standard Webhooks, signed with the secret, and for a day after a rotation with the former too."""
    from standardwebhooks import Webhook as Signer

    signatures = [Signer(secret).sign(row.message, now, row.body) for secret in webhook_secrets(hook, now)]
    return {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "webhook-id": row.message,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _deliver(row: WebhookDelivery, heartbeat: Heartbeat) -> None:
    hook, now = row.webhook, timezone.now()
    headers = signed_headers(hook, row, now)
    heartbeat.check()
    Webhook.objects.filter(pk=hook.pk).update(last_sent=now)
    try:
        response = post(hook.url, row.body.encode(), headers, private=settings.PRIVATE_ADDRESSES)
    except Unreachable as error:
        delivery_failed(row=row, problem=error.reason.value)
        return
    if 200 <= response.status < 300:
        _delivered(row, response)
        return
    delivery_failed(row=row, problem=REDIRECT if 300 <= response.status < 400 else STATUS, response=response)


def _delivered(row: WebhookDelivery, response: HttpResult) -> None:
    with transaction.atomic():
        # Everywhere a webhook's row is locked before its deliveries', so that no two processes wait for each other.
        failing = Webhook.objects.filter(pk=row.webhook_id, failures__gt=0)
        failing.update(failures=0, failing_since=None, held_until=None)
        claim_finish(row, status=DeliveryStatus.DELIVERED, **_attempt_fields(row, response, ""), due=None)


def delivery_failed(*, row: WebhookDelivery, problem: str, response: HttpResult | None = None) -> None:
    """Write a failed attempt of a claimed delivery, and when the next one may be; disable a webhook that is broken."""
    now, tries = timezone.now(), row.tried + 1
    ended = tries >= MAX_TRIES
    fields: dict[str, Any] = {
        "status": DeliveryStatus.FAILED if ended else DeliveryStatus.WAITING,
        "due": None if ended else now + wait_after(tries),
        "attempts": 0,
    }
    with transaction.atomic():
        hook = webhook_locked(row.webhook_id)
        claim_finish(row, **fields, **_attempt_fields(row, response, problem))
        if hook is not None:
            _note_failure(hook, now, gone=response is not None and response.status == GONE)


def _note_failure(hook: Webhook, now: datetime, *, gone: bool) -> None:
    hook.failures += 1
    hook.failing_since = hook.failing_since or now
    hook.held_until = now + min(wait_after(hook.failures), MAX_PAUSE)
    long = hook.failures >= DISABLE_TRIES and now - hook.failing_since >= DISABLE_AFTER
    if hook.enabled and (long or gone):
        hook.enabled, hook.disabled_at, hook.leads_notified = False, now, False
        event_record(project=hook.project, what=ProjectEventType.WEBHOOK, action="broken", host=url_host(hook.url))
        security_event("webhook disabled after failures", project=hook.project_id, webhook=hook.pk)
    hook.save(update_fields=["failures", "failing_since", "held_until", "enabled", "disabled_at", "leads_notified"])


def _attempt_fields(row: WebhookDelivery, response: HttpResult | None, problem: str) -> dict[str, Any]:
    text = response.start.decode("utf-8", "replace") if response else ""
    printable = "".join(each if each.isprintable() else " " for each in text)
    return {
        "tried": row.tried + 1,
        "last": timezone.now(),
        "code": response.status if response else None,
        "answer": printable.strip()[:RESPONSE_CHARACTERS],
        "problem": problem,
    }


def _unfinished() -> QuerySet[WebhookDelivery]:
    """What is due, one delivery at a time for a webhook: those whose last attempt failed come after the others, and
    of either the one that has waited longest is first.

    So a slow receiver, however many deliveries it has, keeps one worker busy at most; and however many fail, the others
    wait for one attempt of them at most.
    """
    now = timezone.now()
    lease = timedelta(seconds=settings.JOB_LEASE_SECONDS)
    sending = WebhookDelivery.objects.filter(status=DeliveryStatus.SENDING, heartbeat__gt=Now() - lease)
    busy = list(sending.values_list("webhook_id", flat=True))
    waiting = Q(status=DeliveryStatus.WAITING, due__lte=now) & ~Q(webhook__in=busy)
    due = Q(status=DeliveryStatus.SENDING) | waiting
    free = Q(webhook__held_until=None) | Q(webhook__held_until__lte=now)
    deliveries = WebhookDelivery.objects.filter(due, free, webhook__enabled=True, webhook__project__staged=False)
    failing = Case(When(webhook__failures=0, then=0), default=1)
    longest = F("webhook__last_sent").asc(nulls_first=True)
    return deliveries.select_related("webhook__project").order_by(failing, longest, "due", "pk")


DELIVERIES: JobKind[WebhookDelivery] = JobKind(
    name="webhooks",
    unfinished=_unfinished,
    perform=_deliver,
    failed=lambda row, problem: {"status": DeliveryStatus.FAILED, "problem": WORKER, "due": None},
    claimed={"status": DeliveryStatus.SENDING},
    released={"status": DeliveryStatus.WAITING},
)


def deliveries_prune() -> int:
    """Delete deliveries after `RETENTION`, and webhooks that were removed; returns how many deliveries there were."""
    now = timezone.now()
    Webhook.objects.filter(removed__lt=now - REMOVED_AFTER).delete()
    # One that a killed worker left is not being sent: nothing takes that long.
    sending = Q(status=DeliveryStatus.SENDING, heartbeat__gt=now - REMOVED_AFTER)
    old = WebhookDelivery.objects.filter(made__lt=now - RETENTION).exclude(sending).order_by("pk")
    gone = 0
    while keys := list(old.values_list("pk", flat=True)[:REMOVED_AT_ONCE]):
        WebhookDelivery.objects.filter(pk__in=keys).delete()
        gone += len(keys)
    return gone
