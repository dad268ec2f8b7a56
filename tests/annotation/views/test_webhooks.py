"""The pages of webhooks: for leads alone; the secret is shown once; the log says what became of each event."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models.webhooks import Webhook, WebhookDelivery
from annotation.services.archiving import project_archive
from annotation.services.jobs import jobs_run
from annotation.services.webhook_deliveries import DELIVERIES, deliveries_prune
from annotation.services.webhooks import EVENTS, NewWebhook, webhook_create, webhook_secrets, webhook_test
from tests.annotation.receiver import Receiver
from tests.annotation.work import House, house

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
URL = "https://hooks.example.org/diptych"


def made(home: House, url: str = URL) -> NewWebhook:
    return webhook_create(project=home.project, url=url, events=EVENTS, by=None)


def at(home: House, name: str = "webhook", *more: int) -> str:
    return reverse(name, args=(home.project.slug, *(more or (Webhook.objects.latest("pk").pk,))))


def act(home: House, do: str, who: str = "lead") -> Any:
    return getattr(home, who).post(at(home, "webhook-act"), {"do": do})


def deleted(home: House) -> Any:
    """The page asks first."""
    assert "can't be undone" in text(home.lead.get(at(home, "webhook-delete")))
    assert Webhook.objects.filter(removed=None).exists()
    return home.lead.post(at(home, "webhook-delete"))


def text(response: Any) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


WHO = [("lead", 200), ("superuser", 200), ("adjudicator", 403), ("annotator", 403), ("stranger", 404)]


@pytest.mark.parametrize(("who", "expected"), [*WHO, ("anonymous", 302)])
def test_access(who: str, expected: int) -> None:
    home = house()
    hook = made(home).webhook
    delivery = webhook_test(hook=hook)
    client = getattr(home, who)
    assert client.get(at(home)).status_code == expected
    for name, more in (("webhook-act", ()), ("webhook-resend", (hook.pk, delivery.pk))):
        wanted = {200: 302, 302: 401}.get(expected, expected)
        assert client.post(at(home, name, *more), {"do": "test"}).status_code == wanted
        assert client.get(at(home, name, *more)).status_code in (405, 302)


def test_those_of_another_project_are_not_found() -> None:
    home, other = house(), house()
    hook = made(other).webhook
    delivery = webhook_test(hook=hook)
    for response in (
        home.lead.get(reverse("webhook", args=(home.project.slug, hook.pk))),
        home.lead.post(reverse("webhook-act", args=(home.project.slug, hook.pk)), {"do": "delete"}),
        home.lead.post(reverse("webhook-resend", args=(home.project.slug, hook.pk, delivery.pk))),
        home.lead.get(reverse("webhook", args=(home.project.slug, 2**70))),
    ):
        assert response.status_code == 404
    mine = made(home).webhook
    wrong = reverse("webhook-resend", args=(home.project.slug, mine.pk, delivery.pk))
    assert home.lead.post(wrong).status_code == 404
    assert Webhook.objects.filter(removed=None).count() == 2


def test_an_empty_list_says_what_to_do_and_a_webhook_is_added() -> None:
    home = house()
    address = reverse("webhooks", args=(home.project.slug,))
    assert "not sent anywhere yet. Add an address below" in text(home.lead.get(address))
    page = home.lead.post(address, {"url": URL, "events": ["gold.made", "pair.flagged"]})
    hook = Webhook.objects.get()
    (secret,) = webhook_secrets(hook, timezone.now())
    assert page.status_code == 200 and secret in text(page) and "It is shown only once." in text(page)
    assert "Nothing has been sent yet. Send a test" in text(page)
    assert (hook.url, hook.events, hook.made_by) == (URL, ["pair.flagged", "gold.made"], page.wsgi_request.user)
    for later in (home.lead.get(at(home)), home.lead.get(address)):
        assert secret not in text(later) and URL in text(later)
    assert "1 address is registered ." in text(home.lead.get(address))


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"url": "nonsense", "events": ["gold.made"]}, "This is not a web address that can receive notifications."),
        ({"url": "http://10.0.0.1/", "events": ["gold.made"]}, "inside a private network"),
        ({"url": URL}, "Choose at least one of the events."),
        ({"url": URL, "events": ["webhook.test"]}, "Select a valid choice."),
    ],
)
def test_what_is_refused_is_said_beside_its_field(sent: dict[str, Any], said: str) -> None:
    home = house()
    page = home.lead.post(reverse("webhooks", args=(home.project.slug,)), sent)
    assert page.status_code == 422 and said in text(page) and not Webhook.objects.exists()
    made(home)
    page = home.lead.post(at(home), sent)
    assert page.status_code == 422 and said in text(page) and Webhook.objects.get().url == URL


def test_a_test_event_is_shown_with_its_answer(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("annotation.services.webhooks.notify", told.append)
    monkeypatch.setattr("django.db.transaction.on_commit", lambda action: action())
    home = house()
    made(home, receiver.url)
    receiver.statuses, receiver.body = [500, 200], b"<script>alert(1)</script>"
    assert act(home, "test").status_code == 302 and told == ["webhooks"]
    waiting = home.lead.get(at(home))
    assert b"hx-trigger" in waiting.content, "the log follows what a worker does"
    assert "No worker is running" in text(waiting)
    jobs_run(DELIVERIES)
    page = home.lead.get(at(home))
    assert "500" in text(page) and "refused by the receiver" in text(page)
    assert b"<script>alert(1)" not in page.content and b"&lt;script&gt;alert(1)" in page.content
    assert b"hx-trigger" in page.content, "the next attempt is soon"
    WebhookDelivery.objects.update(due=timezone.now() + timedelta(hours=1))
    page = home.lead.get(at(home))
    assert b"hx-trigger" not in page.content and "No worker is running" not in text(page)
    part = home.lead.get(at(home), headers={"HX-Request": "true"})
    assert b"<html" not in part.content and b"webhook-log" in part.content
    delivery = WebhookDelivery.objects.get()
    home.lead.post(at(home, "webhook-resend", delivery.webhook_id, delivery.pk))
    jobs_run(DELIVERIES)
    assert "delivered 200" in text(home.lead.get(at(home)))
    assert receiver.received[0].headers["webhook-id"] == receiver.received[1].headers["webhook-id"]


def test_disabling_enabling_a_new_secret_and_deleting() -> None:
    home = house()
    first = made(home)
    assert act(home, "disable").status_code == 302 and not Webhook.objects.get().enabled
    assert act(home, "test").status_code == 409
    act(home, "enable")
    assert Webhook.objects.get().enabled
    page = act(home, "rotate")
    newest = webhook_secrets(Webhook.objects.get(), timezone.now())[0]
    assert newest in text(page) and first.secret not in text(page)
    assert "The old secret stays valid for 24 more hours" in text(page)
    assert act(home, "juggle").status_code == 422
    assert deleted(home)["Location"] == reverse("webhooks", args=(home.project.slug,))
    assert home.lead.get(at(home)).status_code == 404


def test_a_webhook_that_was_disabled_for_its_failures_is_named_where_leads_look() -> None:
    home = house()
    made(home)
    overview = reverse("project", args=(home.project.slug,))
    assert "A webhook was disabled" not in text(home.lead.get(overview))
    Webhook.objects.update(enabled=False, disabled_at=timezone.now(), failures=12, failing_since=timezone.now())
    assert "A webhook was disabled because deliveries failed." in text(home.lead.get(overview))
    page = text(home.lead.get(at(home)))
    assert "disabled because deliveries failed" in page and "Once the receiver works again, enable it" in page
    listed = text(home.lead.get(reverse("webhooks", args=(home.project.slug,))))
    assert "1 address is registered ; 1 is disabled." in listed


def test_an_archived_project_keeps_what_can_be_changed() -> None:
    home = house()
    made(home)
    project_archive(project=home.project, by=None)
    refused = home.lead.post(reverse("webhooks", args=(home.project.slug,)), {"url": f"{URL}2", "events": EVENTS})
    assert refused.status_code == 409
    assert home.lead.post(at(home), {"url": URL, "events": ["publication.ready"]}).status_code == 302
    assert Webhook.objects.get().events == ["publication.ready"]
    assert act(home, "disable").status_code == 302 and deleted(home).status_code == 302


def test_the_number_of_queries_does_not_grow_with_webhooks_and_deliveries() -> None:
    home = house()
    hook = made(home).webhook
    webhook_test(hook=hook)

    def asked(address: str) -> int:
        with CaptureQueriesContext(connection) as context:
            assert home.lead.get(address).status_code == 200
        return len(context.captured_queries)

    pages = reverse("webhooks", args=(home.project.slug,)), at(home, "webhook", hook.pk)
    before = [asked(page) for page in pages]
    now = timezone.now()
    for number in range(5):
        made(home, f"{URL}/{number}")
    for number in range(15):
        WebhookDelivery.objects.create(
            webhook=hook, message=f"m{number}", event="gold.made", body="{}", made=now, due=now
        )
    assert [asked(page) for page in pages] == before


def test_a_long_log_has_pages() -> None:
    home = house()
    hook = made(home).webhook
    now = timezone.now()
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(webhook=hook, message=f"m{n:02}", event="gold.made", body="{}", made=now, status="delivered")
        for n in range(25)
    )
    assert "m24" in text(home.lead.get(at(home))) and "m04" not in text(home.lead.get(at(home)))
    assert "m04" in text(home.lead.get(at(home) + "?page=2"))
    assert "They are removed after 30 days." in text(home.lead.get(at(home)))
    assert deliveries_prune() == 0


def test_all_that_was_given_up_is_sent_again_at_once() -> None:
    home = house()
    hook = made(home).webhook
    rows = [webhook_test(hook=hook) for _ in range(3)]
    WebhookDelivery.objects.filter(pk__in=[row.pk for row in rows[:2]]).update(status="failed", tried=8, due=None)
    assert "Send all failed deliveries again" in text(home.lead.get(at(home)))
    assert act(home, "resend").status_code == 302
    assert list(WebhookDelivery.objects.order_by("pk").values_list("status", "tried")) == [("waiting", 0)] * 3
    assert "2 deliveries are being sent again." in text(home.lead.get(at(home)))
    assert "There are no failed deliveries." in text(act(home, "resend"))


def test_a_log_that_says_the_same_stays_as_it_is() -> None:
    """Someone may be reading what was sent."""
    home = house()
    row = webhook_test(hook=made(home).webhook)
    log = home.lead.get(at(home), headers={"HX-Request": "true"})
    seen = re.search(r"seen=(\w+)", log.content.decode())
    assert seen and not log.has_header("HX-Reswap")
    again = {"page": "1", "seen": seen[1]}
    assert home.lead.get(at(home), again, headers={"HX-Request": "true"})["HX-Reswap"] == "none"
    # After a first failure the next attempt is waited for, too.
    soon = timezone.now() + timedelta(seconds=30)
    WebhookDelivery.objects.filter(pk=row.pk).update(status="waiting", tried=1, due=soon)
    log = home.lead.get(at(home), again, headers={"HX-Request": "true"})
    assert not log.has_header("HX-Reswap") and "every 2s" in log.content.decode()
    WebhookDelivery.objects.filter(pk=row.pk).update(due=soon + timedelta(hours=1))
    assert "every 2s" not in home.lead.get(at(home), headers={"HX-Request": "true"}).content.decode()
