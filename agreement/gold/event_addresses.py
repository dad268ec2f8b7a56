"""Where a version of the gold is found, for webhooks."""

from __future__ import annotations

from django.urls import reverse

from annotation.models.webhooks import EventType
from annotation.webhook_payloads import Data, EventAddresses


def _version(slug: str, data: Data) -> dict[str, str]:
    return {"page": reverse("gold-version", args=(slug, data["version"]))}


ADDRESSES: EventAddresses = {EventType.GOLD: _version}
