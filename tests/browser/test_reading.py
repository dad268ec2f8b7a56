"""What counts as read: time in view while the user is active, or a key; never just moving the cursor past."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Annotation, Assignment, Status
from tests.browser.user_actions import middle, resize, saved, word
from tests.browser.waits import drawn, wait_until
from tests.factories import AssignmentFactory, PairFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]
ROWS = 30


@pytest.fixture
def short(page: Page, open_work: OpenWork) -> Assignment:
    """Two rows of 7 to 10 words, in a browser whose clock is controlled by the test."""
    page.clock.install()
    made = AssignmentFactory()
    open_work(page, made)
    return made


@pytest.fixture
def long(page: Page, open_work: OpenWork) -> Assignment:
    """More rows than fit into a window."""
    page.clock.install()
    lines = "\n".join(f"This is the paragraph number {n} of a text, and it has a few words." for n in range(ROWS))
    made = AssignmentFactory(pair=PairFactory(a=TextFactory(content=lines), b=TextFactory(content=lines)))
    open_work(page, made)
    return made


def unread(page: Page) -> int:
    return page.locator(".tick[data-state=unread]").count()


def states(page: Page) -> list[str]:
    return list(page.locator(".tick").evaluate_all("all => all.map((tick) => tick.dataset.state)"))


def work(page: Page, seconds: int) -> None:
    """Time passes, with a small mouse movement every 20 s."""
    drawn(page)
    for start in range(0, seconds, 20):
        page.mouse.move(700 + start % 40, 5)
        page.clock.run_for(min(20, seconds - start) * 1000)


def test_moving_on_ticks_nothing(page: Page, long: Assignment) -> None:
    word(page, "a", 1).click()
    for _ in range(ROWS):
        page.keyboard.press("Control+ArrowDown")
    page.keyboard.press("Control+Home")
    for _ in range(5):
        page.keyboard.press("u")
    wait_until(unread, page, equals=ROWS)
    expect(page.locator("#unread-count")).to_have_text(f"{ROWS} paragraphs unread")


def test_time_in_view_ticks_and_then_nothing_is_asked_at_submit(page: Page, short: Assignment) -> None:
    expect(page.locator("#unread-count")).to_have_text("2 paragraphs unread")
    work(page, 2)
    wait_until(unread, page, equals=2)  # nobody has read a paragraph after 2 seconds
    work(page, 20)
    expect(page.locator("#unread-count")).to_have_text("All read")
    page.clock.run_for(3000)
    saved(page)
    assert Annotation.objects.get(assignment=short).read_paragraphs == {"a": [0, 1], "b": [0, 1]}
    page.get_by_role("button", name="Submit").first.click()
    page.wait_for_url(lambda url: "/work/" not in url)
    short.refresh_from_db()
    assert short.status == Status.DONE


def test_the_row_of_the_pointer_is_read_first(page: Page, long: Assignment) -> None:
    drawn(page)
    page.mouse.move(*middle(page, "a", 50))
    page.clock.run_for(7000)
    wait_until(lambda: states(page)[:5], equals=["unread", "unread", "read", "unread", "unread"])


def test_an_open_page_without_activity_reads_nothing(page: Page, short: Assignment) -> None:
    drawn(page)
    page.clock.run_for(120_000)
    wait_until(unread, page, equals=2)


def test_a_hidden_page_and_one_that_is_covered_read_nothing(page: Page, short: Assignment) -> None:
    resize(page, 1000, 720)
    page.get_by_role("button", name="Guidelines").click()
    expect(page.locator("#guidelines")).to_be_visible()
    work(page, 40)
    wait_until(unread, page, equals=2)  # the guidelines lie over the texts
    page.keyboard.press("Escape")
    expect(page.locator("#guidelines")).to_be_hidden()
    page.evaluate("Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})")
    work(page, 40)
    wait_until(unread, page, equals=2)  # the tab is hidden
    page.evaluate("delete document.visibilityState")
    work(page, 20)
    wait_until(unread, page, equals=0)


def test_what_is_out_of_view_stays_unread_until_it_is_scrolled_to(page: Page, long: Assignment) -> None:
    work(page, 300)
    below = unread(page)
    assert 0 < below < ROWS
    assert states(page) == ["read"] * (ROWS - below) + ["unread"] * below
    while unread(page):
        before = unread(page)
        page.locator("#texts").evaluate("(texts) => texts.scrollBy(0, 300)")
        work(page, 120)
        assert unread(page) < before
    wait_until(unread, page, equals=0)


def test_what_the_user_set_back_stays_unread(page: Page, short: Assignment) -> None:
    work(page, 20)
    wait_until(unread, page, equals=0)
    page.locator(".tick").first.click()
    work(page, 60)
    wait_until(unread, page, equals=1)
    page.locator(".tick").first.click()
    wait_until(unread, page, equals=0)


def test_next_unread_by_key_by_mouse_and_by_touch(
    page: Page, long: Assignment, browser: Browser, open_work: OpenWork
) -> None:
    word(page, "a", 1).click()
    page.keyboard.press("r")
    page.keyboard.press("u")
    row = "document.activeElement.closest('.para').dataset.row"
    wait_until(page.evaluate, row, equals="2")  # ticking goes on to row 1, the key to the next one
    page.locator(".reading").click()
    wait_until(page.evaluate, row, equals="3")
    expect(page.locator("#unread-count")).to_have_text(f"{ROWS - 1} paragraphs unread")
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).new_page()
    open_work(phone, long)
    phone.locator(".reading").tap()
    wait_until(phone.evaluate, row, equals="1")
    phone.close()


def test_the_key_moves_on_from_an_automatically_ticked_row_and_unticks_only_the_users_ticks(
    page: Page, short: Assignment
) -> None:
    work(page, 20)
    word(page, "a", 1).click()
    page.keyboard.press("r")
    wait_until(unread, page, equals=0)  # pressed to tick, it does not untick
    page.keyboard.press("r")
    wait_until(unread, page, equals=1)
