"""Linking words of the other text to the picked span, as in the README; making a span of their own is as easy."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Assignment, Highlight, Status
from annotation.services.demo import demo_load
from tests.browser.test_keyboard import press, to_the_texts
from tests.browser.user_actions import drag, middle, quoted, saved, selected, suggestion, word
from tests.browser.waits import wait_until
from tests.factories import AssignmentFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]


@pytest.fixture
def assignment(page: Page, open_work: OpenWork) -> Assignment:
    made = AssignmentFactory()
    open_work(page, made)
    return made


@pytest.fixture
def picked(page: Page, assignment: Assignment) -> Assignment:
    """A span over "library is" is picked."""
    drag(page, "a", 1, 2)
    page.keyboard.press("2")
    word(page, "a", 1).click()
    return assignment


def test_step_3_of_the_readme_on_the_demo(page: Page, open_work: OpenWork) -> None:
    demo_load()
    assignment = Assignment.objects.filter(
        annotator__user__username="anna", pair__project__slug="demo-graded", status=Status.OPEN
    ).order_by("order")[0]
    assert not quoted(assignment)
    open_work(page, assignment)
    drag(page, "a", 3, 5)
    page.keyboard.press("3")
    word(page, "a", 4).click()
    expect(page.locator("#label-bar")).to_contain_text("drag in the other text to link words")
    expect(page.locator("#hints")).to_contain_text("drag in the other text to link words")
    page.mouse.move(*middle(page, "b", 2))
    page.mouse.down()
    page.mouse.move(*middle(page, "b", 4), steps=4)
    expect(page.locator("#drag-note")).to_have_text("Links these words to the picked span")
    expect(page.locator("#hints")).to_have_text("Links these words to the picked span")
    page.mouse.up()
    expect(page.locator("#drag-note")).to_be_empty()
    page.keyboard.press("4")
    saved(page)
    a, b = assignment.pair.a, assignment.pair.b
    words = [a.content[a.tokens[3][0] : a.tokens[5][1]], b.content[b.tokens[2][0] : b.tokens[4][1]]]
    wait_until(quoted, assignment, equals=[("4", words)])


def test_a_double_click_links_too(page: Page, picked: Assignment) -> None:
    word(page, "b", 1).dblclick()
    saved(page)
    wait_until(quoted, picked, equals=[("2", ["library is", "Bibliothek"])])
    page.keyboard.press("z")
    word(page, "a", 1).click()
    word(page, "b", 4).click(click_count=3)
    saved(page)
    wait_until(quoted, picked, equals=[("2", ["library is", "Die Bibliothek ist sonntags geöffnet."])])


@pytest.mark.parametrize("leave", ["Escape", "a click elsewhere", "Clear selection"])
def test_without_the_picked_span_the_words_are_a_span_of_their_own(page: Page, picked: Assignment, leave: str) -> None:
    if leave == "Escape":
        page.keyboard.press("Escape")
    elif leave == "Clear selection":
        page.get_by_role("button", name="Clear selection").click()
    else:
        word(page, "a", 7).click()
    drag(page, "b", 3, 4)
    page.keyboard.press("5")
    saved(page)
    wait_until(quoted, picked, equals=[("2", ["library is"]), ("5", ["sonntags geöffnet"])])


def test_once_linked_a_drag_begins_a_new_span_and_says_so(page: Page, picked: Assignment) -> None:
    drag(page, "b", 1, 2)
    page.mouse.move(*middle(page, "b", 3))
    page.mouse.down()
    page.mouse.move(*middle(page, "b", 4), steps=4)
    expect(page.locator("#drag-note")).to_have_text("For a new span: the picked one stays as it is")
    page.mouse.up()
    page.keyboard.press("5")
    saved(page)
    wait_until(quoted, picked, equals=[("2", ["library is", "Bibliothek ist"]), ("5", ["sonntags geöffnet"])])


def test_the_connectors_show_the_link_during_the_drag(page: Page, picked: Assignment) -> None:
    page.mouse.move(*middle(page, "b", 3))
    page.mouse.down()
    page.mouse.move(*middle(page, "b", 4), steps=4)
    page.wait_for_function("document.querySelector('#connectors path').getAttribute('d').includes('C')")
    page.mouse.up()


def test_the_keyboard_links_by_tab_and_shift_with_arrows(page: Page, picked: Assignment) -> None:
    page.keyboard.press("Tab")
    expect(page.locator("#hints")).to_contain_text("Shift + arrows link words to the span")
    press(page, "Control+Home", "ArrowRight", "Shift+ArrowRight", "4")
    saved(page)
    wait_until(quoted, picked, equals=[("4", ["library is", "Bibliothek ist"])])


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def test_a_tap_links_and_clear_selection_comes_before_a_new_span(phone: Page, open_work: OpenWork) -> None:
    assignment = AssignmentFactory()
    open_work(phone, assignment)
    word(phone, "a", 1).tap()
    phone.get_by_role("button", name="Small").tap()
    word(phone, "a", 1).tap()
    expect(phone.locator("#hints")).to_contain_text("tap the other text to link")
    word(phone, "b", 1).tap()
    saved(phone)
    wait_until(quoted, assignment, equals=[("2", ["library", "Bibliothek"])])
    phone.get_by_role("button", name="Clear selection").tap()
    word(phone, "b", 3).tap()
    phone.get_by_role("button", name="Large").tap()
    saved(phone)
    wait_until(quoted, assignment, equals=[("2", ["library", "Bibliothek"]), ("4", ["sonntags"])])


def test_the_footer_distinguishes_a_changed_suggestion_from_a_current_one(page: Page, open_work: OpenWork) -> None:
    made = AssignmentFactory(highlights_shown=True)
    said = {"scores_a": [0] * 11, "scores_b": [0] * 11, "proposals": [suggestion(made, "a", 3, 4)]}
    Highlight.objects.create(pair=made.pair, run="r1", method="default.v1", seconds=0, edges=[], labels=[], **said)
    open_work(page, made)
    to_the_texts(page)
    foot = page.locator("#hints")
    press(page, "n")
    expect(foot).to_contain_text("1–5 accept the suggestion")
    press(page, "d")
    expect(foot).to_contain_text("1–5 mark the word")
    wait_until(selected, page, equals=[])
    press(page, "z")
    wait_until(selected, page, equals=["open", "on"])
    expect(foot).to_contain_text("1–5 accept the suggestion")
    press(page, "Escape")
    expect(foot).to_contain_text("1–5 mark the word")
