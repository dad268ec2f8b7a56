"""Without a network: a reload works, the next pairs are there, and what was submitted is sent later or explained."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotation, Annotator, Assignment, Status, User
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from annotation.services.guidelines import guideline_write
from tests.browser.user_actions import drag, marked, quoted, saved
from tests.browser.waits import clean, follow, wait_until
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.long]
OpenWork = Callable[[Page, Assignment], None]
LogIn = Callable[[BrowserContext, User], None]
# The paths of the pairs that are kept, in all caches.
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys())
      if (/\\/work\\/\\d+\\/$/.test(url)) found.push(new URL(url).pathname);
  return found.sort();
}"""
CUT = """{
  const ask = fetch;
  window.fetch = (at, how) => (navigator.onLine ? ask(at, how) : Promise.reject(new TypeError("offline")));
}"""
LIBRARY = [("3", ["library is"])]


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(service_workers="allow")
    # Chromium lets through what a page sends while it closes, whatever the network is emulated to be.
    made.add_init_script(CUT)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture
def annotator() -> Annotator:
    made: Annotator = AnnotatorFactory()
    return made


@pytest.fixture
def pairs(annotator: Annotator) -> list[Assignment]:
    return [AssignmentFactory(pair=PairFactory(project=annotator.project), annotator=annotator) for _ in range(3)]


def path(assignment: Assignment) -> str:
    return f"/projects/{assignment.pair.project.slug}/work/{assignment.pk}/"


def at(page: Page, assignment: Assignment) -> None:
    page.wait_for_url(f"**/work/{assignment.pk}/")
    page.wait_for_selector("html[data-ready]")


def ready(page: Page, *pairs: Assignment) -> None:
    """Wait until these pairs are kept, and the service worker answers for the page."""
    wait_until(page.evaluate, KEPT, equals=sorted(path(each) for each in pairs))
    wait_until(page.evaluate, "navigator.serviceWorker.controller !== null")


def mark(page: Page) -> None:
    drag(page, "a", 1, 2)
    page.keyboard.press("3")
    page.keyboard.press("Escape")


def submit(page: Page) -> None:
    page.keyboard.press("Control+Enter")
    page.locator("#unread-submit").click()


def submitted_offline(page: Page, open_work: OpenWork, pairs: list[Assignment]) -> None:
    """Submit the first pair without a network, which opens the second."""
    first, second, *_others = pairs
    open_work(page, first)
    ready(page, *pairs)
    page.context.set_offline(True)
    mark(page)
    submit(page)
    at(page, second)


def status(assignment: Assignment) -> str:
    assignment.refresh_from_db()
    return assignment.status


def test_work_goes_on_to_the_next_pairs_and_is_sent_later(
    page: Page, open_work: OpenWork, pairs: list[Assignment]
) -> None:
    first, second, third = pairs
    submitted_offline(page, open_work, pairs)
    outbox = page.locator("#outbox")
    expect(outbox).to_contain_text("1 submitted pair is kept in this browser")
    expect(outbox).to_contain_text("You are offline")
    clean(page)
    mark(page)
    expect(page.locator("#state")).to_have_attribute("data-state", "offline")
    # Reloaded without a network, the pair has what was marked on it.
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#spans .row")).to_have_count(1)
    assert len(marked(page, "a")) == 2
    submit(page)
    at(page, third)
    expect(outbox).to_contain_text("2 submitted pairs are kept in this browser")
    assert (status(first), status(second)) == (Status.OPEN, Status.OPEN)
    page.context.set_offline(False)
    wait_until(lambda: (status(first), status(second)), equals=(Status.DONE, Status.DONE))
    assert quoted(first) == quoted(second) == LIBRARY
    expect(outbox).to_have_text("2 pairs submitted offline have been sent.")
    assert status(third) == Status.OPEN
    # What is done is not kept any longer.
    ready(page, third)


def test_a_reload_without_a_network_shows_the_last_work_saved_or_not(
    page: Page, open_work: OpenWork, pairs: list[Assignment]
) -> None:
    first, *_rest = pairs
    open_work(page, first)
    ready(page, *pairs)
    mark(page)
    saved(page)
    wait_until(quoted, first, equals=LIBRARY)
    page.context.set_offline(True)
    drag(page, "b", 1, 1)
    page.keyboard.press("2")
    page.keyboard.press("Escape")
    expect(page.locator("#state")).to_have_attribute("data-state", "offline")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#spans .row")).to_have_count(2)
    page.keyboard.press("z")
    expect(page.locator("#spans .row")).to_have_count(1)
    page.keyboard.press("Shift+z")
    expect(page.locator("#outbox")).to_contain_text("You are offline")
    guideline_write(project=first.pair.project, text="Mark less.", base=0)
    page.context.set_offline(False)
    wait_until(lambda: len(quoted(first)), equals=2)
    saved(page)
    # The server has answered, with what is newer than the page.
    expect(page.locator("#outbox")).to_be_hidden()
    page.keyboard.press("g")
    expect(page.locator("#guidelines-text")).to_have_text("Mark less.")


