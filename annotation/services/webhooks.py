"""Writes of webhooks: registered, changed, given a new secret, removed; a test sent, a delivery sent again."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.job_notifications import notify
from annotation.models import Project, User
from annotation.models.lifecycle import ProjectEventType
from annotation.models.webhooks import DeliveryStatus, EventType, Webhook, WebhookDelivery
from annotation.outgoing_requests import is_private_literal, parse_url
from annotation.security_events import security_event
from annotation.selectors.webhooks import no_webhook
from annotation.services.archive_check import changes_project
from annotation.services.audit_events import event_record
from annotation.services.webhook_events import message_id
from annotation.webhook_payloads import payload

MAX_WEBHOOKS = 10
FORMER_SECRET = timedelta(days=1)
MAX_FORMER_SECRETS = 20
"""Former secrets that sign at most: each makes a header longer."""
"""How long the secret before a rotation still signs, so that receivers can change over."""
DELIVERIES_NAME = "webhooks"
EVENTS = tuple(each for each in EventType if each != EventType.TEST)
"""Those that a webhook can be registered for."""


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """A webhook with its secret, which is shown only now."""

    webhook: Webhook
    secret: str


def _secret(pk: int, nonce: str) -> str:
    key = salted_hmac("annotation.webhook", f"{pk}:{nonce}", algorithm="sha256").digest()
    return f"whsec_{base64.b64encode(key).decode()}"


def webhook_secrets(hook: Webhook, now: datetime) -> list[str]:
    """The secrets that sign at a time: the newest first."""
    return [_secret(hook.pk, nonce) for nonce in (hook.nonce, *(nonce for nonce, _until in _earlier_nonces(hook, now)))]


def _earlier_nonces(hook: Webhook, now: datetime) -> list[list[str]]:
    """The nonces of replaced secrets that sign at a time, and until when, the newest first."""
    return [[nonce, until] for nonce, until in hook.earlier_nonces if now < datetime.fromisoformat(until)]


def url_host(url: str) -> str:
    """What may be said of an address: its path and query may hold a secret of the receiver's."""
    return parse_url(url).host


def check_url(url: str) -> None:
    """Raises Invalid unless it is an address to which deliveries may go, as far as this can be said without asking."""
    try:
        parsed = parse_url(url)
    except ValueError:
        raise Invalid(
            _("This is not a web address that can receive notifications."),
            where="url",
            hint=_("It must begin with https:// or http://, without a username, password or “#”."),
        ) from None
    if not settings.PRIVATE_ADDRESSES and is_private_literal(parsed.host):
        raise Invalid(
            _("This address is inside a private network, which this server may not call."),
            code="private-address",
            where="url",
            hint=_("Give one that can be reached from the internet, or ask your server administrator."),
        )


def check_events(events: Collection[str]) -> list[str]:
    """The events in their usual order. Raises Invalid for an unknown one, or none."""
    unknown = set(events) - {each.value for each in EVENTS}
    if unknown or not events:
        raise Invalid(_("Choose at least one of the events."), where="events", hint=", ".join(EVENTS))
    return [each.value for each in EVENTS if each in events]


@changes_project()
@transaction.atomic
def webhook_create(*, project: Project, url: str, events: Collection[str], by: User | None) -> NewWebhook:
    """Register an address. Raises Invalid naming the field, or Conflict if it is registered, or there are too many."""
    check_url(url)
    chosen = check_events(events)
    # One at a time, so that two of one address can't be made at once.
    locked = Project.objects.select_for_update().get(pk=project.pk)
    registered = Webhook.objects.filter(project=locked, removed=None)
    _check_free(registered, url)
    if registered.count() >= MAX_WEBHOOKS:
        raise Conflict(
            _("This project has %(n)s webhooks already.") % {"n": MAX_WEBHOOKS},
            code="too-many",
            hint=_("Delete one that you no longer use."),
        )
    nonce = secrets.token_hex(16)
    hook = Webhook.objects.create(project=locked, url=url, events=chosen, nonce=nonce, made_by=by)
    _record(hook, "added", by)
    return NewWebhook(hook, _secret(hook.pk, nonce))


def _check_free(registered: QuerySet[Webhook], url: str) -> None:
    if registered.filter(url=url).exists():
        raise Conflict(_("This address is registered already."), code="taken", where="url")


@transaction.atomic
def webhook_change(
    *, hook: Webhook, url: str | None = None, events: Collection[str] | None = None, enabled: bool | None = None,
    by: User | None,
) -> Webhook:  # fmt: skip
    """Change what is given. Raises as `webhook_create`.

    With another address, and when it is enabled, its failures are forgotten and what waits is sent at once.
    """
    locked = _locked(hook)
    before = (locked.url, locked.events, locked.enabled)
    if url is not None and url != locked.url:
        check_url(url)
        _check_free(Webhook.objects.filter(project=locked.project_id, removed=None), url)
        locked.url = url
        _forget_failures(locked)
    if events is not None:
        locked.events = check_events(events)
    if enabled is not None:
        locked.enabled = enabled
        if enabled:
            locked.disabled_at = None
            _forget_failures(locked)
    locked.save()
    if (locked.url, locked.events) != before[:2]:
        _record(locked, "changed", by)
    if locked.enabled != before[2]:
        _record(locked, "enabled" if locked.enabled else "disabled", by)
    return locked


