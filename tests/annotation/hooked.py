"""Webhooks of a receiver, their events, and a clock that only the test moves."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from annotation.models import Project
from annotation.models.webhooks import EventType, Webhook, WebhookDelivery
from annotation.services.webhook_events import events_write
from annotation.services.webhooks import EVENTS, NewWebhook, webhook_create
from tests.annotation.receiver import Receiver
from tests.factories import ProjectFactory


class Clock:
    """The time, which only the test moves."""

    def __init__(self) -> None:
        self.now = timezone.now()

    def __call__(self) -> datetime:
        return self.now

    def on(self, by: timedelta) -> None:
        self.now += by


def hooked(receiver: Receiver, project: Project | None = None) -> NewWebhook:
    made = project or ProjectFactory(slug="town")
    return webhook_create(project=made, url=receiver.url, events=EVENTS, by=None)


def happen(hook: Webhook, version: int = 1) -> WebhookDelivery:
    events_write(project=hook.project, events={EventType.GOLD: {"version": version}})
    return WebhookDelivery.objects.latest("pk")
