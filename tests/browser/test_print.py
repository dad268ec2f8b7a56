"""A printed pair: the texts with their marks, identified by their signs, and the list of spans; no controls."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Assignment
from tests.browser.user_actions import drag, saved, word
from tests.browser.waits import wait_until
from tests.factories import AssignmentFactory, PairFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
STYLE = "(e, [name, pseudo]) => getComputedStyle(e, pseudo)[name]"
BRIGHTNESS = """(e, name) => { const [r, g, b] = getComputedStyle(e)[name].match(/[\\d.]+/g).map(Number);
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255; }"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_have_their_signs_and_the_list_has_both_sides(
    page: Page, open_work: Callable[[Page, Assignment], None], theme: str
) -> None:
    arabic = TextFactory(language="ar", content="المكتبة مفتوحة أيام الأحد.\nالأطفال لا يدفعون شيئا.")
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    open_work(page, AssignmentFactory(pair=PairFactory(b=arabic)))
    drag(page, "a", 1, 3)
    drag(page, "b", 1, 2)
    page.keyboard.press("4")
    saved(page)
    # Printed as it stands, with the span still picked and a list that was folded away.
    page.locator("body").evaluate("body => body.classList.add('no-span-list')")
    page.emulate_media(media="print", color_scheme="light" if theme == "light" else "dark")
    hidden = (".bar button", ".foot", "#label-bar", "#connectors", ".tick", ".handle", "#state", "#suggestion-count")
    for chrome in hidden:
        for each in page.locator(chrome).all():
            expect(each).to_be_hidden()
    expect(page.locator(".position")).to_be_visible()
    first = word(page, "a", 1)
    wait_until(first.evaluate, STYLE, ["content", "::before"], equals='"4"')
    assert float(first.evaluate(STYLE, ["fontSize", "::before"]).removesuffix("px")) > 10
    assert first.evaluate(BRIGHTNESS, "backgroundColor") > 0.5 > first.evaluate(BRIGHTNESS, "color")
    row = page.locator("#spans .row")
    for words in ("4", "Large", "library is open", "مفتوحة أيام"):
        expect(row.get_by_text(words, exact=True)).to_be_visible()
    a, b = (page.locator(f"#spans .quotation.{side}").bounding_box() for side in ("a", "b"))
    assert a and b and a["x"] + a["width"] <= b["x"] and abs(a["y"] - b["y"]) < 4, "side by side"
    assert page.pdf(format="A4").startswith(b"%PDF")
