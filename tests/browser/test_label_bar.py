"""The label bar covers nothing important: not the span, its counterpart, or the next words."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Annotation, Assignment, Source
from tests.browser.user_actions import drag
from tests.browser.waits import drawn, wait_until
from tests.factories import AssignmentFactory, PairFactory, TextFactory
from tests.paths import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]

# Picks every span in the list and gives the words that the bar covers: selected ones, and the next ones of each text.
COVERED = """async (next) => {
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const covers = (word, bar) => [...word.getClientRects()].some((box) =>
    box.left < bar.right && box.right > bar.left && box.top < bar.bottom && box.bottom > bar.top);
  const count = document.querySelectorAll("#spans .row").length;
  const found = [];
  let linked = 0;
  for (let row = 0; row < count; row += 1) {
    document.querySelectorAll("#spans .row button")[row].click();
    await drawn();
    const bar = document.getElementById("label-bar").getBoundingClientRect();
    let sides = 0;
    for (const side of ["a", "b"]) {
      const words = [...document.querySelectorAll(`.col.${side} .token`)];
      const last = words.findLastIndex((word) => word.classList.contains("selected"));
      if (last >= 0) sides += 1;
      const coming = last < 0 ? [] : words.slice(last + 1, last + 1 + next);
      for (const word of words.filter((one) => one.classList.contains("selected")).concat(coming))
        if (!bar.width || covers(word, bar)) found.push([row, side, word.textContent]);
    }
    if (sides === 2) linked += 1;
  }
  return [linked, found];
}"""


# What in the foot lies on something else there.
OVERLAPPING = """(foot) => {
  const shown = [...foot.querySelectorAll("button, a, input, #hints")].filter((one) => one.checkVisibility());
  const boxes = shown.map((one) => one.getBoundingClientRect());
  const beside = (x, y) => x.left >= y.right - 1 || x.right <= y.left + 1;
  const apart = (x, y) => beside(x, y) || x.top >= y.bottom - 1 || x.bottom <= y.top + 1;
  return shown.filter((_, n) => boxes.some((box, m) => m !== n && !apart(box, boxes[n]))).map((one) => one.textContent);
}"""


def demo() -> list[Any]:
    """The pairs of the graded demo with one annotator's work each."""
    lines = (ROOT / "fixtures" / "demo-graded.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def made(record: dict[str, Any], spans: list[Any]) -> Assignment:
    sides = [TextFactory(language=record[side]["language"], content=record[side]["text"]) for side in "ab"]
    assignment: Assignment = AssignmentFactory(pair=PairFactory(a=sides[0], b=sides[1]))
    document = {"v": 1, "spans": [{"origin": "manual", "comment": "", **each} for each in spans]}
    Annotation.objects.create(
        assignment=assignment, pair=assignment.pair, source=Source.HUMAN, spans=document, revision=1
    )
    return assignment


@pytest.mark.long
@pytest.mark.takes(12)
def test_no_linked_span_of_the_demo_has_the_bar_on_its_words(page: Page, open_work: OpenWork) -> None:
    linked = 0
    for record in demo():
        spans: list[dict[str, Any]] = max(
            (each["spans"] for each in record.get("annotations", [])), key=len, default=[]
        )
        if not spans:
            continue
        page.set_viewport_size({"width": 1440, "height": 900})
        open_work(page, made(record, spans))
        n, covered = page.evaluate(COVERED, 3)
        assert covered == [], record["id"]
        linked += n
    assert linked > 50


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (844, 390), (390, 844)])
def test_nor_in_smaller_windows(page: Page, open_work: OpenWork, width: int, height: int) -> None:
    record = next(each for each in demo() if each["id"] == "ar-giving-blood")
    page.set_viewport_size({"width": width, "height": height})
    open_work(page, made(record, record["annotations"][0]["spans"]))
    linked, covered = page.evaluate(COVERED, 0)
    assert linked and covered == []


def test_a_selection_alone_leaves_the_aligned_text_free(page: Page, open_work: OpenWork) -> None:
    record = next(each for each in demo() if each["id"] == "de-night-bus")
    page.set_viewport_size({"width": 1440, "height": 900})
    open_work(page, made(record, []))
    for side, other in ("ab", "ba"):
        for first in (0, 30, 60):
            drag(page, side, first, first + 2)
            expect(page.locator(".token.selected")).to_have_count(3)
            drawn(page)
            bar = page.locator("#label-bar").bounding_box()
            assert bar is not None
            for word in page.locator(f".col.{other} .token").all()[:90:6]:
                box = word.bounding_box()
                assert box is not None
                beside = box["x"] + box["width"] <= bar["x"] or box["x"] >= bar["x"] + bar["width"]
                assert beside or box["y"] + box["height"] <= bar["y"] or box["y"] >= bar["y"] + bar["height"]
            page.keyboard.press("Escape")
            expect(page.locator(".token.selected")).to_have_count(0)


def test_a_phone_in_landscape_shows_mostly_text(page: Page, open_work: OpenWork) -> None:
    record = next(each for each in demo() if each["id"] == "de-night-bus")
    page.set_viewport_size({"width": 844, "height": 390})
    open_work(page, made(record, []))
    drag(page, "a", 30, 31)
    expect(page.locator("#label-bar")).to_be_visible()
    drawn(page)
    texts, bar = page.locator("#texts").bounding_box(), page.locator("#label-bar").bounding_box()
    assert texts and bar
    assert texts["height"] > 300 and bar["height"] < 50
    for name in ("Submit", "Not comparable", "Flag", "Skip", "Unrelated", "+ Fragment"):
        button = page.get_by_role("button", name=name).first.bounding_box()
        assert button and button["x"] >= 0 and button["x"] + button["width"] <= 844, name
    wait_until(page.locator(".foot").evaluate, OVERLAPPING, equals=[])
