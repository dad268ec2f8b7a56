"""What prevents saving is explained, the work is kept, and the next step is offered."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotation, Annotator, Assignment, Role, Status, User
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.people import person_replace
from tests.annotation.work import doc
from tests.browser.user_actions import drag, marked, quoted, saved, word
from tests.browser.waits import drawn, follow, wait_until
from tests.factories import AnnotatorFactory, AssignmentFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]
LogIn = Callable[[BrowserContext, User], None]
PASSWORD = "correct horse battery"


@pytest.fixture
def assignment(page: Page, open_work: OpenWork) -> Assignment:
    made = AssignmentFactory()
    open_work(page, made)
    return made


def mark(page: Page, side: str, index: int, key: str) -> None:
    word(page, side, index).dblclick()
    page.keyboard.press(key)
    page.keyboard.press("Escape")


def user_of(annotator: Annotator) -> User:
    assert annotator.user is not None
    return annotator.user


def ready(page: Page, url: str) -> None:
    page.goto(url)
    page.wait_for_selector("html[data-ready]")


def log_in_beside(page: Page, name: str, user: User) -> None:
    """Press the button, log in in the tab that opens, and return when it has closed itself."""
    with page.expect_popup() as opened:
        page.get_by_role("link", name=name).click()
    beside = opened.value
    expect(beside.get_by_label("Name")).to_have_value(user.username)
    beside.get_by_label("Password").fill(PASSWORD)
    with beside.expect_event("close"):
        beside.get_by_role("button", name="Log in").click()


def test_after_an_expired_log_in_a_log_in_in_another_tab_sends_the_work(page: Page, assignment: Assignment) -> None:
    page.context.clear_cookies(name="sessionid")
    mark(page, "a", 1, "1")
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Submit anyway").click()
    trouble = page.locator("#save-problem")
    expect(trouble).to_contain_text("You have been logged out")
    expect(trouble).to_contain_text("1 change is kept in this browser")
    expect(trouble).to_contain_text("Your verdict is kept too")
    expect(trouble).not_to_contain_text("credentials")
    log_in_beside(page, "Log in again", user_of(assignment.annotator))
    page.wait_for_url(lambda url: "/work/" not in url)
    assignment.refresh_from_db()
    assert assignment.status == Status.DONE
    wait_until(quoted, assignment, equals=[("1", ["library"])])


def test_a_log_in_elsewhere_is_noticed_before_the_log_in_is_offered(
    page: Page, assignment: Assignment, log_in: LogIn
) -> None:
    page.context.clear_cookies(name="sessionid")
    mark(page, "a", 1, "1")
    expect(page.locator("#save-problem")).to_contain_text("You have been logged out")
    log_in(page.context, user_of(assignment.annotator))
    before = page.context.pages
    page.get_by_role("link", name="Log in again").click()
    saved(page)
    expect(page.locator("#save-problem")).to_be_hidden()
    wait_until(lambda: (quoted(assignment), page.context.pages), equals=([("1", ["library"])], before))


def test_someone_elses_log_in_is_named_before_the_log_in_is_offered(
    page: Page, assignment: Assignment, log_in: LogIn
) -> None:
    page.context.clear_cookies(name="sessionid")
    mark(page, "a", 1, "1")
    expect(page.locator("#save-problem")).to_contain_text("You have been logged out")
    other = user_of(AnnotatorFactory(project=assignment.pair.project))
    log_in(page.context, other)
    page.get_by_role("link", name="Log in again").click()
    expect(page.locator("#save-problem")).to_contain_text(f"{other.username} is logged in in this browser now")
    expect(page.locator("#state")).to_have_text("Not saved, 1 change kept here")
    assert not Annotation.objects.exists()
    log_in(page.context, user_of(assignment.annotator))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    saved(page)
    wait_until(quoted, assignment, equals=[("1", ["library"])])


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.LEAD, None])
def test_another_user_in_the_same_browser_is_named_and_gets_nothing(
    page: Page, assignment: Assignment, log_in: LogIn, role: str | None
) -> None:
    project = assignment.pair.project
    other = user_of(AnnotatorFactory(project=project, role=role) if role else AnnotatorFactory())
    log_in(page.context, other)
    mark(page, "a", 1, "1")
    trouble = page.locator("#save-problem")
    expect(trouble).to_contain_text(f"{other.username} is logged in in this browser now")
    expect(trouble).to_contain_text("1 change is kept in this browser")
    expect(page.locator("#state")).to_have_text("Not saved, 1 change kept here")
    assert not Annotation.objects.exists()
    owner = user_of(assignment.annotator)
    log_in_beside(page, f"Log in as {owner.username}", owner)
    saved(page)
    expect(trouble).to_be_hidden()
    wait_until(quoted, assignment, equals=[("1", ["library"])])
    assert Annotation.objects.get().assignment == assignment


def test_logging_out_keeps_unsaved_work_and_preferences_for_their_user(
    page: Page, assignment: Assignment, live_server: LiveServer, log_in: LogIn
) -> None:
    url, context = page.url, page.context
    context.set_offline(True)
    page.locator("header [data-command=preferences]").click()
    page.get_by_label("Typeface").select_option("sans")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    mark(page, "a", 1, "1")
    expect(page.locator("#state")).to_contain_text("1 change kept here")
    page.close()
    time.sleep(3)  # what a closing page still sends must meet a browser that is offline
    context.set_offline(False)
    page = context.new_page()
    page.goto(live_server.url)
    follow(page.get_by_role("button", name="Log out"))
    page.wait_for_url("**/login/**")
    face = "document.documentElement.style.getPropertyValue('--read')"

    lead = user_of(AnnotatorFactory(project=assignment.pair.project, role=Role.LEAD))
    log_in(context, lead)
    ready(page, url)
    wait_until(page.evaluate, face, equals="var(--serif)")
    assert not Annotation.objects.exists()

    log_in(context, user_of(assignment.annotator))
    ready(page, url)
    saved(page)
    wait_until(quoted, assignment, equals=[("1", ["library"])])
    wait_until(page.evaluate, face, equals="var(--ui)")


def test_ticks_that_wait_are_not_counted_as_changes(page: Page, assignment: Assignment) -> None:
    page.context.set_offline(True)
    page.keyboard.press("r")
    expect(page.locator("#state")).to_have_text("Offline")
    expect(page.locator("#save-problem")).to_contain_text("Paragraphs ticked as read are not saved yet.")
    mark(page, "a", 1, "1")
    page.keyboard.press("m")
    page.keyboard.type("three")
    expect(page.locator("#state")).to_have_text("Offline, 2 changes kept here")
    expect(page.locator("#save-problem")).not_to_contain_text("ticks")


def test_what_one_user_left_in_a_browser_is_not_shown_to_the_next(
    page: Page, assignment: Assignment, log_in: LogIn
) -> None:
    url, context = page.url, page.context
    context.set_offline(True)
    mark(page, "a", 1, "1")
    expect(page.locator("#state")).to_contain_text("1 change kept here")
    page.close()
    context.set_offline(False)
    lead = user_of(AnnotatorFactory(project=assignment.pair.project, role=Role.LEAD))
    log_in(context, lead)
    second = context.new_page()
    ready(second, url)
    expect(second.locator("#done")).to_contain_text("another person's work")
    wait_until(marked, second, "a", equals=[])
    expect(second.locator("#save-problem")).to_be_hidden()
    log_in(context, user_of(assignment.annotator))
    ready(second, url)
    wait_until(marked, second, "a", equals=["library"])
    saved(second)
    wait_until(quoted, assignment, equals=[("1", ["library"])])
    second.goto("about:blank")


def test_reassigned_by_the_lead_while_it_is_open_says_so_and_offers_no_reopening(
    page: Page, assignment: Assignment
) -> None:
    mark(page, "b", 1, "3")
    saved(page)
    newcomer = AnnotatorFactory(project=assignment.annotator.project)
    person_replace(leaver=assignment.annotator, newcomer=newcomer, by=None, end_access=False)
    mark(page, "a", 1, "1")
    trouble = page.locator("#save-problem")
    for _ in range(2):
        expect(trouble).to_contain_text("The lead has assigned this pair to someone else.")
        expect(trouble).to_contain_text("1 change made here was not saved and doesn't count.")
        expect(page.locator("#done-words")).to_have_text("The lead has assigned this pair to someone else.")
        expect(page.get_by_role("button", name="Reopen")).to_have_count(0)
        ready(page, page.url)
    wait_until(quoted, assignment, equals=[("3", ["Bibliothek"])])
    expect(page.locator("#done")).not_to_contain_text(newcomer.alias)


def test_reassigned_before_anything_was_saved_says_the_same(page: Page, assignment: Assignment) -> None:
    newcomer = AnnotatorFactory(project=assignment.annotator.project)
    person_replace(leaver=assignment.annotator, newcomer=newcomer, by=None, end_access=False)
    mark(page, "a", 1, "1")
    expect(page.locator("#save-problem")).to_contain_text("The lead has assigned this pair to someone else.")
    expect(page.locator("#save-problem")).to_contain_text("1 change made here was not saved and doesn't count.")
    expect(page.get_by_role("button", name="Reopen")).to_have_count(0)


@pytest.fixture
def submitted_elsewhere(page: Page, assignment: Assignment) -> Assignment:
    """The pair was submitted on another machine, and then changed here."""
    user = user_of(assignment.annotator)
    mark(page, "b", 1, "3")
    saved(page)
    annotation_submit(assignment=assignment, by=user, base=1, verdict="submitted")
    mark(page, "a", 1, "1")
    trouble = page.locator("#save-problem")
    expect(trouble).to_contain_text("This pair was submitted in another tab or on another machine.")
    expect(trouble).to_contain_text("1 change made here is not part of it, and is kept in this browser.")
    expect(page.locator("#done-words")).to_have_text("This pair was submitted elsewhere.")
    # No key does anything now, and the foot promises nothing.
    expect(page.locator("#hints")).to_have_text("")
    return assignment


def test_submitted_elsewhere_then_reopened_with_the_changes_made_here(
    page: Page, submitted_elsewhere: Assignment
) -> None:
    with page.expect_navigation():
        page.locator("#save-problem").get_by_role("button", name="Reopen").click()
    page.wait_for_selector("html[data-ready]")
    saved(page)
    wait_until(quoted, submitted_elsewhere, equals=[("1", ["library"]), ("3", ["Bibliothek"])])
    submitted_elsewhere.refresh_from_db()
    assert submitted_elsewhere.status == Status.STARTED
    expect(page.locator("#save-problem")).to_be_hidden()


def test_submitted_elsewhere_and_opened_again_shows_what_was_submitted_and_keeps_the_rest(
    page: Page, submitted_elsewhere: Assignment
) -> None:
    ready(page, page.url)
    wait_until(lambda: (marked(page, "a"), marked(page, "b")), equals=([], ["Bibliothek"]))
    expect(page.locator("#save-problem")).to_contain_text("1 change made here is not part of it")
    expect(page.locator("#done-words")).to_have_text("You submitted this pair. Reopen it to change it.")
    page.on("dialog", lambda dialog: dialog.accept())
    with page.expect_navigation():
        page.get_by_role("button", name="Discard my changes").click()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#save-problem")).to_be_hidden()
    wait_until(quoted, submitted_elsewhere, equals=[("3", ["Bibliothek"])])


def test_submitted_in_another_tab_the_first_one_says_so_at_once(page: Page, assignment: Assignment) -> None:
    second = page.context.new_page()
    ready(second, page.url)
    second.keyboard.press("Control+Enter")
    second.get_by_role("button", name="Submit anyway").click()
    expect(page.locator("#save-problem")).to_contain_text("This pair was submitted in another tab")
    expect(page.locator("#verdicts")).to_be_hidden()
    with page.expect_navigation():
        page.get_by_role("button", name="Show what was submitted").click()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#done-words")).to_have_text("You submitted this pair. Reopen it to change it.")


def test_reopening_adds_the_changes_though_the_tab_that_submitted_was_the_last_to_close(
    page: Page, assignment: Assignment
) -> None:
    page.context.set_offline(True)
    mark(page, "a", 1, "1")
    mark(page, "a", 3, "2")
    expect(page.locator("#state")).to_contain_text("2 changes kept here")
    # First, so that the page saves nothing when it is back online.
    page.route("**/api/**", lambda route: route.abort())
    page.context.set_offline(False)
    other = page.context.new_page()
    ready(other, page.url)
    mark(other, "a", 5, "1")
    other.keyboard.press("Control+z")
    other.keyboard.press("Control+Enter")
    other.get_by_role("button", name="Submit anyway").click()
    other.wait_for_url(lambda url: "/work/" not in url)
    other.close()
    page.unroute("**/api/**")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    with page.expect_navigation():
        page.locator("#save-problem").get_by_role("button", name="Reopen").click()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator(".col.a .token.marked")).to_have_text(["library", "open"])
    expect(page.get_by_role("dialog")).to_be_hidden()
    saved(page)
    wait_until(quoted, assignment, equals=[("1", ["library"]), ("2", ["open"])])


def test_work_saved_elsewhere_before_it_was_submitted_is_shown_beside_ours(
    page: Page, assignment: Assignment, browser: Browser, live_server: LiveServer
) -> None:
    user = user_of(assignment.annotator)
    annotation_save(assignment=assignment, by=user, base=0, sent=AnnotationInput(spans=doc(), comment="from elsewhere"))
    annotation_submit(assignment=assignment, by=user, base=1, verdict="submitted")
    mark(page, "a", 1, "1")
    with page.expect_navigation():
        page.locator("#save-problem").get_by_role("button", name="Reopen").click()
    dialog = page.get_by_role("dialog", name="There are two versions of this pair")
    expect(dialog).to_contain_text("from elsewhere")
    dialog.get_by_role("button", name="Keep both").click()
    saved(page)
    wait_until(lambda: ("1", ["library"]) in quoted(assignment))
    assert Annotation.objects.get().comment == "from elsewhere"


def test_in_a_closed_phase_changes_are_kept_and_the_reason_is_shown(page: Page, assignment: Assignment) -> None:
    project = assignment.pair.project
    project.settings = {**project.settings, "closed_phases": ["main"]}
    project.save()
    mark(page, "a", 1, "1")
    trouble = page.locator("#save-problem")
    expect(page.locator("#state")).to_have_text("Phase closed, 1 change kept here")
    expect(trouble).to_contain_text("The phase is closed. 1 change is kept in this browser.")
    expect(trouble.get_by_role("link", name="Home")).to_be_visible()
    shown = trouble.inner_text()
    page.reload()
    expect(page.locator("#state")).to_have_text("Phase closed, 1 change kept here")
    wait_until(trouble.inner_text, equals=shown)


def test_a_verdict_that_a_closed_phase_refuses_is_sent_and_announced_later(page: Page, assignment: Assignment) -> None:
    project = assignment.pair.project
    project.settings = {**project.settings, "closed_phases": ["main"]}
    project.save()
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("button", name="Submit anyway").click()
    expect(page.locator("#save-problem")).to_contain_text("Your verdict is kept in this browser.")
    project.settings = {**project.settings, "closed_phases": []}
    project.save()
    page.reload()
    expect(page.locator("#save-problem")).to_contain_text(
        "Your verdict, which was kept in this browser, has been sent."
    )
    expect(page.locator("#done")).to_contain_text("You submitted this pair.")
    assignment.refresh_from_db()
    assert assignment.status == "done"


def test_a_missing_pair_is_reported(page: Page, assignment: Assignment) -> None:
    assignment.delete()
    mark(page, "a", 1, "1")
    expect(page.locator("#save-problem")).to_contain_text("not assigned to you any more, or was deleted")
    expect(page.locator("#save-problem").get_by_role("link", name="Home")).to_be_visible()


def test_a_drag_ends_if_the_pair_was_submitted_in_the_meantime(page: Page, submitted_elsewhere: Assignment) -> None:
    drag(page, "a", 3, 3)
    page.keyboard.press("2")
    drawn(page)
    wait_until(marked, page, "a", equals=["library"])  # nothing more can be made that would not be saved
