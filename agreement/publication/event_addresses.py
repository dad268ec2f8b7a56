"""Where a publication is found, for webhooks."""

from __future__ import annotations

from django.urls import reverse

from annotation.models.webhooks import EventType
from annotation.webhook_payloads import Data, EventAddresses


def _publication(slug: str, data: Data) -> dict[str, str]:
    return {
        "api": reverse("api-publication", args=(slug, data["publication"])),
        "page": reverse("publish", args=(slug,)),
    }


ADDRESSES: EventAddresses = {EventType.PUBLICATION: _publication}
