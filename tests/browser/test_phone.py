"""A phone: the texts above each other, each with its scroll, marked by touch."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Assignment
from tests.browser.hands import quoted, saved, selected, word
from tests.factories import AssignmentFactory, PairFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def assignment(phone: Page, open_work: Callable[[Page, Assignment], None]) -> Assignment:
    a = "\n".join(f"Paragraph {n} says something about the opening hours of the library." for n in range(30))
    b = "\n".join(f"Absatz {n} sagt etwas über die Öffnungszeiten der Bibliothek." for n in range(30))
    pair = PairFactory(a=TextFactory(content=a), b=TextFactory(language="de", content=b))
    made = AssignmentFactory(pair=pair)
    open_work(phone, made)
    return made


def test_a_tap_takes_a_word_and_the_handles_extend_it(phone: Page, assignment: Assignment) -> None:
    word(phone, "a", 3).tap()
    assert selected(phone) == ["something"]
    box, target = phone.locator(".handle.end").bounding_box(), word(phone, "a", 5).bounding_box()
    assert box and target
    phone.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 10)
    phone.mouse.down()
    phone.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2 + 22, steps=4)
    phone.mouse.up()
    assert selected(phone) == ["something", "about", "the"]
    word(phone, "b", 3).tap()
    phone.get_by_role("button", name="Large").tap()
    saved(phone)
    assert quoted(assignment) == [("4", ["something about the", "etwas"])]


def test_a_button_stands_in_for_ctrl(phone: Page, assignment: Assignment) -> None:
    word(phone, "a", 0).tap()
    phone.get_by_role("button", name="+ fragment").tap()
    word(phone, "a", 2).tap()
    phone.get_by_role("button", name="Small").tap()
    saved(phone)
    assert quoted(assignment) == [("2", ["Paragraph", "says"])]


def test_the_texts_lie_above_each_other_and_scroll_along(phone: Page, assignment: Assignment) -> None:
    a, b = phone.locator(".col.a"), phone.locator(".col.b")
    above, below = a.bounding_box(), b.bounding_box()
    assert above and below and above["y"] + above["height"] <= below["y"]
    a.evaluate("column => column.scrollTo(0, column.scrollHeight / 2)")
    phone.wait_for_function(
        """() => { const [a, b] = [...document.querySelectorAll(".col")].map(
          column => column.scrollTop / (column.scrollHeight - column.clientHeight));
          return a > 0.4 && Math.abs(a - b) < 0.1; }"""
    )


def test_the_hinge_is_a_bar_to_drag_and_remembers_where(phone: Page, assignment: Assignment) -> None:
    bar = phone.locator("#divider").bounding_box()
    assert bar
    phone.mouse.move(195, bar["y"] + 7)
    phone.mouse.down()
    phone.mouse.move(195, bar["y"] - 150, steps=4)
    phone.mouse.up()
    moved = phone.locator("#divider").bounding_box()
    assert moved and abs(moved["y"] - (bar["y"] - 157)) < 12
    phone.reload()
    phone.wait_for_selector("html[data-ready]")
    again = phone.locator("#divider").bounding_box()
    assert again and abs(again["y"] - moved["y"]) < 8
    expect(phone.locator("#divider")).to_have_role("separator")
