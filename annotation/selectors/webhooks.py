"""Reads of webhooks and of what was sent to them."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Project
from annotation.models.webhooks import DeliveryStatus, Webhook, WebhookDelivery
from annotation.number_parsing import MAX_INTEGER

OPEN = (DeliveryStatus.WAITING, DeliveryStatus.SENDING)
SOON = timedelta(minutes=1)
"""How long before its next attempt a delivery is waited for: the first retry comes after half of it."""


def webhook_list(project: Project) -> QuerySet[Webhook]:
    """A project's webhooks, each with how many deliveries wait (`open`) and how many failed for good (`failed`)."""
    return (
        Webhook.objects.filter(project=project, removed=None)
        .select_related("project", "made_by")
        .annotate(
            open=Count("deliveries", filter=Q(deliveries__status__in=OPEN)),
            failed=Count("deliveries", filter=Q(deliveries__status=DeliveryStatus.FAILED)),
        )
        .order_by("pk")
    )


def webhook_get(project: Project, pk: int) -> Webhook:
    """One of `webhook_list`. Raises NotFound."""
    row = webhook_list(project).filter(pk=pk).first() if pk <= MAX_INTEGER else None
    if row is None:
        raise no_webhook()
    return row


def no_webhook() -> NotFound:
    """The refusal for a webhook that isn't there."""
    return NotFound(_("There is no such webhook in this project. It may have been deleted."))


def delivery_list(hook: Webhook) -> QuerySet[WebhookDelivery]:
    """What was sent to a webhook or waits to be, the newest first."""
    return WebhookDelivery.objects.filter(webhook=hook).order_by("-pk")


def delivery_get(project: Project, hook: int, pk: int) -> WebhookDelivery:
    """One delivery, with its webhook. Raises NotFound."""
    webhook = webhook_get(project, hook)
    row = delivery_list(webhook).filter(pk=pk).first() if pk <= MAX_INTEGER else None
    if row is None:
        raise NotFound(_("There is no such delivery. Old ones are removed."))
    row.webhook = webhook
    return row


def webhooks_auto_disabled(project: Project) -> bool:
    """Whether a webhook of the project was disabled because too many attempts failed. One query."""
    return Webhook.objects.filter(project=project, disabled_at__isnull=False, removed=None).exists()


def webhooks_unreported() -> QuerySet[Webhook]:
    """Webhooks that were disabled because of failures, of which nobody has been told."""
    rows = Webhook.objects.filter(disabled_at__isnull=False, leads_notified=False, removed=None)
    return rows.select_related("project")


def deliveries_pending(hook: Webhook) -> bool:
    """Whether a worker is sending something to a webhook, or is to do so within `SOON`. One query."""
    soon = timezone.now() + SOON
    return (
        WebhookDelivery.objects.filter(webhook=hook)
        .filter(Q(status=DeliveryStatus.SENDING) | Q(status=DeliveryStatus.WAITING, due__lte=soon))
        .exists()
    )
