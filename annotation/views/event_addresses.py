"""Where a submitted pair and a test of a webhook are found."""

from __future__ import annotations

from django.urls import reverse

from annotation.models.webhooks import EventType
from annotation.webhook_payloads import Data, EventAddresses


def _pair(slug: str, data: Data) -> dict[str, str]:
    return {"api": reverse("api-pair", args=(slug, data["pair"])), "page": reverse("pair", args=(slug, data["pair"]))}


def _webhook(slug: str, data: Data) -> dict[str, str]:
    of_webhook = (slug, data["webhook"])
    return {"api": reverse("api-webhook", args=of_webhook), "page": reverse("webhook", args=of_webhook)}


ADDRESSES: EventAddresses = {EventType.SUBMITTED: _pair, EventType.FLAGGED: _pair, EventType.TEST: _webhook}