def _forget_failures(locked: Webhook) -> None:
    locked.failures, locked.failing_since, locked.held_until = 0, None, None
    WebhookDelivery.objects.filter(webhook=locked, status=DeliveryStatus.WAITING).update(due=timezone.now())


@transaction.atomic
def webhook_rotate(*, hook: Webhook, by: User | None) -> NewWebhook:
    """A new secret; the one before signs too for a day, and so do those that were replaced in the last day."""
    locked = _locked(hook)
    now = timezone.now()
    replaced = [locked.nonce, (now + FORMER_SECRET).isoformat()]
    locked.earlier_nonces = [replaced, *_earlier_nonces(locked, now)][:MAX_FORMER_SECRETS]
    locked.nonce = secrets.token_hex(16)
    locked.save(update_fields=["nonce", "earlier_nonces"])
    _record(locked, "rotated", by)
    return NewWebhook(locked, _secret(locked.pk, locked.nonce))


@transaction.atomic
def webhook_remove(*, hook: Webhook, by: User | None) -> None:
    """Remove a webhook with its log; nothing more is sent to it."""
    locked = _locked(hook)
    _record(locked, "removed", by)
    WebhookDelivery.objects.filter(webhook=locked).delete()
    locked.url, locked.nonce, locked.earlier_nonces, locked.enabled = "", "", [], False
    locked.removed = timezone.now()
    locked.save()


@transaction.atomic
def webhook_test(*, hook: Webhook) -> WebhookDelivery:
    """Send a test event, which is delivered as any other. Raises Conflict if the webhook is disabled."""
    _check_enabled(hook)
    now = timezone.now()
    Webhook.objects.filter(pk=hook.pk).update(held_until=None)
    body = payload(EventType.TEST, slug=hook.project.slug, data={"webhook": hook.pk}, at=now)
    row = WebhookDelivery.objects.create(
        webhook=hook, message=message_id(), event=EventType.TEST, body=body, made=now, due=now
    )
    transaction.on_commit(lambda: notify(DELIVERIES_NAME))
    return row


@transaction.atomic
def delivery_resend(*, row: WebhookDelivery) -> WebhookDelivery:
    """Send a delivery that has ended, or waits, again at once: the same body under the same id.

    Raises Conflict while it is being sent, and if its webhook is disabled.
    """
    _check_enabled(row.webhook)
    now = timezone.now()
    Webhook.objects.filter(pk=row.webhook_id).update(held_until=None)
    resendable = WebhookDelivery.objects.filter(pk=row.pk).exclude(status=DeliveryStatus.SENDING)
    if not resendable.update(status=DeliveryStatus.WAITING, due=now, tried=0, attempts=0):
        raise Conflict(_("This is being sent at the moment."), code="sending", where=row.message)
    transaction.on_commit(lambda: notify(DELIVERIES_NAME))
    row.refresh_from_db()
    return row


@transaction.atomic
def deliveries_resend_failed(*, hook: Webhook) -> int:
    """Send all deliveries again that were given up; returns how many. Raises Conflict if the webhook is disabled, or
    there are none.
    """
    _check_enabled(hook)
    failed = WebhookDelivery.objects.filter(webhook=hook, status=DeliveryStatus.FAILED)
    count = failed.update(status=DeliveryStatus.WAITING, due=timezone.now(), tried=0, attempts=0)
    if not count:
        raise Conflict(_("There are no failed deliveries."), code="none-failed")
    Webhook.objects.filter(pk=hook.pk).update(held_until=None)
    transaction.on_commit(lambda: notify(DELIVERIES_NAME))
    return count


def _check_enabled(hook: Webhook) -> None:
    if not hook.enabled:
        raise Conflict(_("This webhook is disabled."), code="disabled", hint=_("Enable it first."))


def webhook_locked(pk: int) -> Webhook | None:
    """A webhook that was not removed, locked until the transaction ends; events for it can be written meanwhile."""
    rows = Webhook.objects.select_for_update(of=("self",), no_key=True).select_related("project")
    return rows.filter(pk=pk, removed=None).first()


def _locked(hook: Webhook) -> Webhook:
    """Raises NotFound if it was removed."""
    locked = webhook_locked(hook.pk)
    if locked is None:
        raise no_webhook()
    return locked


def _record(hook: Webhook, action: str, by: User | None) -> None:
    event_record(project=hook.project, what=ProjectEventType.WEBHOOK, by=by, action=action, host=url_host(hook.url))
    security_event(f"webhook {action}", project=hook.project_id, webhook=hook.pk)
