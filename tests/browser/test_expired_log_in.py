"""A log-in that expires while a page is open: nothing that was typed is lost, and the page continues after a log-in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotator, Guideline, Role, User
from assist.models import Run
from tests.browser.waits import clean, follow
from tests.factories import AnnotatorFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LogIn = Callable[[BrowserContext, User], None]
TOLD = "You have been logged out. Log in in a new tab, then try again here."


@pytest.fixture
def lead(page: Page, log_in: LogIn) -> Annotator:
    made: Annotator = AnnotatorFactory(role=Role.LEAD)
    assert made.user is not None
    made.user.set_password("a long password")
    made.user.save()
    log_in(page.context, made.user)
    return made


def expire(page: Page) -> None:
    page.context.clear_cookies(name="sessionid")


def log_in_beside(page: Page, lead: Annotator) -> None:
    """Follow the page's link to the log-in. The tab that it opens closes by itself."""
    assert lead.user is not None
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Log in in a new tab").click()
    tab = opened.value
    tab.get_by_label("Name").fill(lead.user.username)
    tab.get_by_label("Password").fill("a long password")
    with tab.expect_event("close"):
        tab.get_by_role("button", name="Log in").click()


def test_guidelines_survive_the_preview_and_the_save(page: Page, live_server: LiveServer, lead: Annotator) -> None:
    page.goto(live_server.url + reverse("guidelines-edit", args=(lead.project.slug,)))
    text, notice = page.get_by_role("textbox"), page.get_by_role("alert")
    text.fill("# Mark\n\nwhat *differs*")
    expect(page.locator("#preview em")).to_have_text("differs")
    expire(page)
    text.press_sequentially("!")
    expect(notice).to_have_text(TOLD)
    expect(notice).to_be_in_viewport()
    clean(page)
    expect(text).to_have_value("# Mark\n\nwhat *differs*!")
    log_in_beside(page, lead)
    expect(notice).to_be_hidden()
    text.press_sequentially("?")
    expect(page.locator("#preview p")).to_have_text("what differs!?")
    expire(page)
    follow(page.get_by_role("button", name="Save as new version"))
    expect(page.get_by_text("You have been logged out, so nothing was saved.")).to_be_visible()
    clean(page)
    log_in_beside(page, lead)
    follow(page.get_by_role("button", name="Send again"))
    expect(page.get_by_text("Version 1 saved.")).to_be_visible()
    assert Guideline.objects.get().text.replace("\r", "") == "# Mark\n\nwhat *differs*!?"


def test_polling_stops_says_so_and_continues(page: Page, live_server: LiveServer, lead: Annotator) -> None:
    Run.objects.create(project=lead.project, slug="one", method="default.v1", status="running", total=9)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url) if "/runs/" in request.url else None)
    page.goto(live_server.url + reverse("prelabels", args=(lead.project.slug,)))
    expire(page)
    expect(page.get_by_role("alert").filter(has_text=TOLD)).to_be_visible()
    expect(page.locator("#runs table")).to_have_count(1)
    expect(page.get_by_label("Password")).to_have_count(0)
    for _ in range(4):  # a slow server may still have been answering the last one while the next one was due
        before = len(requested)
        page.wait_for_timeout(2500)
        if len(requested) == before:
            break
    assert len(requested) == before, "it polls on although nobody is logged in"
    log_in_beside(page, lead)
    Run.objects.update(done=7)
    expect(page.locator("#runs")).to_contain_text("7 of 9")
