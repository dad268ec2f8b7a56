"""A lead has a program notified, as the guide says: adds an address, tries it, sees what was answered, ends it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer
from standardwebhooks import Webhook as Verifier

from annotation.models import Project, Role, User
from annotation.models.webhooks import Webhook
from annotation.services.annotations import annotation_submit
from annotation.services.jobs import jobs_run
from annotation.services.webhook_deliveries import DELIVERIES
from annotation.services.webhooks import EVENTS, webhook_create, webhook_test
from tests.annotation.receiver import Receiver, receiving
from tests.browser.waits import clean, fits, follow
from tests.factories import AnnotatorFactory, AssignmentFactory, ProjectFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Enter = Callable[[BrowserContext, User], None]


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    settings.PRIVATE_ADDRESSES = True
    with receiving() as made:
        yield made


@pytest.fixture
def project() -> Project:
    made: Project = ProjectFactory(name="Town pages", slug="town")
    AnnotatorFactory(project=made, role=Role.LEAD, user__username="lena")
    return made


def lead_of(project: Project) -> User:
    user = project.annotators.get(role=Role.LEAD).user
    assert user is not None
    return user


@pytest.mark.long
@pytest.mark.takes(12)
def test_a_program_is_notified(
    page: Page, live_server: LiveServer, log_in: Enter, project: Project, receiver: Receiver
) -> None:
    log_in(page.context, lead_of(project))
    page.goto(live_server.url + reverse("project-settings", args=("town",)))
    follow(page.get_by_role("link", name="Webhooks"))
    expect(page.locator(".answer")).to_contain_text("Events in this project are not sent anywhere yet.")
    clean(page)

    page.get_by_label("Address").fill("ftp://example.org")
    follow(page.get_by_role("button", name="Add"))
    expect(page.get_by_text("This is not a web address that can receive notifications.")).to_be_visible()
    expect(page.get_by_label("a pair was flagged")).to_be_checked()
    page.get_by_label("Address").fill(receiver.url)
    page.get_by_label("a pair was flagged").uncheck()
    follow(page.get_by_role("button", name="Add"))
    secret = page.locator("#webhook-secret").inner_text()
    expect(page.get_by_text("It is shown only once.")).to_be_visible()
    expect(page.get_by_text("Nothing has been sent yet.")).to_be_visible()
    clean(page)

    receiver.statuses, receiver.body = [503, 200], b"closed for lunch"
    follow(page.get_by_role("button", name="Send a test"))
    expect(page.locator("#webhook-secret")).to_have_count(0)
    row = page.get_by_role("row", name="webhook.test")
    expect(row).to_contain_text("waiting")
    clean(page)
    assert jobs_run(DELIVERIES) == 1
    expect(row).to_contain_text("503")
    expect(row).to_contain_text("refused by the receiver")
    expect(row).to_contain_text("closed for lunch")
    follow(row.get_by_role("button", name="Send again"))
    assert jobs_run(DELIVERIES) == 1
    expect(row).to_contain_text("delivered")
    first, second = receiver.received
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert Verifier(secret).verify(second.body, second.headers)["type"] == "webhook.test"

    work = AssignmentFactory(pair__project=project, annotator__project=project)
    annotation_submit(assignment=work, by=None, base=0, verdict="submitted")
    assert jobs_run(DELIVERIES) == 1
    page.reload()
    sent = page.get_by_role("row", name="a pair was submitted")
    expect(sent).to_contain_text("delivered")
    sent.locator("summary").click()
    expect(sent.locator("pre")).to_contain_text(f'"pair":{work.pair_id}')
    clean(page)

    follow(page.get_by_role("button", name="Create a new secret"))
    expect(page.locator("#webhook-secret")).to_contain_text("whsec_")
    assert page.locator("#webhook-secret").inner_text() != secret
    follow(page.get_by_role("button", name="Disable"))
    expect(page.locator(".answer")).to_contain_text("The webhook is disabled")
    follow(page.get_by_role("button", name="Enable"))
    follow(page.get_by_role("link", name="Delete the webhook"))
    clean(page)
    follow(page.get_by_role("button", name="Delete the webhook"))
    expect(page.locator(".answer")).to_contain_text("Events in this project are not sent anywhere yet.")
    follow(page.get_by_role("link", name="Changes"))
    expect(page.get_by_role("row", name="Webhook added")).to_contain_text("lena")
    expect(page.get_by_role("row", name="Webhook deleted")).to_contain_text("127.0.0.1")
    assert not Webhook.objects.filter(removed=None).exists()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_fit_a_phone(
    browser: Browser, live_server: LiveServer, log_in: Enter, project: Project, receiver: Receiver, theme: str
) -> None:
    receiver.statuses, receiver.body = [500], b"x" * 1000
    url = receiver.url + "?" + "key" * 100
    hook = webhook_create(project=project, url=url, events=EVENTS, by=lead_of(project)).webhook
    webhook_test(hook=hook)
    jobs_run(DELIVERIES)
    scheme = "dark" if theme == "dark" else "light"
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    log_in(context, lead_of(project))
    for address in (reverse("webhooks", args=("town",)), reverse("webhook", args=("town", hook.pk))):
        page.goto(live_server.url + address)
        expect(page.get_by_role("heading").first).to_be_visible()
        fits(page)
        clean(page)
