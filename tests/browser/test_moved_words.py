"""Handles, label bar and connectors stay with their words, whatever moves them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Assignment
from tests.browser.user_actions import drag, resize, word
from tests.browser.waits import settled, wait_until
from tests.factories import AssignmentFactory, PairFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# How far the handles are from the ends of the selection, and whether the label bar is where it would be placed now.
OFF = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const words = [...document.querySelectorAll(".token.selected")].map((one) => one.getBoundingClientRect());
  const [start, end] = [...document.querySelectorAll(".handle")].map((one) => one.getBoundingClientRect());
  const line = (box) => (box.left + box.right) / 2;
  const [first, last] = [words[0], words[words.length - 1]];
  return [line(start) - first.left, start.top - first.top, line(end) - last.right, end.top - last.top];
}"""


def off(page: Page) -> list[float]:
    found: list[float] = page.evaluate(OFF)
    return found


@pytest.fixture
def assignment() -> Assignment:
    a = "\n".join(
        f"Paragraph {n} says something about the opening hours of the library and its rooms." for n in range(9)
    )
    b = "\n".join(f"Absatz {n} sagt etwas über die Öffnungszeiten der Bibliothek." for n in range(9))
    made: Assignment = AssignmentFactory(
        pair=PairFactory(a=TextFactory(content=a), b=TextFactory(language="de", content=b))
    )
    return made


@pytest.mark.parametrize("together", [True, False])
def test_on_a_desk(
    page: Page, open_work: Callable[[Page, Assignment], None], assignment: Assignment, together: bool
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    open_work(page, assignment)
    if not together:
        page.keyboard.press("a")
    drag(page, "a", 40, 42)

    def box() -> object:
        return word(page, "a", 40).bounding_box()

    before, was = settled(page, box), off(page)

    def moved() -> None:
        """The words have, and the handles with them."""
        nonlocal before
        wait_until(lambda: box() != before)
        before = settled(page, box)
        wait_until(off, page, equals=pytest.approx(was, abs=1.5))

    page.keyboard.press("b")
    moved()
    page.keyboard.press("b")
    moved()
    resize(page, 1180, 820)
    moved()
    page.keyboard.press("p")
    page.locator("#preferences-form [name=size]").fill("24")
    page.keyboard.press("Escape")
    expect(page.locator("#preferences")).to_be_hidden()
    wait_until(lambda: box() != before)
    wait_until(lambda: off(page)[::2], equals=pytest.approx(was[::2], abs=1.5))


def test_on_a_rotated_phone(
    browser: Browser, open_work: Callable[[Page, Assignment], None], assignment: Assignment
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    open_work(page, assignment)
    word(page, "a", 3).tap()
    expect(page.locator(".token.selected")).to_have_count(1)
    was = off(page)
    for width, height in ((844, 390), (390, 844)):
        resize(page, width, height)
        wait_until(off, page, equals=pytest.approx(was, abs=1.5))
    context.close()


def test_a_phone_in_landscape_has_a_hint(
    browser: Browser, open_work: Callable[[Page, Assignment], None], assignment: Assignment
) -> None:
    context = browser.new_context(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True)
    page = context.new_page()
    open_work(page, assignment)
    hint = page.locator("#hints")
    for _ in range(2):
        expect(hint).to_be_visible()
        box = hint.bounding_box()
        assert box and hint.inner_text() and box["width"] >= 120 and box["x"] + box["width"] <= 844
        word(page, "a", 3).tap()
        expect(page.locator("#label-bar")).to_be_visible()
    context.close()
