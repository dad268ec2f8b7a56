"""What is sent to webhooks: the type, the time, and ids and addresses. No texts, and no names of people."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.urls import reverse

from annotation.models.webhooks import EventType

Data = Mapping[str, Any]


def _pair(slug: str, data: Data) -> dict[str, str]:
    return {"api": reverse("api-pair", args=(slug, data["pair"])), "page": reverse("pair", args=(slug, data["pair"]))}


_ADDRESSES: dict[str, Callable[[str, Data], dict[str, str]]] = {
    EventType.SUBMITTED: _pair,
    EventType.FLAGGED: _pair,
    EventType.RUN: lambda slug, data: {
        "api": reverse("api-run", args=(slug, data["run"])),
        "page": reverse("prelabels-run", args=(slug, data["run"])),
    },
    EventType.GOLD: lambda slug, data: {"page": reverse("gold-version", args=(slug, data["version"]))},
    EventType.PUBLICATION: lambda slug, data: {
        "api": reverse("api-publication", args=(slug, data["publication"])),
        "page": reverse("publish", args=(slug,)),
    },
    EventType.TEST: lambda slug, data: {
        "api": reverse("api-webhook", args=(slug, data["webhook"])),
        "page": reverse("webhook", args=(slug, data["webhook"])),
    },
}
"""Where each is found, as paths on this site: whoever receives it knows the host."""


def payload(event: EventType, *, slug: str, data: Data, at: datetime) -> str:
    """The body of a delivery, as it is signed and sent."""
    body = {"project": slug, **data, **_ADDRESSES[event](slug, data)}
    return json.dumps({"type": event.value, "timestamp": at.isoformat(), "data": body}, separators=(",", ":"))
