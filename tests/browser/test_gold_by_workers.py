"""Much work, in a real browser: the pages that wait for a worker's dry run and for its gold."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from agreement.gold.rule_previews import DRY_RUNS
from agreement.gold.services.jobs import GOLD
from agreement.models import GoldJob
from agreement.report.services import reports
from annotation.models import Project, Role, User
from annotation.services.jobs import jobs_run
from tests.agreement.work import pair, project, submit
from tests.browser.waits import clean, fits, follow
from tests.factories import AnnotatorFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.long]
LogIn = Callable[[BrowserContext, User], None]
LOOKS = [("light", 1440), ("dark", 390)]


@pytest.fixture
def much(monkeypatch: pytest.MonkeyPatch, page: Page, log_in: LogIn) -> Project:
    made, people = project()
    for _ in range(2):
        on = pair(made)
        for person, label in zip(people, "42", strict=True):
            submit(on, person, [(label, [0, 1], [0])])
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    user = AnnotatorFactory(project=made, role=Role.LEAD).user
    assert user is not None
    log_in(page.context, user)
    return made


def look(page: Page, theme: str, width: int) -> None:
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    page.set_viewport_size({"width": width, "height": 900})


def whole(page: Page) -> None:
    """Accessible, and no wider than its window."""
    clean(page)
    fits(page)


@pytest.mark.parametrize(("theme", "width"), LOOKS)
def test_a_dry_run_waits_for_a_worker_and_shows_what_it_found(
    page: Page, live_server: LiveServer, much: Project, theme: str, width: int
) -> None:
    look(page, theme, width)
    page.goto(f"{live_server.url}/projects/{much.slug}/adjudication/")
    page.get_by_role("button", name="Preview").click()
    outcome = page.locator("#outcome")
    expect(outcome).to_contain_text("A worker is computing what the rule would decide")
    expect(outcome).to_contain_text("No worker is running")
    whole(page)
    assert jobs_run(DRY_RUNS) == 1
    expect(outcome).to_contain_text("No changes were made.")
    expect(page.locator("#others")).to_contain_text("Unanimous")
    whole(page)


@pytest.mark.parametrize(("theme", "width"), LOOKS)
def test_gold_is_made_by_a_worker_while_its_page_says_how_far_it_is(
    page: Page, live_server: LiveServer, much: Project, theme: str, width: int
) -> None:
    look(page, theme, width)
    page.goto(f"{live_server.url}/projects/{much.slug}/adjudication/")
    follow(page.get_by_role("button", name="Create gold"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Creating gold")
    status = page.locator("#gold-job-status")
    expect(status).to_contain_text("Waiting for a worker.")
    whole(page)
    page.get_by_role("button", name="Cancel").focus()
    GoldJob.objects.update(status="running", done=1, total=2)
    expect(status).to_contain_text("1 of 2 pairs decided.")
    whole(page)
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    assert jobs_run(GOLD) == 1
    page.wait_for_url("**/versions/1/")


def test_what_failed_is_tried_again_and_a_draft_opens(page: Page, live_server: LiveServer, much: Project) -> None:
    page.goto(f"{live_server.url}/projects/{much.slug}/adjudication/")
    follow(page.get_by_role("button", name="Decide unsure cases manually"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Opening a draft")
    GoldJob.objects.update(status="failed", problem="The disk is full.")
    expect(page.get_by_role("alert")).to_have_text("The disk is full.")
    whole(page)
    follow(page.get_by_role("button", name="Try again"))
    expect(page.locator("#gold-job-status")).to_contain_text("Waiting for a worker.")
    page.goto(f"{live_server.url}/projects/{much.slug}/adjudication/manual/")
    expect(page.get_by_role("status")).to_contain_text("A worker is opening a draft.")
    follow(page.get_by_role("link", name="Show progress"))
    assert jobs_run(GOLD) == 1
    page.wait_for_url("**/manual/")
    expect(page.get_by_role("link", name="Continue")).to_be_visible()
