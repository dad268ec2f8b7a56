"""Marking with the mouse: words, never parts of words, on one side or on both."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Annotation, Assignment
from tests.browser.user_actions import drag, marked, middle, quoted, saved, selected, stored, word
from tests.browser.waits import drawn, wait_until
from tests.factories import AssignmentFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def assignment(page: Page, open_work: Callable[[Page, Assignment], None]) -> Assignment:
    made = AssignmentFactory()
    open_work(page, made)
    return made


def test_a_drag_on_each_side_and_a_digit_make_one_linked_span(page: Page, assignment: Assignment) -> None:
    drag(page, "a", 1, 3)
    drag(page, "b", 3, 4)
    wait_until(selected, page, equals=["library", "is", "open", "sonntags", "geöffnet"])
    page.keyboard.press("4")
    saved(page)
    wait_until(quoted, assignment, equals=[("4", ["library is open", "sonntags geöffnet"])])
    expect(page.locator("#spans .row")).to_have_count(1)
    wait_until(marked, page, "a", equals=["library", "is", "open"])


def test_a_drag_may_go_backwards_and_across_paragraphs(page: Page, assignment: Assignment) -> None:
    drag(page, "a", 8, 5)
    wait_until(selected, page, equals=["Sundays", ".", "Children", "pay"])
    page.keyboard.press("1")
    saved(page)
    wait_until(quoted, assignment, equals=[("1", ["Sundays.\nChildren pay"])])


def test_a_drag_may_start_and_end_beside_words(page: Page, assignment: Assignment) -> None:
    box = page.locator(".col.a .para").first.bounding_box()
    assert box is not None
    x, y = middle(page, "a", 4)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, y, steps=3)
    page.mouse.up()
    wait_until(selected, page, equals=["on", "Sundays", "."])


def test_a_drag_may_start_in_the_margin_and_between_paragraphs(page: Page, assignment: Assignment) -> None:
    first = page.locator(".col.a .para").first.bounding_box()
    assert first is not None
    page.mouse.move(first["x"] - 20, middle(page, "a", 0)[1])
    page.mouse.down()
    page.mouse.move(*middle(page, "a", 2), steps=4)
    page.mouse.up()
    wait_until(selected, page, equals=["The", "library", "is"])
    page.mouse.click(first["x"] - 20, first["y"] + first["height"] / 2)
    wait_until(selected, page, equals=[])
    page.mouse.move(middle(page, "a", 2)[0], first["y"] + first["height"] + 3)
    page.mouse.down()
    page.mouse.move(*middle(page, "a", 4), steps=4)
    page.mouse.up()
    wait_until(lambda: "on" in selected(page) and len(selected(page)) > 1)


def test_ctrl_adds_fragments_on_either_side(page: Page, assignment: Assignment) -> None:
    drag(page, "a", 0, 1)
    drag(page, "a", 3, 4, ctrl=True)
    drag(page, "b", 0, 0, ctrl=True)
    page.keyboard.press("2")
    saved(page)
    wait_until(quoted, assignment, equals=[("2", ["The library", "open on", "Die"])])


def test_a_double_click_selects_a_word_a_triple_click_a_sentence(page: Page, assignment: Assignment) -> None:
    word(page, "a", 2).dblclick()
    wait_until(selected, page, equals=["is"])
    page.keyboard.press("Escape")
    word(page, "a", 8).click(click_count=3)
    wait_until(selected, page, equals=["Children", "pay", "nothing", "."])


def test_shift_and_click_extends(page: Page, assignment: Assignment) -> None:
    word(page, "a", 1).click()
    word(page, "a", 3).click(modifiers=["Shift"])
    wait_until(selected, page, equals=["library", "is", "open"])


def test_a_picked_span_is_relabelled_extended_shrunk_split_and_deleted(page: Page, assignment: Assignment) -> None:
    drag(page, "a", 0, 3)
    page.keyboard.press("2")
    word(page, "a", 1).click()
    page.keyboard.press("5")
    saved(page)
    wait_until(quoted, assignment, equals=[("5", ["The library is open"])])
    drag(page, "b", 0, 1, ctrl=True)
    word(page, "a", 2).click(modifiers=["Control"])
    saved(page)
    wait_until(quoted, assignment, equals=[("5", ["The library", "open", "Die Bibliothek"])])
    word(page, "a", 3).click()
    page.keyboard.press("s")
    saved(page)
    wait_until(lambda: sorted(quoted(assignment)), equals=[("5", ["The library", "Die Bibliothek"]), ("5", ["open"])])
    word(page, "a", 3).click()
    page.keyboard.press("Delete")
    saved(page)
    wait_until(quoted, assignment, equals=[("5", ["The library", "Die Bibliothek"])])


def test_overlapping_spans_are_all_pickable(page: Page, assignment: Assignment) -> None:
    drag(page, "a", 0, 4)
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    drag(page, "a", 2, 3)
    page.keyboard.press("5")
    word(page, "a", 2).click()
    expect(page.locator(".labels [aria-pressed=true]")).to_contain_text("Unrelated")
    word(page, "a", 2).click()
    expect(page.locator(".labels [aria-pressed=true]")).to_contain_text("Minimal")
    layers = "element => getComputedStyle(element).backgroundImage.split('gradient').length - 1"
    wait_until(word(page, "a", 2).evaluate, layers, equals=2)


def test_a_label_can_be_given_by_a_click_beside_the_selection(page: Page, assignment: Assignment) -> None:
    drag(page, "b", 1, 2)
    expect(page.locator("#label-bar")).to_be_visible()
    drawn(page)
    bar, last = page.locator("#label-bar").bounding_box(), word(page, "b", 2).bounding_box()
    assert bar and last and abs(bar["y"] - last["y"]) < 120
    page.get_by_role("button", name="Moderate").click()
    saved(page)
    wait_until(quoted, assignment, equals=[("3", ["Bibliothek ist"])])
    expect(page.locator("#label-bar")).to_be_hidden()


def test_the_list_quotes_both_sides_and_leads_to_the_words(page: Page, assignment: Assignment) -> None:
    drag(page, "a", 8, 9)
    drag(page, "b", 6, 9)
    page.keyboard.press("3")
    drag(page, "a", 0, 0)
    page.keyboard.press("1")
    rows = page.locator("#spans .row")
    expect(rows.nth(0)).to_contain_text("only in English")
    expect(rows.nth(1)).to_contain_text("pay nothing")
    expect(rows.nth(1)).to_contain_text("zahlen die Hälfte")
    rows.nth(1).hover()
    expect(page.locator(".token.active")).to_have_count(6)
    expect(page.locator("#connectors path")).to_have_attribute("d", re.compile("M"))
    rows.nth(1).locator("button").click()
    expect(page.locator(".labels [aria-pressed=true]")).to_contain_text("Moderate")


def test_a_span_and_the_pair_can_be_commented(page: Page, assignment: Assignment) -> None:
    drag(page, "a", 1, 1)
    page.keyboard.press("1")
    word(page, "a", 1).click()
    page.keyboard.press("c")
    page.keyboard.type("which library?")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.keyboard.type("short pair")
    page.keyboard.press("Escape")
    saved(page)
    wait_until(lambda: stored(assignment)[0]["comment"], equals="which library?")
    wait_until(lambda: Annotation.objects.get(assignment=assignment).comment, equals="short pair")


def test_the_connectors_join_the_picked_and_the_hovered_span(page: Page, assignment: Assignment) -> None:
    for at in (1, 3):
        drag(page, "a", at, at + 1)
        drag(page, "b", at, at + 1)
        page.keyboard.press("3")
    rows = page.locator("#spans .row button")
    rows.nth(0).click()
    path = page.locator("#connectors path")
    expect(path).to_have_attribute("d", re.compile("^[^C]*C[^C]*$"))
    rows.nth(1).hover()
    expect(path).to_have_attribute("d", re.compile("^[^C]*C[^C]*C[^C]*$"))
    page.mouse.move(5, 5)
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    expect(path).to_have_attribute("d", "")
