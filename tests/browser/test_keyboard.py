"""A whole pair without a mouse."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Status
from tests.browser.user_actions import quoted, saved, selected
from tests.browser.waits import wait_until
from tests.factories import AssignmentFactory, PairFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def to_the_texts(page: Page) -> None:
    """Press Tab from the top of the page until a word has the focus."""
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('token')"):
            return
    raise AssertionError("Tab never reached the texts")


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.textContent"))


def test_a_pair_is_marked_read_and_submitted_by_keys_alone(
    page: Page, open_work: Callable[[Page, Assignment], None]
) -> None:
    assignment = AssignmentFactory()
    open_work(page, assignment)
    to_the_texts(page)
    wait_until(focused, page, equals="The")
    press(page, "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight")
    wait_until(selected, page, equals=["library", "is", "open"])
    press(page, "Tab")
    press(page, "Control+Home", "ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "4")
    saved(page)
    wait_until(quoted, assignment, equals=[("4", ["library is open", "sonntags geöffnet"])])
    expect(page.locator("#live")).to_contain_text("in both texts")

    # A gap: Space keeps what is selected while the cursor goes on.
    press(page, "Shift+Tab", "Control+Home", "Control+ArrowDown")
    wait_until(focused, page, equals="Children")
    press(page, " ", "ArrowRight", "ArrowRight", " ", "2")
    saved(page)
    wait_until(lambda: ("2", ["Children", "nothing"]) in quoted(assignment))

    # Enter picks it, Shift and an arrow extends it, a digit relabels it, Escape leaves it.
    press(page, "Enter", "Shift+ArrowRight", "3", "Escape")
    saved(page)
    wait_until(lambda: ("3", ["Children", "nothing."]) in quoted(assignment))
    press(page, "z", "z")
    saved(page)
    wait_until(lambda: ("2", ["Children", "nothing"]) in quoted(assignment))
    press(page, "Shift+z")
    saved(page)
    wait_until(lambda: ("2", ["Children", "nothing."]) in quoted(assignment))

    press(page, "Control+Enter")
    page.wait_for_url(lambda url: "/work/" not in url)
    assignment.refresh_from_db()
    assert assignment.status == Status.DONE


def test_arrows_move_visually_in_a_right_to_left_text(
    page: Page, open_work: Callable[[Page, Assignment], None]
) -> None:
    text = TextFactory(language="ar", content="المكتبة مفتوحة أيام الأحد.")
    assignment = AssignmentFactory(pair=PairFactory(b=text))
    open_work(page, assignment)
    to_the_texts(page)
    press(page, "Tab", "Control+Home")
    wait_until(focused, page, equals="المكتبة")
    press(page, "ArrowLeft")
    wait_until(focused, page, equals="مفتوحة")
    press(page, "Shift+ArrowLeft", "1")
    saved(page)
    wait_until(quoted, assignment, equals=[("1", ["مفتوحة أيام"])])


def test_the_help_shows_what_the_keys_do_here_and_gives_the_focus_back(
    page: Page, open_work: Callable[[Page, Assignment], None]
) -> None:
    open_work(page, AssignmentFactory())
    to_the_texts(page)
    press(page, "ArrowRight", "?")
    dialog = page.get_by_role("dialog", name="Shortcuts")
    expect(dialog).to_contain_text("Whole paragraph has no counterpart")
    expect(dialog).not_to_contain_text("Next suggestion")
    press(page, "Escape")
    wait_until(focused, page, equals="library")


def test_one_key_marks_a_paragraph_without_counterpart(
    page: Page, open_work: Callable[[Page, Assignment], None]
) -> None:
    assignment = AssignmentFactory()
    open_work(page, assignment)
    to_the_texts(page)
    press(page, "Control+ArrowDown", "w")
    saved(page)
    wait_until(quoted, assignment, equals=[("5", ["Children pay nothing."])])


def test_find_goes_through_both_texts(page: Page, open_work: Callable[[Page, Assignment], None]) -> None:
    open_work(page, AssignmentFactory())
    to_the_texts(page)
    press(page, "/")
    page.keyboard.type("bibliothek")
    expect(page.locator("#find-count")).to_contain_text("1 match")
    press(page, "Enter", "Escape")
    wait_until(focused, page, equals="Bibliothek")


def test_enter_in_the_comment_for_the_lead_goes_back_to_the_texts(
    page: Page, open_work: Callable[[Page, Assignment], None]
) -> None:
    open_work(page, AssignmentFactory())
    page.keyboard.press("ArrowRight")
    page.keyboard.press("m")
    page.keyboard.type("odd")
    page.keyboard.press("Enter")
    expect(page.locator(".col.a .token").nth(1)).to_be_focused()
    # A digit is a label again, no part of the comment.
    page.keyboard.press("2")
    expect(page.locator("#pair-comment")).to_have_value("odd")
    expect(page.locator("#spans > li")).to_have_count(1)


def test_the_word_that_a_digit_would_mark_is_visible_from_the_start(
    page: Page, open_work: Callable[[Page, Assignment], None]
) -> None:
    open_work(page, AssignmentFactory())
    outlined = "all => all.filter((one) => getComputedStyle(one).outlineStyle !== 'none').map((one) => one.textContent)"
    wait_until(lambda: len(page.locator(".token").evaluate_all(outlined)), equals=1)
    shown = page.locator(".token").evaluate_all(outlined)
    page.keyboard.press("2")
    wait_until(page.locator(".token.marked").all_text_contents, equals=shown)


def test_single_letters_can_be_limited_to_the_texts(page: Page, open_work: Callable[[Page, Assignment], None]) -> None:
    open_work(page, AssignmentFactory())
    press(page, "p")
    page.get_by_label("Use single-letter shortcuts everywhere").uncheck()
    press(page, "Escape")
    page.locator("#time").evaluate("element => { document.activeElement.blur(); }")
    press(page, "?")
    expect(page.get_by_role("dialog", name="Shortcuts")).to_be_hidden()
    to_the_texts(page)
    press(page, "?")
    expect(page.get_by_role("dialog", name="Shortcuts")).to_be_visible()
