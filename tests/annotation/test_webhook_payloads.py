"""The bodies of webhooks are the same to the byte whichever app makes the addresses: receivers check a signature."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from annotation.models.webhooks import EventType
from annotation.webhook_payloads import payload

AT = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)
PAIR = '"pair":7,"api":"/api/projects/town/pairs/7/","page":"/projects/town/pairs/7/"'
BODIES: dict[EventType, tuple[dict[str, Any], str]] = {
    EventType.SUBMITTED: ({"pair": 7}, PAIR),
    EventType.FLAGGED: ({"pair": 7}, PAIR),
    EventType.RUN: (
        {"run": "default-v1", "status": "done"},
        '"run":"default-v1","status":"done","api":"/api/projects/town/runs/default-v1/",'
        '"page":"/projects/town/prelabels/default-v1/"',
    ),
    EventType.GOLD: ({"version": 2}, '"version":2,"page":"/projects/town/adjudication/versions/2/"'),
    EventType.PUBLICATION: (
        {"publication": 3},
        '"publication":3,"api":"/api/projects/town/publications/3/","page":"/projects/town/publish/"',
    ),
    EventType.TEST: (
        {"webhook": 9},
        '"webhook":9,"api":"/api/projects/town/webhooks/9/","page":"/projects/town/webhooks/9/"',
    ),
}


@pytest.mark.parametrize("event", EventType)
def test_what_is_signed_and_sent(event: EventType) -> None:
    data, expected = BODIES[event]
    body = payload(event, slug="town", data=data, at=AT)
    assert body == (
        f'{{"type":"{event.value}","timestamp":"2026-02-03T04:05:06+00:00","data":{{"project":"town",{expected}}}}}'
    )
