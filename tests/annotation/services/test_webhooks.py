"""Webhooks: registered, changed, given new secrets, removed; what is recorded of it, and where the secret is not."""

from __future__ import annotations

import json
import logging
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Project
from annotation.models.lifecycle import ProjectEvent
from annotation.models.webhooks import EventType, Webhook, WebhookDelivery
from annotation.selectors.audit import AuditTrail
from annotation.selectors.webhooks import webhook_get, webhook_list
from annotation.services.archiving import project_archive
from annotation.services.deletion import project_delete
from annotation.services.webhook_deliveries import deliveries_prune
from annotation.services.webhooks import (
    EVENTS,
    MAX_WEBHOOKS,
    NewWebhook,
    webhook_change,
    webhook_create,
    webhook_remove,
    webhook_rotate,
    webhook_secrets,
    webhook_test,
)
from tests.factories import ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db
URL = "https://hooks.example.org/diptych?key=of-the-receiver"


def made(project: Project | None = None, url: str = URL, **more: Any) -> NewWebhook:
    given: dict[str, Any] = {"events": ["gold.made"], "by": None, **more}
    return webhook_create(project=project or ProjectFactory(), url=url, **given)


def test_a_webhook_has_a_secret_that_is_stored_nowhere() -> None:
    first, second = made(), made()
    assert first.secret.startswith("whsec_") and first.secret != second.secret
    assert webhook_secrets(first.webhook, timezone.now()) == [first.secret]
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM annotation_webhook")
        rows = str(cursor.fetchall())
    assert first.secret not in rows and first.secret.removeprefix("whsec_") not in rows


def test_a_copy_of_the_database_with_another_key_signs_nothing(settings: Any) -> None:
    found = made()
    settings.SECRET_KEY = "another"
    assert webhook_secrets(found.webhook, timezone.now()) != [found.secret]


