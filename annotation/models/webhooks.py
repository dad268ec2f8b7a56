"""Webhooks: addresses that are notified of what happens in a project. Rows only, as in `core`."""

from __future__ import annotations

from django.db import models

from annotation.models.core import Project, User
from annotation.models.jobs import Job


class EventType(models.TextChoices):
    """What can be notified of; a test is sent on request alone."""

    SUBMITTED = "pair.submitted", "pair.submitted"
    FLAGGED = "pair.flagged", "pair.flagged"
    RUN = "run.finished", "run.finished"
    GOLD = "gold.made", "gold.made"
    PUBLICATION = "publication.ready", "publication.ready"
    TEST = "webhook.test", "webhook.test"


class DeliveryStatus(models.TextChoices):
    """What has become of a notification. No `JobStatus`: an attempt that fails ends the job of a worker, but not the
    delivery, which waits for its next attempt until the receiver takes it or all attempts are spent.
    """

    WAITING = "waiting", "waiting"
    SENDING = "sending", "sending"
    DELIVERED = "delivered", "delivered"
    FAILED = "failed", "failed"


class Webhook(models.Model):
    """An address that leads registered, and the types of events that are sent there.

    The secret that signs is not stored: it is derived from the site's key and `nonce`, so that a copy of the database
    signs nothing. `earlier_nonces` are those of secrets that were replaced, each with the time until which it signs
    too. `failures` attempts in a row failed, the first of them at `failing_since`; until `held_until` nothing is sent.
    `last_sent` is when something was: the webhook that waits longest is next. `disabled_at` is when it was disabled
    because of them, and `leads_notified` whether the leads were notified. One that was `removed` has no address and is
    deleted a little later: a submission that is being written may still refer to it.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    events = models.JSONField(default=list)
    enabled = models.BooleanField(default=True)
    nonce = models.CharField(max_length=64)
    earlier_nonces = models.JSONField(default=list, blank=True)
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)
    held_until = models.DateTimeField(null=True, blank=True)
    last_sent = models.DateTimeField(null=True, blank=True)
    disabled_at = models.DateTimeField(null=True, blank=True)
    leads_notified = models.BooleanField(default=False)
    removed = models.DateTimeField(null=True, blank=True)
    made = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("project", "pk")

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.project}"


class WebhookDelivery(Job):
    """One event for one webhook: a job, done by sending `body`, which never changes, until the receiver takes it.

    `message` is the id that all attempts have. `tried` counts attempts that were made, `due` is when the next one may
    be. `code` and `answer` are the last response's status and the beginning of its text; `problem` is why there was
    none, or why it did not count.
    """

    Status = DeliveryStatus

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    message = models.CharField(max_length=64, unique=True)
    event = models.CharField(max_length=20, choices=EventType.choices)
    body = models.TextField()
    status = models.CharField(max_length=9, choices=DeliveryStatus.choices, default=DeliveryStatus.WAITING)
    made = models.DateTimeField()
    tried = models.PositiveSmallIntegerField(default=0)
    due = models.DateTimeField(null=True, blank=True)
    last = models.DateTimeField(null=True, blank=True)
    code = models.PositiveSmallIntegerField(null=True, blank=True)
    answer = models.CharField(max_length=500, blank=True)
    problem = models.CharField(max_length=20, blank=True)

    class Meta:
        ordering = ("webhook", "-pk")
        indexes = (
            models.Index(fields=("status", "due"), name="webhook_delivery_due"),
            models.Index(fields=("made",), name="webhook_delivery_made"),
        )

    def __str__(self) -> str:
        return f"{self.event} {self.message}"
