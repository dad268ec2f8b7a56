"""Whole pairs, from the first mark to the verdict, in every scheme and with every input device."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Assignment, Status
from annotation.text.schemes import PRESETS
from tests.browser.test_keyboard import press, to_the_texts
from tests.browser.user_actions import drag, middle, quoted, saved, selected, stored, word
from tests.browser.waits import drawn, wait_until
from tests.factories import AssignmentFactory, PairFactory, ProjectFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]
TEXTS = {
    "de": "Die Bibliothek ist sonntags geöffnet.\nKinder zahlen nichts.",
    "ar": "المكتبة مفتوحة أيام الأحد.\nالأطفال لا يدفعون شيئا.",
    "zh": "图书馆星期天对所有人开放。\n儿童免费入场。",
}


class Mouse:
    """Drags, clicks and buttons; keys only for typing."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.bar = page.get_by_role("toolbar", name="Label")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def write(self, words: str) -> None:
        """Type, once a field has the focus: elsewhere each letter is a command."""
        expect(self.page.locator("input:focus, textarea:focus")).to_have_count(1)
        self.page.keyboard.type(words)

    def mark(self, side: str, first: int, last: int) -> None:
        if first == last:
            word(self.page, side, first).dblclick()
        else:
            drag(self.page, side, first, last)

    def pick(self, side: str, index: int) -> None:
        word(self.page, side, index).click()

    def label(self, name: str) -> None:
        self.bar.get_by_role("button", name=name, exact=True).click()

    def comment(self, words: str) -> None:
        self.bar.get_by_role("button", name="Comment").click()
        self.write(words)
        self.page.keyboard.press("Enter")

    def leave(self) -> None:
        self.page.locator("#texts").click(position={"x": 4, "y": 300})

    def undo(self) -> None:
        self.press("Undo")

    def redo(self) -> None:
        self.press("Redo")

    def tick(self, row: int) -> None:
        # Time in view may have ticked it already.
        if self.page.locator(".tick").nth(row).get_attribute("data-state") == "unread":
            self.page.locator(".tick").nth(row).click()

    def answer(self, digit: int) -> None:
        self.page.locator("#questions .choice").nth(digit).click()

    def remark(self, words: str) -> None:
        self.page.get_by_label("Comment for the lead").click()
        self.write(words)

    def submit(self) -> None:
        self.page.get_by_role("button", name="Submit").click()


class Touch(Mouse):
    """Touch on a phone."""

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).tap()

    def mark(self, side: str, first: int, last: int) -> None:
        word(self.page, side, first).tap()
        expect(word(self.page, side, first)).to_contain_class("selected")
        if last != first:
            drawn(self.page)
            box = self.page.locator(".handle.end").bounding_box()
            assert box
            x, y = middle(self.page, side, last)
            # The knob hangs below the word that it means.
            self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 10)
            self.page.mouse.down()
            self.page.mouse.move(x, y + 22, steps=4)
            self.page.mouse.up()

    def pick(self, side: str, index: int) -> None:
        word(self.page, side, index).tap()
        expect(word(self.page, side, index)).to_contain_class("selected")

    def label(self, name: str) -> None:
        self.bar.get_by_role("button", name=name, exact=True).tap()

    def comment(self, words: str) -> None:
        self.bar.get_by_role("button", name="Comment").tap()
        self.write(words)
        self.page.keyboard.press("Enter")

    def leave(self) -> None:
        self.page.locator(".col.a .side").tap()

    def tick(self, row: int) -> None:
        if self.page.locator(".tick").nth(row).get_attribute("data-state") == "unread":
            self.page.locator(".tick").nth(row).tap()

    def answer(self, digit: int) -> None:
        self.page.locator("#questions .choice").nth(digit).tap()

    def remark(self, words: str) -> None:
        self.press("Comment")
        self.write(words)

    def submit(self) -> None:
        self.press("Submit")


class Keys(Mouse):
    """Keyboard only."""

    def go(self, side: str, index: int) -> None:
        here = "document.activeElement.closest('.col')?.classList.contains('%s') ?? false"
        if not self.page.evaluate("document.activeElement.classList.contains('token')"):
            self.page.evaluate("document.activeElement.blur()")
            to_the_texts(self.page)
        if not self.page.evaluate(here % side):
            press(self.page, "Shift+Tab" if side == "a" else "Tab")
        press(self.page, "Control+Home", *[self.forward(side)] * index)

    def forward(self, side: str) -> str:
        return "ArrowLeft" if self.page.locator(f".col.{side}").get_attribute("dir") == "rtl" else "ArrowRight"

    def mark(self, side: str, first: int, last: int) -> None:
        self.go(side, first)
        press(self.page, *[f"Shift+{self.forward(side)}"] * (last - first) or ["Space"])

    def pick(self, side: str, index: int) -> None:
        self.go(side, index)
        press(self.page, "Enter")

    def label(self, name: str) -> None:
        digit = self.bar.get_by_role("button", name=name, exact=True).locator(".chip").inner_text()
        press(self.page, digit)

    def comment(self, words: str) -> None:
        press(self.page, "c")
        self.write(words)
        press(self.page, "Enter")

    def leave(self) -> None:
        press(self.page, "Escape")

    def undo(self) -> None:
        press(self.page, "z")

    def redo(self) -> None:
        press(self.page, "Shift+z")

    def tick(self, row: int) -> None:
        self.go("a", 0)
        press(self.page, *["Control+ArrowDown"] * row, "r")

    def answer(self, digit: int) -> None:
        press(self.page, str(digit))

    def remark(self, words: str) -> None:
        press(self.page, "m")
        self.write(words)

    def submit(self) -> None:
        press(self.page, "Control+Enter")


