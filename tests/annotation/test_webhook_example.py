"""The program of docs/api.md that receives notifications, run as it is printed."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import HTTPServer
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Assignment, Verdict
from annotation.models.webhooks import EventType, Webhook, WebhookDelivery
from annotation.services.annotations import annotation_submit
from annotation.services.jobs import jobs_run
from annotation.services.webhook_deliveries import (
    DELIVERIES,
    DISABLE_AFTER,
    DISABLE_TRIES,
    GONE,
    MAX_TRIES,
    RETENTION,
    wait_after,
)
from annotation.services.webhook_events import events_write
from annotation.services.webhooks import EVENTS, MAX_WEBHOOKS, delivery_resend, webhook_create, webhook_secrets
from tests.factories import AssignmentFactory, ProjectFactory
from tests.paths import ROOT

pytestmark = pytest.mark.django_db
GUIDE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.fixture
def hook(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Webhook]:
    """A webhook at which the guide's program listens."""
    settings.PRIVATE_ADDRESSES = True
    (code,) = [each for each in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "standardwebhooks" in each]
    names: dict[str, Any] = {"__name__": "example"}
    server = HTTPServer(("127.0.0.1", 0), lambda *given: names["Receiver"](*given))
    url = f"http://127.0.0.1:{server.server_port}/"
    made = webhook_create(project=ProjectFactory(slug="demo-graded"), url=url, events=EVENTS, by=None)
    monkeypatch.setenv("DIPTYCH_WEBHOOK_SECRET", made.secret)
    exec(compile(code, "docs/api.md", "exec"), names)
    monkeypatch.setattr(names["Receiver"], "log_message", lambda *given: None)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield made.webhook
    server.shutdown()
    thread.join()
    server.server_close()


def test_it_takes_what_is_signed_once(hook: Webhook, capfd: pytest.CaptureFixture[str]) -> None:
    events_write(project=hook.project, events={EventType.GOLD: {"version": 1}})
    jobs_run(DELIVERIES)
    row = WebhookDelivery.objects.get()
    assert (row.status, row.code) == ("delivered", 204)
    delivery_resend(row=row)
    jobs_run(DELIVERIES)
    assert capfd.readouterr().out == "gold.made /projects/demo-graded/adjudication/versions/1/\n"


def test_it_refuses_another_signature(hook: Webhook) -> None:
    Webhook.objects.update(nonce="of another webhook")
    events_write(project=hook.project, events={EventType.GOLD: {"version": 1}})
    jobs_run(DELIVERIES)
    row = WebhookDelivery.objects.get()
    assert (row.status, row.code) == ("waiting", 400)
    assert len(webhook_secrets(hook, timezone.now())) == 1


def test_the_printed_event_has_the_fields_that_are_sent(hook: Webhook) -> None:
    (printed,) = re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)
    work: Assignment = AssignmentFactory(pair__project=hook.project, annotator__project=hook.project)
    annotation_submit(assignment=work, by=None, base=0, verdict=Verdict.SUBMITTED)
    sent = json.loads(WebhookDelivery.objects.get().body)
    assert list(json.loads(printed)) == list(sent)
    assert list(json.loads(printed)["data"]) == list(sent["data"])


def test_the_guide_names_every_event_and_the_limits() -> None:
    assert set(re.findall(r"^\| `(\w+\.\w+)` \|", GUIDE, re.MULTILINE)) == set(EventType.values)
    text = " ".join(GUIDE.split())
    assert f"{MAX_TRIES} times in about a day" in text and f"in the last {RETENTION.days} days" in text
    assert f"up to {MAX_WEBHOOKS} webhooks" in text
    ends = f"at least {DISABLE_TRIES} attempts in a row failed over at least {DISABLE_AFTER.days} days"
    assert f"{ends}, or the response is {GONE}" in text
    waits = [wait_after(tries).total_seconds() / 60 for tries in range(1, MAX_TRIES)]
    assert waits == [0.5, 2, 8, 32, 128, 512, 720], "30 seconds, 2, 8 and 32 minutes, 2 and 8½ hours, and 12 hours"
