"""Events for webhooks: written with what happened, in its transaction, so that none is lost and none is made up."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from annotation.models import Annotation, Assignment, Project, Verdict
from annotation.models.webhooks import EventType, Webhook, WebhookDelivery
from annotation.webhook_payloads import payload


def events_write(*, project: Project, events: Mapping[EventType, Mapping[str, Any]]) -> int:
    """Write a delivery of each event for every webhook that wants it; returns how many. The caller's transaction.

    One query if there is no webhook, two if there are any. Workers find the deliveries by themselves.
    """
    hooks = list(Webhook.objects.filter(project=project, enabled=True).order_by("pk").values_list("pk", "events"))
    if not hooks:
        return 0
    now = timezone.now()
    bodies = {event: payload(event, slug=project.slug, data=data, at=now) for event, data in events.items()}
    rows = [
        WebhookDelivery(webhook_id=pk, message=message_id(), event=event, body=body, made=now, due=now)
        for pk, subscribed in hooks
        for event, body in bodies.items()
        if event in subscribed
    ]
    return len(WebhookDelivery.objects.bulk_create(rows)) if rows else 0


def message_id() -> str:
    """A new id, which receivers use to recognise what they have had already."""
    return f"msg_{uuid.uuid4().hex}"


def submission_write(*, assignment: Assignment, annotation: Annotation, project: Project) -> None:
    """The events of a submission."""
    data = {
        "assignment": assignment.pk,
        "pair": assignment.pair_id,
        "annotator": assignment.annotator_id,
        "phase": assignment.phase,
        "round": assignment.round,
        "verdict": annotation.verdict,
        "revision": annotation.revision,
    }
    events = {EventType.SUBMITTED: data}
    if annotation.verdict == Verdict.FLAGGED:
        events[EventType.FLAGGED] = data
    events_write(project=project, events=events)
