"""A phone: the texts above each other, each scrolling by itself, marked by touch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Assignment, Highlight
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import PRESETS
from tests.browser.user_actions import quoted, saved, selected, suggestion, word
from tests.browser.waits import drawn, fits, wait_until
from tests.factories import AssignmentFactory, PairFactory, ProjectFactory, TextFactory

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


def test_a_tap_selects_a_word_and_the_handles_extend_it(phone: Page, assignment: Assignment) -> None:
    word(phone, "a", 3).tap()
    wait_until(selected, phone, equals=["something"])
    drawn(phone)
    box, here = phone.locator(".handle.end").bounding_box(), word(phone, "a", 3).bounding_box()
    target = word(phone, "a", 5).bounding_box()
    assert box and here and target
    held = box["y"] + box["height"] - 10
    phone.mouse.move(box["x"] + box["width"] / 2, held)
    phone.mouse.down()
    phone.mouse.move(target["x"] + target["width"] / 2, held + target["y"] - here["y"], steps=4)
    phone.mouse.up()
    wait_until(selected, phone, equals=["something", "about", "the"])
    word(phone, "b", 3).tap()
    phone.get_by_role("button", name="Large").tap()
    expect(phone.locator(".token.marked")).to_have_count(4)
    saved(phone)
    wait_until(quoted, assignment, equals=[("4", ["something about the", "etwas"])])


def test_the_verdicts_have_the_names_that_they_have_elsewhere(phone: Page, assignment: Assignment) -> None:
    def shown() -> list[str]:
        names = phone.locator("#verdicts button:not(.phone)").all_inner_texts()
        return [name.removesuffix("Ctrl ↵").strip() for name in names]

    on_phone = shown()
    assert on_phone == ["Submit", "Not comparable", "Flag", "Skip"]
    phone.set_viewport_size({"width": 1440, "height": 900})
    wait_until(shown, equals=on_phone)


def test_the_label_bar_says_why_a_suggestion_is_made(phone: Page, open_work: Callable[..., None]) -> None:
    made = AssignmentFactory(highlights_shown=True)
    proposals = [suggestion(made, side, 3, 4, level=3) for side in ("a", "b")]
    said = {"proposals": proposals, "scores_a": [0] * 11, "scores_b": [0] * 11}
    Highlight.objects.create(pair=made.pair, run="r1", method="default.v1", seconds=0, **said)
    open_work(phone, made)
    for side in ("a", "b"):
        word(phone, side, 3).tap()
        why = phone.locator("#label-bar .why")
        expect(why).to_contain_text("counterpart")
        expect(why).to_be_in_viewport(ratio=1)
        drawn(phone)
        words, bar = word(phone, side, 3).bounding_box(), phone.locator("#label-bar").bounding_box()
        assert words and bar and (words["y"] + words["height"] <= bar["y"] or bar["y"] + bar["height"] <= words["y"])


def test_a_button_replaces_ctrl(phone: Page, assignment: Assignment) -> None:
    word(phone, "a", 0).tap()
    phone.get_by_role("button", name="+ Fragment").tap()
    word(phone, "a", 2).tap()
    phone.get_by_role("button", name="Small").tap()
    expect(phone.locator(".token.marked")).to_have_count(2)
    saved(phone)
    wait_until(quoted, assignment, equals=[("2", ["Paragraph", "says"])])


def test_the_texts_are_above_each_other_and_scroll_together(phone: Page, assignment: Assignment) -> None:
    a, b = phone.locator(".col.a"), phone.locator(".col.b")
    above, below = a.bounding_box(), b.bounding_box()
    assert above and below and above["y"] + above["height"] <= below["y"]
    a.evaluate("column => column.scrollTo(0, column.scrollHeight / 2)")
    phone.wait_for_function(
        """() => { const [a, b] = [...document.querySelectorAll(".col")].map(
          column => column.scrollTop / (column.scrollHeight - column.clientHeight));
          return a > 0.4 && Math.abs(a - b) < 0.1; }"""
    )


def near(phone: Page, y: float, tolerance: float) -> bool:
    """Whether the divider is there, up to some pixels."""
    box = phone.locator("#divider").bounding_box()
    return box is not None and abs(box["y"] - y) < tolerance


def test_the_divider_can_be_dragged_and_its_position_is_stored(phone: Page, assignment: Assignment) -> None:
    bar = phone.locator("#divider").bounding_box()
    assert bar
    phone.mouse.move(195, bar["y"] + 7)
    phone.mouse.down()
    phone.mouse.move(195, bar["y"] - 150, steps=4)
    phone.mouse.up()
    wait_until(near, phone, bar["y"] - 157, 12)
    moved = phone.locator("#divider").bounding_box()
    assert moved
    phone.reload()
    phone.wait_for_selector("html[data-ready]")
    wait_until(near, phone, moved["y"], 8)
    expect(phone.locator("#divider")).to_have_role("separator")


def test_questions_and_texts_have_room_of_their_own(phone: Page, open_work: Callable[..., None]) -> None:
    choices = [{"key": f"c{n}", "name": f"An answer of several words, number {n}"} for n in range(4)]
    scale = {"key": "grade", "text": "How much do they differ?", "type": "scale", "low": 1, "high": 7}
    questions = [scale] + [{"key": f"q{n}", "text": f"Question {n}?", "choices": choices} for n in range(3)]
    scheme = parse_scheme({**PRESETS["graded"].to_json(), "questions": questions})
    pair = PairFactory(project=ProjectFactory(scheme=scheme.to_json()), a=TextFactory(content="Long. " * 300))
    assignment = AssignmentFactory(pair=pair)
    open_work(phone, assignment)
    boxes = [phone.locator(one).bounding_box() for one in (".col.a", "#divider", ".col.b", "#questions")]
    tops, ends = [box["y"] for box in boxes if box], [box["y"] + box["height"] for box in boxes if box]
    assert all(end <= top + 1 for end, top in zip(ends, tops[1:], strict=False))
    assert ends[0] - tops[0] > 150 and ends[2] - tops[2] > 150
    fits(phone)
    # Every answer can be tapped, and gets the tap.
    for group in phone.locator("#questions fieldset").all():
        answer = group.locator(".choice").last
        answer.tap()
        expect(answer.locator("input")).to_be_checked()
    saved(phone)
    expect(word(phone, "a", 0)).not_to_be_in_viewport()
    # What leads to a word shows its text, which was scrolled away.
    phone.locator(".reading").tap()
    expect(phone.locator(".token[data-cursor]")).to_be_in_viewport()
    word(phone, "a", 2).tap()
    wait_until(selected, phone, equals=["Long"])
    drawn(phone)
    words, bar = word(phone, "a", 2).bounding_box(), phone.locator("#label-bar").bounding_box()
    assert words and bar and (words["y"] + words["height"] <= bar["y"] or bar["y"] + bar["height"] <= words["y"])


LANGUAGES = ("en", "de", "es", "fr", "it")


@pytest.mark.long
@pytest.mark.takes(2)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [390, 800, 1024, 1440])
def test_the_footer_keeps_its_height_and_truncates_nothing(
    browser: Browser, open_work: Callable[[Page, Assignment], None], width: int, language: str
) -> None:
    touch = width < 600
    context = browser.new_context(
        viewport={"width": width, "height": 844}, has_touch=touch, is_mobile=touch, locale=language
    )
    page = context.new_page()
    open_work(page, AssignmentFactory())
    # Height of the foot, lines of it, whether something in it is cut or the whole is too wide.
    look = """() => { const foot = document.querySelector(".foot"), hint = document.querySelector("#hints");
      return [foot.offsetHeight, hint.scrollWidth > hint.clientWidth || hint.scrollHeight > hint.clientHeight,
        foot.scrollWidth > foot.clientWidth, hint.textContent !== ""]; }"""
    found = [page.evaluate(look)]
    for side, index in (("a", 1), ("b", 1)):
        here = word(page, side, index)
        here.tap() if touch else here.dblclick()
        expect(here).to_contain_class("selected")
        drawn(page)
        found.append(page.evaluate(look))
    for key in ("1", "Enter", "Escape", "Shift+ArrowRight", "j"):
        page.keyboard.press(key)
        drawn(page)
        found.append(page.evaluate(look))
    context.close()
    assert found == [[found[0][0], False, False, True]] * len(found)
    assert found[0][0] <= (60 if width > 1100 else 80)


def test_the_text_scrolls_clear_of_the_handles_at_its_last_line(phone: Page, assignment: Assignment) -> None:
    for side in "ab":
        frame = phone.locator(f".col.{side}").bounding_box()
        assert frame
        bottom = frame["y"] + frame["height"]
        last = phone.evaluate(
            """([side, bottom]) => [...document.querySelectorAll(`.col.${side} .token`)].findLastIndex(
              (word) => word.getBoundingClientRect().bottom <= bottom)""",
            [side, bottom],
        )
        box = word(phone, side, last).bounding_box()
        assert box and box["y"] + box["height"] > bottom - 40
        # Where the finger is: further scrolling would be Playwright's own.
        phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(word(phone, side, last)).to_have_class(re.compile(r"\bselected\b"))
        drawn(phone)
        knob = phone.locator(".handle.end").bounding_box()
        assert knob and knob["y"] + knob["height"] <= bottom + 1
