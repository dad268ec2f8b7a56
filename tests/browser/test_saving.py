"""Never lose work: reloads, a broken network, an expired log-in, a second tab, a second machine, a killed tab."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import Error as PlaywrightError
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotation, Assignment, Status
from tests.browser.user_actions import drag, marked, quoted, saved, stored, word
from tests.browser.waits import wait_until
from tests.factories import AssignmentFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]


@pytest.fixture
def assignment(page: Page, open_work: OpenWork) -> Assignment:
    made = AssignmentFactory()
    open_work(page, made)
    return made


def mark(page: Page, side: str, index: int, key: str) -> None:
    drag(page, side, index, index)
    word(page, side, index).dblclick()
    expect(word(page, side, index)).to_contain_class("selected")
    page.keyboard.press(key)
    expect(word(page, side, index)).to_contain_class("marked")
    page.keyboard.press("Escape")


def reload(page: Page) -> None:
    page.reload()
    page.wait_for_selector("html[data-ready]")


def test_undo_and_redo_survive_a_reload(page: Page, assignment: Assignment) -> None:
    mark(page, "a", 1, "1")
    mark(page, "a", 3, "2")
    mark(page, "b", 1, "3")
    page.keyboard.press("z")
    saved(page)
    reload(page)
    wait_until(lambda: [label for label, _ in quoted(assignment)], equals=["1", "2"])
    page.keyboard.press("z")
    page.keyboard.press("z")
    expect(page.locator(".token.marked")).to_have_count(0)
    for _ in range(3):
        page.keyboard.press("Shift+z")
    saved(page)
    wait_until(lambda: [label for label, _ in quoted(assignment)], equals=["1", "2", "3"])


def test_offline_work_continues_and_is_sent_when_the_network_is_back(page: Page, assignment: Assignment) -> None:
    page.context.set_offline(True)
    mark(page, "a", 1, "1")
    mark(page, "a", 3, "2")
    expect(page.locator("#state")).to_have_text("Offline, 2 changes kept here")
    wait_until(quoted, assignment, equals=[])
    page.context.set_offline(False)
    saved(page)
    wait_until(quoted, assignment, equals=[("1", ["library"]), ("2", ["open"])])


def test_a_tab_closed_offline_is_resumed_where_it_was(
    page: Page, assignment: Assignment, live_server: LiveServer
) -> None:
    url = page.url
    page.context.set_offline(True)
    mark(page, "a", 1, "4")
    expect(page.locator("#state")).to_contain_text("1 change kept here")
    page.close()
    context = page.context
    context.set_offline(False)
    again = context.new_page()
    again.goto(url)
    again.wait_for_selector("html[data-ready]")
    wait_until(marked, again, "a", equals=["library"])
    saved(again)
    wait_until(quoted, assignment, equals=[("4", ["library"])])
    again.keyboard.press("z")
    expect(again.locator(".token.marked")).to_have_count(0)
    again.goto("about:blank")


def test_a_killed_tab_loses_nothing(page: Page, assignment: Assignment) -> None:
    context, url = page.context, page.url
    mark(page, "a", 1, "4")
    with page.expect_event("crash"), suppress(PlaywrightError):  # the page is gone: that is the point
        page.goto("chrome://crash", timeout=3000)
    again = context.new_page()
    again.goto(url)
    again.wait_for_selector("html[data-ready]")
    wait_until(marked, again, "a", equals=["library"])
    saved(again)
    wait_until(quoted, assignment, equals=[("4", ["library"])])
    again.goto("about:blank")


def test_a_failing_server_is_waited_for(page: Page, assignment: Assignment) -> None:
    page.route("**/api/**", lambda route: route.fulfill(status=502, body="bad gateway"))
    mark(page, "a", 1, "1")
    expect(page.locator("#state")).to_have_text("Server not responding, 1 change kept here")
    page.unroute("**/api/**")
    saved(page)
    wait_until(quoted, assignment, equals=[("1", ["library"])])


def test_an_expired_log_in_loses_nothing(page: Page, assignment: Assignment) -> None:
    cookies = page.context.cookies()
    page.context.clear_cookies(name="sessionid")
    mark(page, "a", 1, "1")
    expect(page.locator("#state")).to_have_text("Logged out, 1 change kept here")
    expect(page.get_by_role("link", name="Log in again")).to_be_visible()
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    saved(page)
    expect(page.get_by_role("link", name="Log in again")).to_be_hidden()
    wait_until(quoted, assignment, equals=[("1", ["library"])])


@pytest.fixture
def machine(browser: Browser) -> BrowserContext:
    """Another machine: a separate browser."""
    return browser.new_context()


@pytest.fixture
def other(page: Page, assignment: Assignment, open_work: OpenWork, machine: BrowserContext) -> Page:
    """The pair on another machine, where it was opened before this one marked a word, and which is offline.

    Were what has been read there saved meanwhile, it would have this one's version already.
    """
    made = machine.new_page()
    open_work(made, assignment)
    machine.set_offline(True)
    mark(page, "a", 1, "1")
    saved(page)
    return made


@pytest.mark.parametrize(
    ("choice", "labels"), [("Keep your version", ["2"]), ("Keep the other version", ["1"]), ("Keep both", ["1", "2"])]
)
def test_of_two_machines_the_later_one_is_shown_both_versions_and_chooses(
    assignment: Assignment, machine: BrowserContext, other: Page, choice: str, labels: list[str]
) -> None:
    mark(other, "a", 3, "2")
    machine.set_offline(False)
    dialog = other.get_by_role("dialog", name="There are two versions of this pair")
    expect(dialog).to_contain_text("library")
    expect(dialog).to_contain_text("open")
    wait_until(
        lambda: [label for label, _ in quoted(assignment)], equals=["1"]
    )  # nothing is overwritten before the choice
    other.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name=choice).click()
    saved(other)
    wait_until(lambda: [label for label, _ in quoted(assignment)], equals=labels)
    wait_until(
        lambda: sorted(marked(other, "a")), equals=sorted({"1": "library", "2": "open"}[label] for label in labels)
    )


def test_ticks_made_while_another_machine_marked_cause_no_question(
    assignment: Assignment, machine: BrowserContext, other: Page
) -> None:
    other.locator(".tick").first.click()
    expect(other.locator(".tick").first).to_have_attribute("data-state", "read")
    machine.set_offline(False)
    saved(other)
    expect(other.locator(".col.a .token.marked")).to_have_text(["library"])
    expect(other.get_by_role("dialog")).to_be_hidden()
    # And the tick is kept.
    wait_until(lambda: bool(Annotation.objects.get(assignment=assignment).read_paragraphs["a"]))


def test_what_is_selected_stays_so_when_another_machines_version_comes(
    assignment: Assignment, machine: BrowserContext, other: Page
) -> None:
    machine.set_offline(False)
    drag(other, "a", 2, 3)
    # What was read meanwhile is saved, and brings the first one's version.
    expect(other.locator(".col.a .token.marked")).to_have_text(["library"])
    other.keyboard.press("2")
    saved(other)
    wait_until(quoted, assignment, equals=[("1", ["library"]), ("2", ["is open"])])


def test_a_second_tab_follows_the_first_and_says_so(page: Page, assignment: Assignment) -> None:
    second = page.context.new_page()
    second.goto(page.url)
    second.wait_for_selector("html[data-ready]")
    expect(second.locator("#notice")).to_contain_text("open in another tab")
    expect(page.locator("#notice")).to_contain_text("open in another tab")
    mark(page, "a", 1, "1")
    expect(second.locator(".col.a .token.marked")).to_have_text(["library"])
    mark(second, "a", 3, "2")
    saved(second)
    wait_until(quoted, assignment, equals=[("1", ["library"]), ("2", ["open"])])
    expect(page.locator(".col.a .token.marked")).to_have_text(["library", "open"])
    second.close()
    expect(page.locator("#notice")).to_be_hidden()


def test_a_tab_that_is_wrongly_considered_closed_keeps_its_work_to_itself(page: Page, assignment: Assignment) -> None:
    mark(page, "a", 1, "1")
    saved(page)
    head = "Object.keys(localStorage).find(key => key.endsWith('/head'))"
    page.evaluate(f"localStorage.setItem({head}.replace(/head$/, 'closed'), 'true')")
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("html[data-ready]")
    # It finds the name in use, and opens a new one under one of its own.
    expect(other.locator("#notice")).to_contain_text("open in another tab")
    expect(page.locator("#notice")).to_contain_text("open in another tab")
    names = "new Set(Object.keys(localStorage).filter(key => key.endsWith('/head'))).size"
    wait_until(other.evaluate, names, equals=2)
    mark(other, "a", 3, "2")
    saved(other)
    wait_until(quoted, assignment, equals=[("1", ["library"]), ("2", ["open"])])
    expect(page.locator(".col.a .token.marked")).to_have_text(["library", "open"])


def test_a_verdict_given_offline_is_sent_after_the_work(page: Page, assignment: Assignment) -> None:
    page.context.set_offline(True)
    mark(page, "a", 1, "1")
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Submit anyway").click()
    expect(page.locator("#state-detail")).to_contain_text("Your verdict is kept too")
    page.context.set_offline(False)
    page.wait_for_url(lambda url: "/work/" not in url)
    assignment.refresh_from_db()
    assert assignment.status == Status.DONE
    wait_until(quoted, assignment, equals=[("1", ["library"])])


def test_a_comment_on_a_span_is_saved_while_it_is_typed(page: Page, assignment: Assignment) -> None:
    mark(page, "a", 1, "1")
    word(page, "a", 1).click()
    page.keyboard.press("c")
    page.keyboard.type("a word too man")
    # Neither Enter nor leaving the field: what is on the page is what must be there again.
    reload(page)
    saved(page)
    wait_until(lambda: [span["comment"] for span in stored(assignment)], equals=["a word too man"])
    word(page, "a", 1).click()
    expect(page.get_by_role("textbox", name="Comment on this span")).to_have_value("a word too man")


def test_a_comment_typed_before_a_crash_is_restored(page: Page, assignment: Assignment) -> None:
    context, url = page.context, page.url
    page.route("**/api/**", lambda route: route.abort())
    mark(page, "a", 1, "1")
    word(page, "a", 1).click()
    page.keyboard.press("c")
    page.keyboard.type("half a sen")
    with page.expect_event("crash"), suppress(PlaywrightError):
        page.goto("chrome://crash", timeout=3000)
    again = context.new_page()
    again.goto(url)
    again.wait_for_selector("html[data-ready]")
    saved(again)
    wait_until(lambda: [span["comment"] for span in stored(assignment)], equals=["half a sen"])
    again.goto("about:blank")


def test_the_comment_on_the_pair_and_the_reason_of_a_verdict_are_saved_while_they_are_typed(
    page: Page, assignment: Assignment
) -> None:
    page.get_by_role("textbox", name="Comment for the lead").press_sequentially("look at line")
    page.get_by_role("button", name="Flag", exact=True).click()
    page.get_by_role("textbox", name="Reason").press_sequentially("the second text is cut of")
    reload(page)
    expect(page.get_by_role("textbox", name="Comment for the lead")).to_have_value("look at line")
    page.get_by_role("button", name="Flag", exact=True).click()
    expect(page.get_by_role("textbox", name="Reason")).to_have_value("the second text is cut of")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(page.get_by_role("textbox", name="Reason")).to_have_value("")


def test_unsaved_work_of_several_closed_tabs_is_shown_and_none_is_dropped(page: Page, assignment: Assignment) -> None:
    context, url = page.context, page.url
    second = context.new_page()
    second.goto(url)
    second.wait_for_selector("html[data-ready]")
    context.set_offline(True)
    mark(page, "a", 1, "1")
    mark(second, "a", 3, "2")
    for tab in (page, second):
        expect(tab.locator("#state")).to_contain_text("1 change kept here")
        tab.close()
    context.set_offline(False)
    again = context.new_page()
    again.goto(url)
    dialog = again.get_by_role("dialog", name="There are two versions of this pair")
    expect(dialog).to_contain_text("library")
    expect(dialog).to_contain_text("open")
    dialog.get_by_role("button", name="Keep both").click()
    again.wait_for_selector("html[data-ready]")
    saved(again)
    wait_until(quoted, assignment, equals=[("1", ["library"]), ("2", ["open"])])
    again.goto("about:blank")
