"""Deliveries: signed, tried again with growing waits, taken over from dead workers, and ended with a notice."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from annotation.errors import Conflict
from annotation.models import Project
from annotation.models.webhooks import EventType, Webhook, WebhookDelivery
from annotation.outgoing_requests import post
from annotation.services import webhook_deliveries
from annotation.services.claims import claim_next
from annotation.services.jobs import job_perform, jobs_run
from annotation.services.webhook_deliveries import (
    DELIVERIES,
    MAX_TRIES,
    MAX_WAIT,
    deliveries_prune,
    wait_after,
)
from annotation.services.webhook_events import events_write
from annotation.services.webhooks import (
    delivery_resend,
    webhook_change,
    webhook_remove,
    webhook_rotate,
    webhook_test,
)
from tests.annotation.hooked import Clock, happen, hooked
from tests.annotation.receiver import Receiver, receiving

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nobody_notified")]


def test_what_is_sent_is_signed_as_the_package_verifies_it(receiver: Receiver) -> None:
    made = hooked(receiver)
    row = happen(made.webhook)
    assert jobs_run(DELIVERIES) == 1
    (got,) = receiver.received
    assert Verifier(made.secret).verify(got.body, got.headers) == json.loads(row.body)
    assert got.headers["webhook-id"] == row.message and got.headers["content-type"] == "application/json"
    with pytest.raises(WebhookVerificationError):
        Verifier(made.secret).verify(got.body + b" ", got.headers)
    with pytest.raises(WebhookVerificationError):
        Verifier("whsec_" + "a" * 44).verify(got.body, got.headers)
    row.refresh_from_db()
    assert (row.status, row.tried, row.code, row.problem, row.due) == ("delivered", 1, 204, "", None)
    assert jobs_run(DELIVERIES) == 0


def test_for_a_day_after_a_rotation_either_secret_verifies(receiver: Receiver, clock: Clock) -> None:
    first = hooked(receiver)
    second = webhook_rotate(hook=first.webhook, by=None)
    happen(first.webhook)
    jobs_run(DELIVERIES)
    (got,) = receiver.received
    for secret in (first.secret, second.secret):
        Verifier(secret).verify(got.body, got.headers)
    clock.on(timedelta(hours=25))
    happen(first.webhook)
    jobs_run(DELIVERIES)
    assert len(receiver.received[1].headers["webhook-signature"].split()) == 1


def test_a_private_address_is_refused_when_it_is_called(receiver: Receiver, settings: Any) -> None:
    row = happen(hooked(receiver).webhook)
    settings.PRIVATE_ADDRESSES = False
    jobs_run(DELIVERIES)
    row.refresh_from_db()
    assert (row.status, row.problem, row.code) == ("waiting", "address", None) and receiver.received == []


def test_waits_grow_up_to_a_limit() -> None:
    waits = [wait_after(tries) for tries in range(1, MAX_TRIES + 1)]
    assert waits[:4] == [timedelta(seconds=30), timedelta(minutes=2), timedelta(minutes=8), timedelta(minutes=32)]
    assert waits[-1] == MAX_WAIT == wait_after(10_000) and waits == sorted(waits)
    assert timedelta(hours=20) < sum(waits[: MAX_TRIES - 1], timedelta()) < timedelta(hours=28), "as docs say"


def test_a_failure_is_tried_again_when_its_time_has_come_under_the_same_id(receiver: Receiver, clock: Clock) -> None:
    receiver.statuses, receiver.body = [500, 503, 200], b"out of \x00order\n<b>now</b>"
    row = happen(hooked(receiver).webhook)
    began = clock.now
    assert jobs_run(DELIVERIES) == 1
    row.refresh_from_db()
    assert (row.status, row.tried, row.code, row.problem) == ("waiting", 1, 500, "status")
    assert row.answer == "out of  order <b>now</b>" and row.attempts == 0
    assert row.due == began + timedelta(seconds=30)
    clock.on(timedelta(seconds=29))
    assert jobs_run(DELIVERIES) == 0 and len(receiver.received) == 1
    clock.on(timedelta(seconds=1))
    assert jobs_run(DELIVERIES) == 1
    row.refresh_from_db()
    assert (row.tried, row.code, row.due) == (2, 503, clock.now + timedelta(minutes=2))
    clock.on(timedelta(minutes=2))
    assert jobs_run(DELIVERIES) == 1
    row.refresh_from_db()
    assert (row.status, row.tried, row.code) == ("delivered", 3, 200)
    assert len({(got.headers["webhook-id"], got.body) for got in receiver.received}) == 1
    assert len({got.headers["webhook-timestamp"] for got in receiver.received}) == 3, "of the attempt"
    hook = Webhook.objects.get()
    assert (hook.failures, hook.failing_since, hook.held_until) == (0, None, None)


def test_it_is_given_up_after_the_last_attempt(receiver: Receiver, clock: Clock) -> None:
    receiver.statuses = [500]
    row = happen(hooked(receiver).webhook)
    for _attempt in range(MAX_TRIES + 3):
        jobs_run(DELIVERIES)
        clock.on(MAX_WAIT)
    row.refresh_from_db()
    assert (row.status, row.tried, row.due) == ("failed", MAX_TRIES, None)
    assert len(receiver.received) == MAX_TRIES


def test_redirects_are_failures(receiver: Receiver) -> None:
    receiver.statuses, receiver.headers = [302], {"Location": receiver.url}
    row = happen(hooked(receiver).webhook)
    jobs_run(DELIVERIES)
    row.refresh_from_db()
    assert (row.status, row.problem, row.code) == ("waiting", "redirect", 302) and len(receiver.received) == 1


def test_one_failure_holds_up_the_others_of_its_webhook_for_a_moment_and_no_other_webhook(
    receiver: Receiver, clock: Clock
) -> None:
    hook = hooked(receiver).webhook
    for version in range(1, 6):
        happen(hook, version)
    with receiving() as other:
        hooked(other, hook.project)
        happen(hook, 6)
        receiver.statuses = [500]
        jobs_run(DELIVERIES)
        assert len(receiver.received) == 1 and len(other.received) == 1
    clock.on(timedelta(seconds=30))
    jobs_run(DELIVERIES)
    assert len(receiver.received) == 2, "a server that is down keeps no worker busy"
    receiver.statuses = [200]
    clock.on(timedelta(minutes=1))
    jobs_run(DELIVERIES)
    clock.on(timedelta(minutes=2))
    jobs_run(DELIVERIES)
    assert set(WebhookDelivery.objects.filter(webhook=hook).values_list("status", flat=True)) == {"delivered"}


def test_deliveries_are_sent_in_their_order_if_nothing_fails(receiver: Receiver) -> None:
    hook = hooked(receiver).webhook
    for version in range(1, 6):
        happen(hook, version)
    jobs_run(DELIVERIES)
    assert [json.loads(got.body)["data"]["version"] for got in receiver.received] == [1, 2, 3, 4, 5]


def test_a_worker_that_died_in_the_middle_is_succeeded_under_the_same_id(receiver: Receiver) -> None:
    row = happen(hooked(receiver).webhook)
    dead = claim_next(DELIVERIES.unfinished(), give_up=lambda job: False, worker="dead", status="sending")
    assert dead is not None and jobs_run(DELIVERIES) == 0, "another worker has it"
    WebhookDelivery.objects.update(heartbeat=timezone.now() - timedelta(minutes=5))
    assert jobs_run(DELIVERIES) == 1
    row.refresh_from_db()
    assert (row.status, row.tried, row.attempts) == ("delivered", 1, 2)
    assert [got.headers["webhook-id"] for got in receiver.received] == [row.message]


def test_a_delivery_that_kills_its_workers_is_given_up(receiver: Receiver, settings: Any) -> None:
    row = happen(hooked(receiver).webhook)
    for _death in range(settings.JOB_ATTEMPTS):
        claim_next(DELIVERIES.unfinished(), give_up=lambda job: False, worker="dead", status="sending")
        WebhookDelivery.objects.update(heartbeat=timezone.now() - timedelta(minutes=5))
    assert jobs_run(DELIVERIES) == 1
    row.refresh_from_db()
    assert (row.status, row.problem, row.due) == ("failed", "worker", None) and receiver.received == []
    delivery_resend(row=row)
    jobs_run(DELIVERIES)
    row.refresh_from_db()
    assert row.status == "delivered"


def test_a_delivery_that_was_taken_over_writes_nothing_more(receiver: Receiver) -> None:
    """Its first worker sends it too, and finds that another has ended it."""
    row = happen(hooked(receiver).webhook)
    slow = claim_next(DELIVERIES.unfinished(), give_up=lambda job: False, worker="slow", status="sending")
    assert slow is not None
    WebhookDelivery.objects.update(heartbeat=timezone.now() - timedelta(minutes=5))
    jobs_run(DELIVERIES)
    receiver.statuses = [500]
    assert not job_perform(DELIVERIES, slow)
    row.refresh_from_db()
    assert (row.status, row.tried) == ("delivered", 1) and Webhook.objects.get().failures == 0
    assert len({got.headers["webhook-id"] for got in receiver.received}) == 1 and len(receiver.received) == 2


def test_manual_redelivery_sends_the_same_under_the_same_id(receiver: Receiver) -> None:
    made = hooked(receiver)
    row = happen(made.webhook)
    jobs_run(DELIVERIES)
    delivery_resend(row=row)
    assert jobs_run(DELIVERIES) == 1
    first, second = receiver.received
    assert (first.headers["webhook-id"], first.body) == (second.headers["webhook-id"], second.body)
    assert Verifier(made.secret).verify(second.body, second.headers)
    row.refresh_from_db()
    assert (row.status, row.tried) == ("delivered", 1)
    WebhookDelivery.objects.update(status="sending")
    with pytest.raises(Conflict, match="being sent"):
        delivery_resend(row=row)
    WebhookDelivery.objects.update(status="delivered")
    row.webhook = webhook_change(hook=made.webhook, enabled=False, by=None)
    with pytest.raises(Conflict, match="disabled"):
        delivery_resend(row=row)
    with pytest.raises(Conflict, match="disabled"):
        webhook_test(hook=row.webhook)


def test_nothing_is_sent_to_a_disabled_webhook_until_it_is_enabled(receiver: Receiver) -> None:
    hook = hooked(receiver).webhook
    row = happen(hook)
    webhook_change(hook=hook, enabled=False, by=None)
    assert jobs_run(DELIVERIES) == 0
    events_write(project=hook.project, events={EventType.GOLD: {"version": 2}})
    assert WebhookDelivery.objects.count() == 1
    webhook_change(hook=hook, enabled=True, by=None)
    assert jobs_run(DELIVERIES) == 1
    assert [got.headers["webhook-id"] for got in receiver.received] == [row.message]


@pytest.mark.parametrize("change", [{"enabled": True}, {"url": "http://127.0.0.1:9/elsewhere"}])
def test_what_waits_is_sent_at_once_after_the_address_was_corrected_or_enabled(
    receiver: Receiver, change: dict[str, Any]
) -> None:
    hook = hooked(receiver).webhook
    row = happen(hook)
    later = timezone.now() + timedelta(hours=8)
    WebhookDelivery.objects.filter(pk=row.pk).update(due=later, tried=6)
    Webhook.objects.filter(pk=hook.pk).update(failures=12, failing_since=timezone.now(), held_until=later)
    assert not DELIVERIES.unfinished().exists()
    webhook_change(hook=hook, by=None, **change)
    assert [each.pk for each in DELIVERIES.unfinished()] == [row.pk]
    hook.refresh_from_db()
    assert (hook.failures, hook.failing_since) == (0, None)


def test_a_webhook_with_many_deliveries_keeps_no_other_waiting(receiver: Receiver) -> None:
    hook = hooked(receiver).webhook
    for version in range(1, 4):
        happen(hook, version)
    with receiving() as another:
        other = hooked(another, hook.project).webhook
        happen(other, 4)
        late = WebhookDelivery.objects.get(webhook=other)
        first = claim_next(DELIVERIES.unfinished(), give_up=lambda job: False, worker="one", **DELIVERIES.claimed)
        assert first is not None and first.webhook_id == hook.pk
        free = [each.pk for each in DELIVERIES.unfinished() if each.pk != first.pk]
        assert free == [late.pk], "one at a time for a webhook"
        assert job_perform(DELIVERIES, first)
        order = [each.webhook_id for each in DELIVERIES.unfinished()]
        assert order == [other.pk, hook.pk, hook.pk, hook.pk], "first the one that has waited longest"
        Webhook.objects.filter(pk=other.pk).update(failures=1)
        order = [each.webhook_id for each in DELIVERIES.unfinished()]
        assert order == [hook.pk, hook.pk, hook.pk, other.pk], "the last attempt of the other one failed"


def test_a_project_that_is_being_deleted_sends_nothing(receiver: Receiver) -> None:
    happen(hooked(receiver).webhook)
    Project.objects.update(staged=True)
    assert jobs_run(DELIVERIES) == 0


def test_a_webhook_that_is_removed_while_it_is_called(receiver: Receiver) -> None:
    hook = hooked(receiver).webhook
    happen(hook)
    held = claim_next(DELIVERIES.unfinished(), give_up=lambda job: False, worker="one", status="sending")
    assert held is not None
    webhook_remove(hook=hook, by=None)
    assert not job_perform(DELIVERIES, held)
    assert not WebhookDelivery.objects.exists()


def test_old_deliveries_are_removed(receiver: Receiver) -> None:
    hook = hooked(receiver).webhook
    for version, days in ((1, 29), (2, 31), (3, 31)):
        happen(hook, version)
        newest = WebhookDelivery.objects.latest("pk")
        WebhookDelivery.objects.filter(pk=newest.pk).update(made=timezone.now() - timedelta(days=days))
    WebhookDelivery.objects.filter(pk=newest.pk).update(status="sending", heartbeat=timezone.now())
    assert deliveries_prune() == 1
    assert WebhookDelivery.objects.count() == 2
    WebhookDelivery.objects.filter(pk=newest.pk).update(heartbeat=timezone.now() - timedelta(hours=2))
    assert deliveries_prune() == 1, "a killed worker left it"


def test_the_number_of_queries_of_a_look_does_not_grow(receiver: Receiver) -> None:
    def look() -> int:
        with CaptureQueriesContext(connection) as context:
            assert jobs_run(DELIVERIES) == 0
        return len(context.captured_queries)

    hook = hooked(receiver).webhook
    before = look()
    webhook_change(hook=hook, enabled=False, by=None)
    now = timezone.now()
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(webhook=hook, message=f"m{n}", event="gold.made", body="{}", made=now, due=now)
        for n in range(200)
    )
    assert look() == before == 2


def test_no_log_has_addresses_bodies_or_secrets(receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    receiver.statuses = [500]
    made = hooked(receiver)
    row = happen(made.webhook)
    jobs_run(DELIVERIES)
    for secret in (made.secret, receiver.url, row.body):
        assert secret not in caplog.text


def test_a_silent_server_is_left_after_a_while(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    receiver.held = threading.Event()
    monkeypatch.setattr(webhook_deliveries, "post", partial(post, seconds=0.2))
    row = happen(hooked(receiver).webhook)
    jobs_run(DELIVERIES)
    row.refresh_from_db()
    assert (row.status, row.problem) == ("waiting", "time")
