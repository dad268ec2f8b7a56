"""Webhooks whose deliveries fail for days are disabled, and their leads told; others are not."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from annotation.models import Role
from annotation.models.webhooks import Webhook, WebhookDelivery
from annotation.selectors.audit import AuditTrail
from annotation.services.jobs import jobs_run
from annotation.services.webhook_deliveries import DELIVERIES, DISABLE_TRIES
from annotation.services.webhook_notices import notices_send
from annotation.services.webhooks import webhook_change
from tests.annotation.hooked import Clock, happen, hooked
from tests.annotation.receiver import Receiver
from tests.factories import AnnotatorFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nobody_notified")]


def broken(receiver: Receiver, clock: Clock, hook: Webhook) -> None:
    """Events every six hours, none of which is taken, until the webhook is disabled."""
    receiver.statuses = [500]
    for version in range(1, 40):
        happen(hook, version)
        jobs_run(DELIVERIES)
        hook.refresh_from_db()
        if not hook.enabled:
            return
        clock.on(timedelta(hours=6))
    pytest.fail("never disabled")


def test_a_webhook_that_fails_for_days_is_disabled_and_its_leads_are_told(
    receiver: Receiver, clock: Clock, settings: Any
) -> None:
    settings.EMAIL = {"EMAIL_HOST": "localhost"}
    hook = hooked(receiver).webhook
    project = hook.project
    for name, role in (("lena", Role.LEAD), ("anna", Role.ANNOTATOR)):
        user = AnnotatorFactory(project=project, role=role, user__username=name).user
        user.email = f"{name}@example.org"
        user.save()
    began = clock.now
    broken(receiver, clock, hook)
    assert hook.disabled_at == clock.now and timedelta(days=3) <= clock.now - began < timedelta(days=4)
    assert hook.failures >= DISABLE_TRIES
    newest = AuditTrail(project, kind="settings")[:1][0]
    assert (newest.what, newest.by) == ("Webhook disabled because deliveries failed", "")
    assert notices_send() == 1 and notices_send() == 0
    (sent,) = mail.outbox
    assert sent.to == ["lena@example.org"] and "127.0.0.1" in sent.body and "/hook" not in sent.body
    assert jobs_run(DELIVERIES) == 0
    receiver.statuses = [200]
    webhook_change(hook=hook, enabled=True, by=None)
    clock.on(timedelta(days=1))
    jobs_run(DELIVERIES)
    assert not WebhookDelivery.objects.filter(status="waiting").exists()


def test_without_e_mail_the_page_alone_says_it(receiver: Receiver, clock: Clock) -> None:
    hook = hooked(receiver).webhook
    broken(receiver, clock, hook)
    assert notices_send() == 0 and Webhook.objects.get().leads_notified and mail.outbox == []


def test_a_success_in_between_begins_the_count_anew(receiver: Receiver, clock: Clock) -> None:
    hook = hooked(receiver).webhook
    receiver.statuses = [500, 500, 200, 500]
    for version in range(1, 5):
        happen(hook, version)
        jobs_run(DELIVERIES)
        clock.on(timedelta(days=2))
    hook.refresh_from_db()
    assert hook.enabled


def test_many_failures_within_hours_do_not_disable(receiver: Receiver, clock: Clock) -> None:
    hook = hooked(receiver).webhook
    receiver.statuses = [500]
    for version in range(1, 30):
        happen(hook, version)
        jobs_run(DELIVERIES)
        clock.on(timedelta(minutes=2))
    hook.refresh_from_db()
    assert hook.enabled and hook.failures > DISABLE_TRIES


def test_a_receiver_that_is_gone_for_good_is_believed(receiver: Receiver) -> None:
    receiver.statuses = [410]
    hook = hooked(receiver).webhook
    happen(hook)
    jobs_run(DELIVERIES)
    hook.refresh_from_db()
    assert not hook.enabled and hook.disabled_at
