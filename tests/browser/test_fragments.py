"""Fragments: one rule for mouse, keyboard and touch, tested on many spans; and the ends of a run by key."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Assignment
from tests.browser.test_keyboard import press, to_the_texts
from tests.browser.test_whole_pairs import Keys, Mouse, Touch
from tests.browser.user_actions import drag, middle, quoted, saved, selected, word
from tests.browser.waits import wait_until
from tests.factories import AssignmentFactory, PairFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]
Runs = list[tuple[int, int]]

WIDTH = 9
A = [f"Paragraph {n} says something about the opening hours today" for n in range(14)]
B = [f"Absatz {n} sagt etwas über die heutigen Öffnungszeiten hier" for n in range(14)]
# First and last word of each fragment within the paragraph, on both sides; a span for each paragraph.
SPANS: list[tuple[Runs, Runs]] = [
    ([(0, 2)], [(0, 1)]),
    ([(2, 4), (6, 7)], [(2, 2)]),
    ([(1, 1)], [(1, 2), (4, 5), (7, 8)]),
    ([(0, 0), (2, 3), (5, 8)], [(0, 3), (5, 5), (7, 7)]),
    ([(3, 5)], []),
    ([], [(2, 3), (6, 6)]),
    ([(0, 1), (4, 4), (6, 8)], [(3, 5)]),
    ([(2, 2)], [(4, 4)]),
    ([(5, 8)], [(0, 0), (2, 2), (4, 8)]),
    ([(0, 3), (5, 6)], [(1, 3), (5, 8)]),
    ([(7, 8)], [(0, 8)]),
    ([(1, 2), (4, 5), (7, 7)], []),
    ([(0, 0), (8, 8)], [(2, 3), (6, 7)]),
    ([(4, 8)], [(5, 6), (8, 8)]),
]
NAMES = {"1": "Minimal", "2": "Small", "3": "Moderate", "4": "Large", "5": "Unrelated"}


def intended() -> list[tuple[str, list[str]]]:
    def words(text: str, runs: Runs) -> list[str]:
        return [" ".join(text.split()[first : last + 1]) for first, last in runs]

    return [(label(n), [*words(A[n], a), *words(B[n], b)]) for n, (a, b) in enumerate(SPANS)]


def label(n: int) -> str:
    return str(n % 5 + 1)


def centre(page: Page, side: str, index: int) -> tuple[float, float]:
    """Scroll a word away from the edges, where a drag would scroll, and return its position."""
    word(page, side, index).evaluate("element => element.scrollIntoView({ block: 'center' })")
    return middle(page, side, index)


class Dragging(Mouse):
    def select(self, side: str, row: int, runs: Runs, *, more: bool = False) -> None:
        for n, (first, last) in enumerate(runs):
            centre(self.page, side, row * WIDTH + first)
            if first == last and not n and not more:
                word(self.page, side, row * WIDTH + first).dblclick()
            elif first == last:
                word(self.page, side, row * WIDTH + first).click(modifiers=["Control"])
            else:
                drag(self.page, side, row * WIDTH + first, row * WIDTH + last, ctrl=n > 0 or more)

    def clear(self) -> None:
        self.bar.get_by_role("button", name="Clear selection").click()


class Tapping(Touch):
    def select(self, side: str, row: int, runs: Runs) -> None:
        adding = self.page.get_by_role("button", name="+ Fragment")
        for index in [index for first, last in runs for index in range(first, last + 1)]:
            # As a finger does: without asking whether a handle lies over the word.
            self.page.touchscreen.tap(*centre(self.page, side, row * WIDTH + index))
            expect(word(self.page, side, row * WIDTH + index)).to_contain_class("selected")
            if adding.get_attribute("aria-pressed") == "false":
                adding.tap()

    def clear(self) -> None:
        self.bar.get_by_role("button", name="Clear selection").tap()


class Typing(Keys):
    def go(self, side: str, index: int) -> None:
        if not self.page.evaluate("document.activeElement.classList.contains('token')"):
            to_the_texts(self.page)
        if side != ("a" if self.page.evaluate("!!document.activeElement.closest('.col.a')") else "b"):
            press(self.page, "Shift+Tab" if side == "a" else "Tab")
        down, right = divmod(index, WIDTH)
        press(self.page, "Control+Home", *["Control+ArrowDown"] * down, *["ArrowRight"] * right)

    def select(self, side: str, row: int, runs: Runs) -> None:
        for n, (first, last) in enumerate(runs):
            if n == 1 and not self.page.locator("[data-command=fragment][aria-pressed=true]").count():
                press(self.page, "j")
            self.go(side, row * WIDTH + first)
            press(self.page, *["Shift+ArrowRight"] * (last - first) or ["Space"])

    def clear(self) -> None:
        press(self.page, "Escape")


InputDevice = Dragging | Tapping | Typing


@pytest.fixture(
    params=[
        pytest.param(Dragging, id="mouse", marks=pytest.mark.long),
        pytest.param(Tapping, id="touch", marks=pytest.mark.long),
        pytest.param(Typing, id="keys", marks=pytest.mark.long),
    ]
)
def input_device(request: pytest.FixtureRequest, browser: Browser) -> Iterator[InputDevice]:
    touch = request.param is Tapping
    size = {"width": 390, "height": 844} if touch else {"width": 1440, "height": 900}
    context = browser.new_context(viewport=size, has_touch=touch, is_mobile=touch)  # type: ignore[arg-type]
    yield request.param(context.new_page())
    context.close()


@pytest.mark.takes(12)
def test_fourteen_spans_of_up_to_three_fragments_per_side_are_stored_as_intended(
    input_device: InputDevice, open_work: OpenWork
) -> None:
    pair = PairFactory(a=TextFactory(content="\n".join(A)), b=TextFactory(language="de", content="\n".join(B)))
    assignment = AssignmentFactory(pair=pair)
    open_work(input_device.page, assignment)
    for n, (a, b) in enumerate(SPANS):
        input_device.select("a", n, a)
        if n % 2 == 0 and a and b:
            # Marked on one side, picked again, linked to the words of the other.
            input_device.label(NAMES["1"])
            centre(input_device.page, "a", n * WIDTH + a[0][0])
            input_device.pick("a", n * WIDTH + a[0][0])
            input_device.select("b", n, b)
            input_device.label(NAMES[label(n)])
            input_device.clear()
        else:
            input_device.select("b", n, b)
            input_device.label(NAMES[label(n)])
    saved(input_device.page)
    wait_until(quoted, assignment, equals=intended())


@pytest.fixture
def assignment(page: Page, open_work: OpenWork) -> Assignment:
    made = AssignmentFactory()
    open_work(page, made)
    to_the_texts(page)
    return made


def test_moving_on_loses_nothing_and_one_key_adds_a_fragment(page: Page, assignment: Assignment) -> None:
    press(page, "Shift+ArrowRight", "ArrowRight", "ArrowRight")
    wait_until(selected, page, equals=["The", "library"])
    expect(page.locator("#hints")).to_contain_text("Shift + arrows select other words instead")
    expect(page.locator("#hints")).to_contain_text("J adds a fragment")
    press(page, "j")
    expect(page.locator("#hints")).to_contain_text("Shift + arrows add a fragment")
    press(page, "Shift+ArrowRight", "3")
    saved(page)
    wait_until(quoted, assignment, equals=[("3", ["The library", "open on"])])


def moving_end(page: Page) -> str:
    """On which side of the run the moving end is."""
    return str(page.locator(".handle.moves").get_attribute("class"))


def test_the_end_that_the_keys_move_is_shown_and_can_be_changed(page: Page, assignment: Assignment) -> None:
    press(page, "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "2", "Enter")
    expect(page.locator(".handle.moves")).to_have_count(1)
    wait_until(lambda: "end" in moving_end(page))
    press(page, "Shift+ArrowRight")
    wait_until(selected, page, equals=["library", "is", "open", "on"])
    press(page, "o")
    wait_until(lambda: "start" in moving_end(page))
    press(page, "Shift+ArrowLeft")
    wait_until(selected, page, equals=["The", "library", "is", "open", "on"])
    press(page, "Shift+ArrowRight", "Shift+ArrowRight", "o", "Shift+ArrowLeft")
    saved(page)
    wait_until(quoted, assignment, equals=[("2", ["is open"])])
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    expect(page.locator(".handle.moves")).to_have_count(0)
    expect(page.locator("#hints")).to_contain_text("Shift + arrows select for a new span")


def test_a_picked_span_has_its_end_on_either_side(page: Page, assignment: Assignment) -> None:
    drag(page, "a", 1, 2)
    drag(page, "b", 1, 2)
    press(page, "2")
    word(page, "a", 1).click()
    press(page, "Tab")
    expect(page.locator(".handle.moves")).to_have_count(1)
    expect(page.locator("#hints")).to_contain_text("Shift + arrows move the marked end")
    if "start" in moving_end(page):
        press(page, "o")
    press(page, "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft")
    saved(page)
    wait_until(quoted, assignment, equals=[("2", ["library is", "Bibliothek ist sonntags"])])
