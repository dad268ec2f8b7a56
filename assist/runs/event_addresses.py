"""Where a finished run is found, for webhooks."""

from __future__ import annotations

from django.urls import reverse

from annotation.models.webhooks import EventType
from annotation.webhook_payloads import Data, EventAddresses


def _run(slug: str, data: Data) -> dict[str, str]:
    of_run = (slug, data["run"])
    return {"api": reverse("api-run", args=of_run), "page": reverse("prelabels-run", args=of_run)}


ADDRESSES: EventAddresses = {EventType.RUN: _run}
