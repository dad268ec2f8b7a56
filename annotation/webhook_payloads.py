"""What is sent to webhooks: the type, the time, and ids and addresses. No texts, and no names of people."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from annotation.hooks import EVENT_ADDRESSES
from annotation.models.webhooks import EventType

Data = Mapping[str, Any]
EventAddresses = Mapping[EventType, Callable[[str, Data], dict[str, str]]]
"""For each type of event, `(slug, data)` to where it is found, as paths on this site: whoever receives them knows the
host. They are made beside the views that answer there, and registered in `hooks`.
"""


def payload(event: EventType, *, slug: str, data: Data, at: datetime) -> str:
    """The body of a delivery, as it is signed and sent."""
    registered: EventAddresses = {name: make for addresses in EVENT_ADDRESSES for name, make in addresses.items()}
    body = {"project": slug, **data, **registered[event](slug, data)}
    return json.dumps({"type": event.value, "timestamp": at.isoformat(), "data": body}, separators=(",", ":"))