def test_a_verdict_on_a_pair_that_changed_elsewhere_comes_back(
    page: Page, open_work: OpenWork, pairs: list[Assignment]
) -> None:
    first, second, _third = pairs
    submitted_offline(page, open_work, pairs)
    fragments = [{"side": "b", "start": 4, "end": 14}]
    span = {"id": "elsewhere", "label": "5", "origin": "manual", "comment": "", "fragments": fragments}
    work = AnnotationInput(spans={"v": 1, "spans": [span]})
    annotation_save(assignment=first, by=first.annotator.user, base=0, sent=work)
    page.context.set_offline(False)
    outbox = page.locator("#outbox")
    expect(outbox).to_contain_text("Pair 1 could not be submitted. The pair was also changed elsewhere.")
    assert status(first) == Status.STARTED
    follow(outbox.get_by_role("link", name="Open pair 1"))
    at(page, first)
    expect(page.locator("#conflict")).to_be_visible()
    page.get_by_role("button", name="Keep both").click()
    wait_until(lambda: sorted(label for label, _words in quoted(first)), equals=["3", "5"])
    expect(outbox).to_be_hidden()
    submit(page)
    at(page, second)
    assert status(first) == Status.DONE


def test_a_refused_verdict_says_why_also_on_the_start_page(
    page: Page, open_work: OpenWork, pairs: list[Assignment], live_server: LiveServer
) -> None:
    first = pairs[0]
    submitted_offline(page, open_work, pairs)
    project = first.pair.project
    project.settings = {**project.settings, "closed_phases": ["main"]}
    project.save()
    page.context.set_offline(False)
    expect(page.locator("#outbox")).to_contain_text("Pair 1 could not be submitted. The phase is closed.")
    page.goto(live_server.url)
    expect(page.locator("#outbox")).to_contain_text("Pair 1 could not be submitted. The phase is closed.")
    clean(page)
    assert not Annotation.objects.filter(assignment=first).exclude(verdict="").exists()
    # It was kept: with the phase open again, opening the pair sends it.
    project.settings = {}
    project.save()
    follow(page.get_by_role("link", name="Open pair 1"))
    wait_until(status, first, equals=Status.DONE)
    assert quoted(first) == LIBRARY


def test_what_was_submitted_offline_is_sent_from_the_start_page(
    page: Page, open_work: OpenWork, pairs: list[Assignment], live_server: LiveServer
) -> None:
    first = pairs[0]
    submitted_offline(page, open_work, pairs)
    page.goto("about:blank")
    page.context.set_offline(False)
    page.goto(live_server.url)
    wait_until(status, first, equals=Status.DONE)
    expect(page.locator("#outbox")).to_have_text("1 pair submitted offline has been sent.")


def test_a_submission_is_taken_back_before_it_is_sent(page: Page, open_work: OpenWork, pairs: list[Assignment]) -> None:
    first = pairs[0]
    submitted_offline(page, open_work, pairs)
    page.keyboard.press("Control+Shift+Enter")
    at(page, first)
    expect(page.locator("#last-submission")).to_contain_text("Pair 1 is open again")
    expect(page.locator("#spans .row")).to_have_count(1)
    page.keyboard.press(".")
    page.keyboard.press("5")
    page.context.set_offline(False)
    wait_until(lambda: [label for label, _words in quoted(first)], equals=["5"])
    assert status(first) == Status.STARTED


def test_nothing_is_kept_after_the_log_out_or_for_someone_else(
    page: Page, open_work: OpenWork, pairs: list[Assignment], live_server: LiveServer, log_in: LogIn
) -> None:
    first, *_rest = pairs
    open_work(page, first)
    ready(page, *pairs)
    journals = "Object.keys(localStorage).filter((key) => key.startsWith('diptych/2/')).length"
    page.goto(live_server.url)
    assert page.evaluate(journals), "the last saved state of the pair"
    follow(page.get_by_role("button", name="Log out"))
    wait_until(page.evaluate, journals, equals=0)
    wait_until(page.evaluate, "caches.keys()", equals=[])
    wait_until(page.evaluate, "navigator.serviceWorker.getRegistrations().then((all) => all.length)", equals=0)
    # Without a log-out in between, the next person's first pair removes what was kept of the one before.
    open_work(page, first)
    ready(page, *pairs)
    other = AssignmentFactory(pair=PairFactory(project=first.pair.project))
    open_work(page, other)
    ready(page, other)
    page.context.set_offline(True)
    assert page.goto(live_server.url + path(other))
    with pytest.raises(Exception, match="ERR_"):
        page.goto(live_server.url + path(first))
    page.context.set_offline(False)
    log_in(page.context, UserFactory())
    response = page.goto(live_server.url + path(other))
    assert response and response.status in (403, 404), "with a network, the server answers"


def test_pages_of_others_work_and_submitted_pairs_are_not_kept(
    page: Page, open_work: OpenWork, pairs: list[Assignment]
) -> None:
    first, second, third = pairs
    open_work(page, first)
    ready(page, *pairs)
    submit(page)
    at(page, second)
    ready(page, second, third)
    page.keyboard.press("Shift+e")
    at(page, first)
    expect(page.locator("#done")).to_be_visible()
    ready(page, second, third)
