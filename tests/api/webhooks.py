"""Webhooks: every response that the document of the API has for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from annotation.models import Project
from annotation.models.webhooks import WebhookDelivery
from annotation.services.webhooks import webhook_create, webhook_test

if TYPE_CHECKING:
    from tests.api.site import Site

ACCESS: dict[str, tuple[int, ...]] = {
    "webhooks": (403, 403, 403, 200, 404, 403),
    "webhook_create": (403, 403, 403, 200, 404, 403),
    "webhook": (403, 403, 403, 200, 404, 403),
    "webhook_change": (403, 403, 403, 200, 404, 403),
    "webhook_delete": (403, 403, 403, 200, 404, 403),
    "webhook_secret": (403, 403, 403, 200, 404, 403),
    "webhook_test": (403, 403, 403, 200, 404, 403),
    "webhook_deliveries": (403, 403, 403, 200, 404, 403),
    "webhook_resend": (403, 403, 403, 200, 404, 403),
    "webhook_resend_failed": (403, 403, 403, 409, 404, 403),
}
NEW = {"url": "https://hooks.example.org/diptych", "events": ["pair.submitted", "gold.made"]}
REQUESTS: dict[str, Any] = {"webhook_create": NEW, "webhook_change": {"enabled": True}}
UNARCHIVED = {
    "webhook_change",
    "webhook_delete",
    "webhook_secret",
    "webhook_test",
    "webhook_resend",
    "webhook_resend_failed",
}
"""What is possible in an archived project, whose publications are notified of."""


def hooked(project: Project) -> tuple[int, int]:
    """A webhook with a delivery: their keys."""
    made = webhook_create(project=project, url="https://example.org/", events=["gold.made"], by=None)
    return made.webhook.pk, webhook_test(hook=made.webhook).pk


def addresses(slug: str, keys: tuple[int, int]) -> dict[str, str]:
    hook, _delivery = keys
    return {
        "webhooks": reverse("api-webhooks", args=(slug,)),
        "webhook_create": reverse("api-webhooks", args=(slug,)),
        "webhook": reverse("api-webhook", args=(slug, hook)),
        "webhook_change": reverse("api-webhook", args=(slug, hook)),
        "webhook_delete": reverse("api-webhook", args=(slug, hook)),
        "webhook_secret": reverse("api-webhook-secret", args=(slug, hook)),
        "webhook_test": reverse("api-webhook-test", args=(slug, hook)),
        "webhook_deliveries": reverse("api-webhook-deliveries", args=(slug, hook)),
        "webhook_resend_failed": reverse("api-webhook-resend-failed", args=(slug, hook)),
        "webhook_resend": reverse("api-webhook-resend", args=(slug, *keys)),
    }


def notified(at: Site) -> Iterator[tuple[str, Any]]:
    """Webhooks added, changed, tried and deleted; what was sent."""
    made = at.ask("webhook_create", body=NEW)
    assert made.json()["secret"].startswith("whsec_")
    yield "webhook_create", made
    WebhookDelivery.objects.filter(webhook=at.hooked[0]).update(status="failed")
    for _again in range(2):
        yield "webhook_resend_failed", at.ask("webhook_resend_failed")
    yield "webhook_create", at.ask("webhook_create", body=NEW)
    yield "webhook_create", at.ask("webhook_create", body={**NEW, "url": "http://127.0.0.1/"})
    yield "webhooks", at.ask("webhooks")
    assert "secret" not in at.ask("webhook").json()
    yield "webhook", at.ask("webhook")
    yield "webhook_change", at.ask("webhook_change", body={"events": ["run.finished"]})
    yield "webhook_change", at.ask("webhook_change", body={"url": NEW["url"]})
    wrong: list[dict[str, Any]] = [{"enabled": "yes"}, {"url": 1}, {"events": []}, {"secret": "x"}]
    for body in wrong:
        refused = at.ask("webhook_change", body=body)
        assert refused.status_code == 422, body
        yield "webhook_change", refused
    assert (at.ask("webhook").json()["enabled"], at.ask("webhook").json()["events"]) == (True, ["run.finished"])
    yield "webhook_secret", at.ask("webhook_secret")
    yield "webhook_test", at.ask("webhook_test")
    yield "webhook_deliveries", at.ask("webhook_deliveries", body={"size": 1})
    yield "webhook_deliveries", at.ask("webhook_deliveries", body={"size": "many"})
    yield "webhook_resend", at.ask("webhook_resend")
    WebhookDelivery.objects.update(status="sending")
    yield "webhook_resend", at.ask("webhook_resend")
    at.ask("webhook_change", body={"enabled": False})
    yield "webhook_test", at.ask("webhook_test")
    yield "webhook_delete", at.ask("webhook_delete")
    yield "webhook_delete", at.ask("webhook_delete")