@pytest.fixture(
    params=[
        pytest.param(Mouse, id="mouse"),
        pytest.param(Keys, id="keys", marks=pytest.mark.long),
        pytest.param(Touch, id="touch", marks=pytest.mark.long),
    ]
)
def hand(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Mouse]:
    touch = request.param is Touch
    size = {"width": 390, "height": 844} if touch else {"width": 1440, "height": 900}
    context = browser.new_context(viewport=size, has_touch=touch, is_mobile=touch)  # type: ignore[arg-type]
    yield request.param(context.new_page())
    context.close()


def made(scheme: str, language: str = "de") -> Assignment:
    project = ProjectFactory(scheme=PRESETS[scheme].to_json())
    b = TextFactory(language=language, content=TEXTS[language])
    statement = TextFactory(content="Both say that children pay nothing.") if scheme == "likert" else None
    return AssignmentFactory(pair=PairFactory(project=project, b=b, statement=statement))


def done(assignment: Assignment) -> None:
    assignment.refresh_from_db()
    assert (assignment.status, assignment.annotation.comment) == (Status.DONE, "checked")


@pytest.mark.parametrize("language", ["de", *(pytest.param(each, marks=pytest.mark.long) for each in ("ar", "zh"))])
def test_graded(hand: Mouse, open_work: OpenWork, language: str) -> None:
    assignment = made("graded", language)
    content, tokens = assignment.pair.b.content, assignment.pair.b.tokens
    words = content[tokens[1][0] : tokens[2][1]]
    open_work(hand.page, assignment)
    hand.mark("a", 1, 3)
    hand.mark("b", 1, 2)
    wait_until(lambda: len(selected(hand.page)), equals=5)
    hand.label("Large")
    saved(hand.page)
    wait_until(quoted, assignment, equals=[("4", ["library is open", words])])  # one span on both sides
    hand.leave()
    hand.pick("a", 2)
    hand.label("Small")
    hand.comment("only on one day?")
    saved(hand.page)
    wait_until(
        lambda: [(span["label"], span["comment"]) for span in stored(assignment)], equals=[("2", "only on one day?")]
    )
    hand.leave()
    hand.mark("b", 0, 0)
    hand.label("Minimal")
    expect(hand.page.locator("#spans .row")).to_have_count(2)
    for step, count in ((hand.undo, 1), (hand.redo, 2), (hand.undo, 1)):
        step()
        expect(hand.page.locator("#spans .row")).to_have_count(count)
    hand.leave()
    hand.tick(1)
    expect(hand.page.locator(".tick").nth(1)).to_have_attribute("data-state", "read")
    hand.remark("checked")
    saved(hand.page)
    hand.submit()
    hand.page.wait_for_url(lambda url: "/work/" not in url)
    done(assignment)
    wait_until(quoted, assignment, equals=[("2", ["library is open", words])])
    assert 1 in assignment.annotation.read_paragraphs["a"]


def test_new_and_inferable_then_with_swapped_sides(hand: Mouse, open_work: OpenWork) -> None:
    first = made("xparade")
    pair = first.pair
    pair.mirror = PairFactory(project=pair.project, a=pair.b, b=pair.a, mirror=pair)
    pair.save()
    second = AssignmentFactory(pair=pair.mirror, annotator=first.annotator, order=first.order + 1)
    open_work(hand.page, first)
    for assignment, words in ((first, "Bibliothek ist"), (second, "library is")):
        expect(hand.page.locator(".col.a .readonly")).to_be_attached()
        hand.mark("b", 1, 2)
        hand.label("New")
        hand.leave()
        hand.pick("b", 1)
        hand.label("Inferable")
        hand.undo()
        hand.redo()
        saved(hand.page)
        wait_until(quoted, assignment, equals=[("inferable", [words])])
        hand.leave()
        hand.tick(1)
        hand.remark("checked")
        saved(hand.page)
        hand.submit()
        if assignment is first:
            hand.page.wait_for_url(f"**/work/{second.pk}/")
            hand.page.wait_for_selector("html[data-ready]")
    hand.page.wait_for_url(lambda url: "/work/" not in url)
    done(first)
    done(second)


def test_a_rating(hand: Mouse, open_work: OpenWork) -> None:
    assignment = made("likert")
    open_work(hand.page, assignment)
    for digit in (1, 3):
        hand.answer(digit)
        expect(hand.page.locator(f"#questions input[value='{digit}']")).to_be_checked()
    hand.undo()
    expect(hand.page.locator("#questions input[value='1']")).to_be_checked()
    hand.remark("checked")
    saved(hand.page)
    hand.submit()
    hand.page.wait_for_url(lambda url: "/work/" not in url)
    done(assignment)
    assert assignment.annotation.answers == {"agree": "1"}
