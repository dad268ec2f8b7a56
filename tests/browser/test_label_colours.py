"""The colours of labels as they are drawn: readable on every background, grades distinguishable, in both themes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Assignment
from annotation.text.colours import COLOURS, grade_colours
from annotation.text.scheme_parsing import parse_scheme
from tests.browser.user_actions import quoted, saved, word
from tests.browser.waits import drawn, wait_until
from tests.factories import AssignmentFactory, PairFactory, ProjectFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]
# Red, green and blue as the browser paints them, whichever way the colour is written.
PAINTED = """(names) => {
  const probe = document.body.appendChild(document.createElement("i"));
  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const of = (name) => {
    probe.style.color = `var(${name})`;
    brush.fillStyle = getComputedStyle(probe).color;
    brush.fillRect(0, 0, 1, 1);
    return [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const found = Object.fromEntries(names.map((name) => [name, of(name)]));
  probe.remove();
  return found;
}"""


def graded(count: int) -> dict[str, Any]:
    labels = [{"key": str(n), "name": f"Grade {n}", "value": n} for n in range(1, count + 1)]
    return parse_scheme({"name": "grades", "labels": labels, "default": "0"}).to_json()


def luminance(colour: list[int]) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    linear = [c / 12.92 if (c := value / 255) <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for value in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: list[int], other: list[int]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_is_readable_on_every_colour_and_grades_differ_in_lightness(
    page: Page, open_work: OpenWork, theme: str
) -> None:
    assignment = AssignmentFactory(pair=PairFactory(project=ProjectFactory(scheme=graded(9))))
    open_work(page, assignment)
    page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
    painted = page.evaluate(PAINTED, ["--ink", *(f"--{colour}" for colour in COLOURS)])
    for colour in COLOURS:
        assert contrast(painted["--ink"], painted[f"--{colour}"]) >= 4.5, (theme, colour)
    for count in range(2, 10):
        steps = [luminance(painted[f"--{colour}"]) for colour in grade_colours(count)]
        ordered = sorted(steps, reverse=theme == "light")
        assert steps == ordered and len({round(step, 4) for step in steps}) == count, (theme, count)


def test_nine_grades_are_assigned_by_digit_and_each_has_its_own_colour(page: Page, open_work: OpenWork) -> None:
    assignment = AssignmentFactory(pair=PairFactory(project=ProjectFactory(scheme=graded(9))))
    open_work(page, assignment)
    for digit in range(1, 10):
        page.locator("#text-a .token, .col.a .token").nth(digit - 1).dblclick()
        page.keyboard.press(str(digit))
        page.keyboard.press("Escape")
    saved(page)
    assignment.refresh_from_db()
    assert sorted(span["label"] for span in assignment.annotation.spans["spans"]) == [str(n) for n in range(1, 10)]
    grounds = page.locator(".col.a .token.marked").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert len(set(grounds)) == 9 and not {"rgba(0, 0, 0, 0)", "transparent"} & set(grounds)
    expect(page.locator("#span-list .chip.c-r9, .span-list .chip.c-r9").first).to_be_visible()


# Which labels lie in the window, uncovered, and how large the smallest is; whether the bar covers a selected word.
REACH = """() => {
  const inside = (box) => box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  const buttons = [...document.querySelectorAll("#label-bar .labels button")];
  const boxes = buttons.map((button) => button.getBoundingClientRect());
  const free = buttons.map((button, n) => {
    const { left, top, width, height } = boxes[n];
    return inside(boxes[n]) && button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  const bar = document.querySelector("#label-bar").getBoundingClientRect();
  const covered = [...document.querySelectorAll(".token.selected")].some((word) => {
    const box = word.getBoundingClientRect();
    return box.left < bar.right && bar.left < box.right && box.top < bar.bottom && bar.top < box.bottom;
  });
  const least = (name) => Math.min(...boxes.map((box) => box[name]));
  return [free.filter(Boolean).length, least("width"), least("height"), covered];
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_nine_grades_are_in_reach_of_a_thumb_and_cover_no_picked_words(
    browser: Browser, open_work: OpenWork, width: int, height: int
) -> None:
    scheme = graded(9)
    for label in scheme["labels"]:
        label["name"] = f"Considerable difference {label['key']}"
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    page = context.new_page()
    lines = "\n".join(f"Paragraph {n} says something about the opening hours." for n in range(20))
    pair = PairFactory(
        project=ProjectFactory(scheme=scheme), a=TextFactory(content=lines), b=TextFactory(content=lines)
    )
    assignment = AssignmentFactory(pair=pair)
    open_work(page, assignment)
    shown = """(side) => [...document.querySelectorAll(`.col.${side} .token`)].findLastIndex((word) => {
      const box = word.getBoundingClientRect(), text = word.closest(".col").parentElement.parentElement;
      const frame = (word.closest(".apart") ? word.closest(".col") : text).getBoundingClientRect();
      return box.top >= frame.top && box.bottom <= frame.bottom;
    })"""
    for side in "ab":
        last = page.evaluate(shown, side)
        for index in (1, last // 2, last):
            box = word(page, side, index).bounding_box()
            assert box
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            expect(page.locator("#label-bar")).to_be_visible()
            drawn(page)
            free, narrow, low, covered = page.evaluate(REACH)
            assert (free, covered) == (9, False), (side, index)
            assert narrow >= 44 and low >= 36, (side, index)
            page.locator("#label-bar").get_by_role("button", name="Clear selection").tap()
            expect(page.locator("#label-bar")).to_be_hidden()
    word(page, "a", 1).tap()
    page.locator("#label-bar .labels button").last.tap()
    expect(page.locator(".col.a .token.marked")).to_have_count(1)
    saved(page)
    wait_until(lambda: [label for label, _ in quoted(assignment)], equals=["9"])
    context.close()
