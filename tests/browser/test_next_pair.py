"""From the log-in to the second pair by keyboard; the next pair is always one key away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotator, Assignment, Status, User
from annotation.services.annotations import annotation_submit
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]
LogIn = Callable[[BrowserContext, User], None]
PASSWORD = "correct horse battery"


def given(annotator: Annotator, n: int) -> list[Assignment]:
    return [AssignmentFactory(pair=PairFactory(project=annotator.project), annotator=annotator) for _ in range(n)]


def at(page: Page, assignment: Assignment) -> None:
    page.wait_for_url(f"**/work/{assignment.pk}/")
    page.wait_for_selector("html[data-ready]")


def submit(page: Page) -> None:
    page.keyboard.press("Control+Enter")
    expect(page.locator("#unread")).to_be_visible()
    for _ in range(12):
        if page.evaluate("document.activeElement.id") == "unread-submit":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def test_by_keyboard_from_the_log_in_to_the_second_pair_and_on_to_another_project(
    page: Page, live_server: LiveServer
) -> None:
    annotator = AnnotatorFactory()
    user = annotator.user
    first, second = given(annotator, 2)
    page.goto(live_server.url)
    expect(page.locator("[name=username]")).to_be_focused()
    page.keyboard.type(user.username)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    begin = page.get_by_role("link", name="Start")
    expect(begin.locator("kbd")).to_have_text("E")
    expect(begin.locator("kbd")).to_be_visible()
    page.keyboard.press("e")
    at(page, first)
    # Nothing is left behind unsubmitted by the key.
    page.keyboard.press("e")
    for selector in ("#live", "#hints"):
        expect(page.locator(selector)).to_have_text("Submit this pair first; the next one then opens")
    page.keyboard.press("?")
    expect(page.locator("#help-list")).to_contain_text("Next pair, once this one is submitted")
    page.keyboard.press("Escape")
    submit(page)
    at(page, second)
    (elsewhere,) = given(AnnotatorFactory(user=user), 1)
    submit(page)
    expect(page.locator(".messages")).to_contain_text(f"in {annotator.project.name}.")
    page.wait_for_load_state()
    page.keyboard.press("e")
    at(page, elsewhere)
    submit(page)
    expect(page.locator(".messages")).to_contain_text("You have no pairs remaining in this project.")
    assert {each.status for each in Assignment.objects.all()} == {Status.DONE}


def test_on_a_submitted_pair_the_key_opens_the_next_one_where_there_is_one(page: Page, open_work: OpenWork) -> None:
    first, second = given(AnnotatorFactory(), 2)
    annotation_submit(assignment=first, by=first.annotator.user, base=0, verdict="submitted")
    open_work(page, first)
    expect(page.get_by_role("link", name="Next pair")).to_have_text("Next pair E")
    page.keyboard.press("e")
    at(page, second)
    annotation_submit(assignment=second, by=second.annotator.user, base=0, verdict="submitted")
    open_work(page, first)
    expect(page.locator("#done")).to_be_visible()
    expect(page.get_by_role("link", name="Next pair")).to_have_count(0)


def test_with_letters_limited_to_the_texts_other_pages_have_no_key(
    page: Page, live_server: LiveServer, log_in: LogIn
) -> None:
    annotator = AnnotatorFactory(user__preferences={"letters": False})
    given(annotator, 1)
    log_in(page.context, annotator.user)
    page.goto(live_server.url)
    expect(page.get_by_role("link", name="Start")).to_have_text("Start")
    page.keyboard.press("e")
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
