"""The map beside the scroll bar: what is marked, suggested and unread in the whole of both texts, and a way there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Annotation, Assignment
from tests.browser.user_actions import drag, resize, word
from tests.browser.waits import clean, fits, wait_until
from tests.factories import AssignmentFactory, PairFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]
PARAGRAPHS = 80
# The colour at a position of the map: of side A's or B's half, at a share of its height.
COLOUR = """([side, share]) => {
  const canvas = document.querySelector("#map canvas");
  const x = Math.floor(canvas.width * (side === "a" ? 0.25 : 0.75));
  const y = Math.min(canvas.height - 1, Math.floor(canvas.height * share));
  return canvas.width ? [...canvas.getContext("2d").getImageData(x, y, 1, 1).data].join(" ") : "";
}"""
# Where a word is in what scrolls, as a share.
SHARE = """([side, n]) => {
  const texts = document.getElementById("texts");
  const box = document.querySelectorAll(`.col.${side} .token`)[n].getBoundingClientRect();
  return (box.top + box.height / 2 - texts.getBoundingClientRect().top + texts.scrollTop) / texts.scrollHeight;
}"""
NOTHING = "0 0 0 0"


def long(languages: tuple[str, str] = ("en", "de"), spans: list[dict[str, Any]] | None = None) -> Assignment:
    texts = [
        "\n".join(f"{words} {n}." for n in range(PARAGRAPHS)) for words in ("Paragraph of text", "Absatz des Textes")
    ]
    a, b = (TextFactory(language=language, content=text) for language, text in zip(languages, texts, strict=True))
    made: Assignment = AssignmentFactory(pair=PairFactory(a=a, b=b))
    if spans is not None:
        read = {side: list(range(PARAGRAPHS)) for side in "ab"}
        document = {"v": 1, "spans": spans}
        Annotation.objects.create(
            source="human", pair=made.pair, assignment=made, revision=1, spans=document, read_paragraphs=read
        )
    return made


def colour(page: Page, side: str, share: float) -> str:
    found: str = page.evaluate(COLOUR, [side, share])
    return found


def share(page: Page, side: str, n: int) -> float:
    found: float = page.evaluate(SHARE, [side, n])
    return found


def test_marks_and_unread_paragraphs_are_drawn_and_change(page: Page, open_work: OpenWork) -> None:
    open_work(page, long())
    expect(page.locator("#map")).to_be_visible()
    # All is unread: a grey ground on both sides.
    for side in "ab":
        wait_until(lambda side=side: colour(page, side, share(page, side, 20)) != NOTHING)
    ground = colour(page, "a", share(page, "a", 20))
    drag(page, "a", 20, 23)
    page.keyboard.press("5")
    wait_until(lambda: colour(page, "a", share(page, "a", 21)) not in (ground, NOTHING))
    assert colour(page, "b", share(page, "b", 41)) == ground
    page.keyboard.press("z")
    wait_until(lambda: colour(page, "a", share(page, "a", 21)), equals=ground)
    # A row that is read has no ground any more.
    word(page, "a", 10).click()
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    for side in "ab":
        wait_until(lambda side=side: colour(page, side, share(page, side, 11)), equals=NOTHING)


@pytest.mark.long
def test_a_click_and_a_drag_scroll_and_leave_everything_else_alone(page: Page, open_work: OpenWork) -> None:
    open_work(page, long())
    drag(page, "a", 1, 2)
    focused = page.evaluate("document.activeElement.textContent")
    box = page.locator("#map").bounding_box()
    assert box
    x, bottom = box["x"] + 4, box["y"] + box["height"]
    top = "document.getElementById('texts').scrollTop"
    page.mouse.click(x, bottom - 60)
    wait_until(lambda: page.evaluate(top) > 800)
    far = page.evaluate(top)
    page.mouse.move(x, bottom - 60)
    page.mouse.down()
    page.mouse.move(x, box["y"] + 2, steps=5)
    page.mouse.up()
    wait_until(lambda: page.evaluate(top) < far / 4)
    page.mouse.wheel(0, 300)
    expect(page.locator(".token.selected")).to_have_count(2)
    assert page.evaluate("document.activeElement.textContent") == focused
    # Tab never stops there, and readers of the page are told nothing twice.
    assert page.locator("#map [tabindex], #map button, #map a").count() == 0
    assert page.locator("#map").get_attribute("aria-hidden") == "true"
    clean(page)


def test_each_half_scrolls_its_text_where_they_scroll_separately(page: Page, open_work: OpenWork) -> None:
    open_work(page, long())
    page.keyboard.press("a")
    expect(page.locator(".sheet.apart")).to_be_visible()
    box = page.locator("#map").bounding_box()
    assert box
    tops = "[...document.querySelectorAll('.col')].map((one) => one.scrollTop > 300)"
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] - 40)
    wait_until(page.evaluate, tops, equals=[False, True])
    page.keyboard.press("a")
    expect(page.locator(".sheet.apart")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_from_right_to_left_keep_their_halves_in_both_themes(page: Page, open_work: OpenWork, theme: str) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    assignment = long(("ar", "en"), [])
    tokens = assignment.pair.a.tokens
    fragment = {"side": "a", "start": tokens[200][0], "end": tokens[203][1]}
    annotation = Annotation.objects.get(assignment=assignment)
    spans = [{"id": "s", "label": "5", "origin": "manual", "comment": "", "fragments": [fragment]}]
    annotation.spans = {"v": 1, "spans": spans}
    annotation.save()
    open_work(page, assignment)
    wait_until(lambda: colour(page, "a", share(page, "a", 201)) != NOTHING)
    assert colour(page, "b", share(page, "a", 201)) == NOTHING
    painted = [int(part) for part in colour(page, "a", share(page, "a", 201)).split()]
    assert (painted[0] > 200) is (theme == "dark")


def test_on_a_phone_there_is_no_room_for_it(browser: Browser, open_work: OpenWork) -> None:
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).new_page()
    open_work(phone, long())
    expect(phone.locator("#map")).to_be_hidden()
    fits(phone)


def test_it_fits_beside_the_texts_at_every_width(page: Page, open_work: OpenWork) -> None:
    open_work(page, long())
    for width in (1440, 1024, 700):
        resize(page, width, 800)
        expect(page.locator("#map")).to_be_visible()
        fits(page, width)
        texts, beside = page.locator("#texts").bounding_box(), page.locator("#map").bounding_box()
        assert texts and beside and texts["x"] + texts["width"] <= beside["x"] + 0.5
        assert beside["width"] <= 24


def test_a_finger_drags_along_it(browser: Browser, open_work: OpenWork) -> None:
    tablet = browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True).new_page()
    open_work(tablet, long())
    box = tablet.locator("#map").bounding_box()
    assert box
    tablet.touchscreen.tap(box["x"] + 4, box["y"] + box["height"] / 2)
    wait_until(lambda: tablet.evaluate("document.getElementById('texts').scrollTop") > 200)