def test_a_new_secret_and_for_a_day_the_former_one_sign() -> None:
    first = made()
    second = webhook_rotate(hook=first.webhook, by=None)
    now = timezone.now()
    assert webhook_secrets(second.webhook, now) == [second.secret, first.secret]
    assert webhook_secrets(second.webhook, now + timedelta(hours=25)) == [second.secret]
    third = webhook_rotate(hook=first.webhook, by=None)
    assert webhook_secrets(third.webhook, now) == [third.secret, second.secret, first.secret], "each for its own day"
    assert webhook_secrets(third.webhook, now + timedelta(hours=25)) == [third.secret]


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://example.org", "invalid"),
        ("https://user@example.org/", "invalid"),
        ("hooks.example.org", "invalid"),
        ("http://127.0.0.1:8000/", "private-address"),
        ("http://[::1]/", "private-address"),
        ("http://169.254.169.254/latest/meta-data/", "private-address"),
        ("http://localhost/", "private-address"),
    ],
)
def test_addresses_that_are_refused(url: str, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        made(url=url)
    assert refused.value.where == "url" and refused.value.code == code
    found = made()
    with pytest.raises(Invalid):
        webhook_change(hook=found.webhook, url=url, by=None)
    found.webhook.refresh_from_db()
    assert found.webhook.url == URL and Webhook.objects.count() == 1


def test_the_sites_owner_may_allow_private_addresses(settings: Any) -> None:
    settings.PRIVATE_ADDRESSES = True
    assert made(url="http://127.0.0.1:8000/").webhook.url == "http://127.0.0.1:8000/"


@pytest.mark.parametrize("events", [[], ["pair.eaten"], ["webhook.test"], ["gold.made", "x"]])
def test_events_that_are_refused(events: list[str]) -> None:
    with pytest.raises(Invalid) as refused:
        made(events=events)
    assert refused.value.where == "events" and not Webhook.objects.exists()


def test_the_same_address_twice_and_too_many() -> None:
    project = ProjectFactory()
    made(project)
    made()  # of another project
    with pytest.raises(Conflict) as refused:
        made(project)
    assert refused.value.code == "taken"
    others = [made(project, url=f"{URL}{number}") for number in range(MAX_WEBHOOKS - 1)]
    with pytest.raises(Conflict) as refused:
        made(project, url="https://one.example.org/more")
    assert refused.value.code == "too-many"
    with pytest.raises(Conflict):
        webhook_change(hook=others[0].webhook, url=URL, by=None)
    webhook_remove(hook=others[0].webhook, by=None)
    assert made(project, url="https://one.example.org/more").webhook.pk


def test_changes() -> None:
    hook = made().webhook
    webhook_change(hook=hook, events=["pair.flagged", "pair.submitted"], enabled=False, by=None)
    hook.refresh_from_db()
    assert (hook.events, hook.enabled, hook.url) == (["pair.submitted", "pair.flagged"], False, URL)
    Webhook.objects.update(
        failures=12, failing_since=timezone.now(), held_until=timezone.now(), disabled_at=timezone.now()
    )
    hook = webhook_change(hook=hook, enabled=True, by=None)
    assert (hook.failures, hook.failing_since, hook.held_until, hook.disabled_at) == (0, None, None, None)
    with pytest.raises(Invalid):
        webhook_change(hook=hook, events=[], by=None)


def test_a_removed_webhook_is_gone_with_its_log_and_its_address() -> None:
    found = made()
    webhook_test(hook=found.webhook)
    webhook_remove(hook=found.webhook, by=None)
    assert not WebhookDelivery.objects.exists() and not webhook_list(found.webhook.project).exists()
    row = Webhook.objects.get()
    assert (row.url, row.nonce, row.earlier_nonces, row.enabled) == ("", "", [], False)
    with pytest.raises(NotFound):
        webhook_get(row.project, row.pk)
    for again in (
        lambda: webhook_remove(hook=found.webhook, by=None),
        lambda: webhook_rotate(hook=found.webhook, by=None),
        lambda: webhook_change(hook=found.webhook, enabled=True, by=None),
    ):
        with pytest.raises(NotFound):
            again()
    deliveries_prune()
    assert Webhook.objects.exists(), "a submission that is being written may refer to it"
    Webhook.objects.update(removed=timezone.now() - timedelta(hours=2))
    deliveries_prune()
    assert not Webhook.objects.exists()


def test_who_did_what_is_recorded_without_secrets_and_paths(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    lead, other = UserFactory(username="lena"), UserFactory(username="otto")
    first = made(by=lead)
    second = webhook_rotate(hook=first.webhook, by=other)
    webhook_change(hook=first.webhook, events=["run.finished"], by=other)
    webhook_change(hook=first.webhook, enabled=False, by=lead)
    webhook_change(hook=first.webhook, enabled=False, by=lead)  # no change
    webhook_remove(hook=first.webhook, by=lead)
    trail = AuditTrail(first.webhook.project, kind="settings")
    said = [(change.by, change.what, change.about) for change in trail[:20] if "ebhook" in change.what]
    assert said == [
        ("lena", "Webhook deleted", "hooks.example.org"),
        ("lena", "Webhook disabled", "hooks.example.org"),
        ("otto", "Webhook changed", "hooks.example.org"),
        ("otto", "Webhook given a new secret", "hooks.example.org"),
        ("lena", "Webhook added", "hooks.example.org"),
    ]
    kept = json.dumps(list(ProjectEvent.objects.values_list("details", flat=True))) + caplog.text
    for secret in (first.secret, second.secret, "of-the-receiver"):
        assert secret not in kept
    assert "webhook added" in caplog.text


def test_an_archived_projects_webhooks_can_be_changed_but_none_added() -> None:
    project = ProjectFactory()
    hook = made(project).webhook
    project_archive(project=project, by=None)
    with pytest.raises(Conflict) as refused:
        made(project, url="https://other.example.org")
    assert refused.value.code == "archived"
    webhook_rotate(hook=hook, by=None)
    webhook_change(hook=hook, enabled=False, by=None)
    webhook_remove(hook=hook, by=None)


def test_a_deleted_project_leaves_none() -> None:
    project = ProjectFactory()
    webhook_test(hook=made(project).webhook)
    project_delete(project=project, name=project.name, by=None)
    assert not Webhook.objects.exists() and not WebhookDelivery.objects.exists()


def test_every_event_but_the_test_can_be_registered() -> None:
    assert {*EVENTS, EventType.TEST} == set(EventType)
