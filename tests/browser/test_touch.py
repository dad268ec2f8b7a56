"""Marking by touch on a phone: the intended words, in every script, and no text moves under the finger."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Assignment
from annotation.text.tokens import tokenize
from tests.browser.touches import Finger
from tests.browser.user_actions import quoted, saved, selected, word
from tests.browser.waits import drawn, wait_until
from tests.factories import AssignmentFactory, PairFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ENGLISH = (
    "On Friday and Saturday nights, and on the nights before public holidays, five night bus lines connect the centre "
    "of Wiesenbrück with the villages. A supplement of 2 euros is payable. Lost property is kept at the station."
)
GERMAN = (
    "In den Nächten auf Samstag und Sonntag verbinden fünf Nachtbuslinien das Zentrum mit den umliegenden Dörfern. "
    "Hinzu kommt ein Zuschlag von 3 Euro, den Sie bei der Fahrerin oder per App lösen. Verlorenes ist im Büro."
)
ARABIC = (
    "تحتاج مستشفياتنا كل يوم إلى نحو 60 وحدة من الدم. ولا يمكن تصنيع الدم، كما أنه لا يُحفظ في الثلاجة طويلًا. "
    "يمكن لكل من يتراوح عمره بين 18 و60 عامًا أن يتبرع بالدم."
)
CHINESE = (
    "豆腐是用豆浆凝固后压制而成的食品，起源于中国，后来传到日本和东南亚。它含有丰富的蛋白质，脂肪很少，很受素食者欢迎。"
)
TEXTS = {"en": ENGLISH, "de": GERMAN, "ar": ARABIC, "zh": CHINESE}


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def pair_of(a: str, b: str) -> Assignment:
    texts = [TextFactory(language=each, content="\n".join([TEXTS[each]] * 3)) for each in (a, b)]
    assignment: Assignment = AssignmentFactory(pair=PairFactory(a=texts[0], b=texts[1]))
    return assignment


def box_of(page: Page, selector: str) -> dict[str, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}


def ends(page: Page, side: str, index: int) -> tuple[dict[str, float], dict[str, float]]:
    """The first and the last box of a word, which may span two lines."""
    boxes = word(page, side, index).evaluate(
        "e => [...e.getClientRects()].map(({ left, right, top, bottom }) => ({ left, right, top, bottom }))"
    )
    return boxes[0], boxes[-1]


def centre(box: dict[str, float]) -> tuple[float, float]:
    return (box["left"] + box["right"]) / 2, (box["top"] + box["bottom"]) / 2


def select(page: Page, finger: Finger, side: str, first: int, last: int, *, backwards: bool, hold: float) -> bool:
    """Tap a word and drag a handle to another, held anywhere (`hold`, a fraction); returns whether nothing moved."""
    taken, aim = (last, first) if backwards else (first, last)
    word(page, side, taken).evaluate("e => e.scrollIntoView({ block: 'center' })")
    drawn(page)
    finger.tap(*centre(ends(page, side, taken)[0]))
    expect(word(page, side, taken)).to_contain_class("selected")
    drawn(page)
    if first == last:
        return True
    handle = box_of(page, ".handle.start" if backwards else ".handle.end")
    held = handle["x"] + handle["width"] * (0.3 + 0.4 * hold), handle["y"] + handle["height"] * (0.2 + 0.6 * hold)
    here = ends(page, side, taken)[0 if backwards else 1]
    rtl = page.locator(f".col.{side}").get_attribute("dir") == "rtl"
    edge = here["left"] if backwards != rtl else here["right"]
    away = held[0] - edge, held[1] - centre(here)[1]
    there = ends(page, side, aim)[0 if backwards else 1]
    point = centre(there)
    return finger.drag(held, (point[0] + away[0], point[1] + away[1]))


def text_of(side: Any, first: int, last: int) -> str:
    tokens = tokenize(side.content, side.language)
    return str(side.content[tokens[first][0] : tokens[last][1]])


# First and last word: on one line, over wrapped lines, one word, from the first word on, over a paragraph's end.
RUNS = [(2, 4), (8, 22), (6, 6), (24, 25), (0, 1), (27, 47), (49, 54), (56, 57)]


@pytest.mark.long
@pytest.mark.parametrize("languages", [("ar", "en"), ("zh", "de")])
def test_fifteen_spans_have_the_intended_words(
    phone: Page, open_work: Callable[[Page, Assignment], None], languages: tuple[str, str]
) -> None:
    assignment = pair_of(*languages)
    open_work(phone, assignment)
    finger = Finger(phone)
    expected: list[tuple[str, list[str]]] = []
    for n in range(15):
        first, last = RUNS[n // 2]
        side = "ab"[n % 2]
        still = select(phone, finger, side, first, last, backwards=n % 3 == 1, hold=n / 14)
        assert still, f"the texts moved under the finger at {side} {first}-{last}"
        drawn(phone)
        label = phone.locator(".label-bar .labels button").nth(n % 5)
        box = label.bounding_box()
        assert box is not None
        finger.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expected.append((str(n % 5 + 1), [text_of(getattr(assignment.pair, side), first, last)]))
        expect(phone.locator(".token.selected")).to_have_count(0)
    saved(phone)
    wait_until(lambda: sorted(quoted(assignment)), equals=sorted(expected))


def test_a_tap_on_a_word_beside_a_tick_selects_the_word(
    phone: Page, open_work: Callable[[Page, Assignment], None]
) -> None:
    assignment = pair_of("ar", "en")
    open_work(phone, assignment)
    tick, first = box_of(phone, ".col.a .tick >> nth=0"), ends(phone, "a", 0)[0]
    assert tick["x"] - first["right"] < 20
    Finger(phone).tap(first["right"] - 3, centre(first)[1])
    wait_until(selected, phone, equals=["تحتاج"])
    expect(phone.locator(".col.a .tick").first).to_have_attribute("data-state", "unread")


def test_a_drag_beyond_the_edge_scrolls_the_text(phone: Page, open_work: Callable[[Page, Assignment], None]) -> None:
    assignment = pair_of("en", "de")
    open_work(phone, assignment)
    finger = Finger(phone)
    finger.tap(*centre(ends(phone, "a", 3)[0]))
    expect(word(phone, "a", 3)).to_contain_class("selected")
    drawn(phone)
    handle, divider = box_of(phone, ".handle.end"), box_of(phone, "#divider")
    start = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    finger.send("touchStart", start)
    finger.send("touchMove", (start[0], divider["y"] + 60))
    expect(word(phone, "a", 60)).to_have_class(re.compile(r"\bselected\b"))
    expect(phone.locator(".col.b .token.selected")).to_have_count(0)
    finger.send("touchEnd")
    wait_until(lambda: selected(phone)[0], equals="Saturday")


def test_the_label_bar_takes_no_room_from_the_texts(phone: Page, open_work: Callable[[Page, Assignment], None]) -> None:
    assignment = pair_of("en", "de")
    open_work(phone, assignment)
    before = [box_of(phone, f".col.{side}") for side in "ab"]
    Finger(phone).tap(*centre(ends(phone, "a", 3)[0]))
    expect(phone.locator("#label-bar")).to_be_visible()
    drawn(phone)
    assert [box_of(phone, f".col.{side}") for side in "ab"] == before
