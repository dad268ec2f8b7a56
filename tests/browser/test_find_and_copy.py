"""Finding words in both texts, and copying them exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Assignment, Verdict
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.text.schemes import PRESETS
from tests.browser.user_actions import drag, word
from tests.browser.waits import wait_until
from tests.factories import AssignmentFactory, PairFactory, ProjectFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def made(a: str, b: str, language: str = "de") -> Assignment:
    pair = PairFactory(a=TextFactory(content=a), b=TextFactory(language=language, content=b))
    assignment: Assignment = AssignmentFactory(pair=pair)
    return assignment


def test_whole_words_by_key_and_by_mouse_and_remembered(page: Page, open_work: OpenWork) -> None:
    assignment = made("On Sunday the sun shines. The SUN is warm.", "Sonntags scheint die Sonne.")
    open_work(page, assignment)
    page.keyboard.press("/")
    page.keyboard.type("sun")
    count, button = page.locator("#find-count"), page.get_by_role("button", name="Whole words")
    expect(count).to_have_text("3 matches (3 + 0)")
    page.keyboard.press("Alt+w")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(count).to_have_text("2 matches (2 + 0)")
    expect(page.locator("#find-words")).to_be_focused()
    page.keyboard.type("days")
    expect(count).to_have_text("Not found")
    with page.expect_response("**/api/preferences/"):
        button.click()
        button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.locator("header [data-command=find]").click()
    expect(page.locator("#find-words")).to_be_focused()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.keyboard.type("the")
    expect(count).to_have_text("2 matches (2 + 0)")


def test_find_works_by_touch(phone: Page, open_work: OpenWork) -> None:
    open_work(phone, made("On Sunday the sun shines.", "Die Sonne."))
    phone.locator("header [data-command=find]").tap()
    expect(phone.locator("#find-words")).to_be_focused()
    phone.keyboard.type("sun")
    expect(phone.locator("#find-count")).to_have_text("2 matches (2 + 0)")
    phone.get_by_role("button", name="Whole words").tap()
    expect(phone.locator("#find-count")).to_have_text("1 match (1 + 0)")
    bar = phone.locator("#find").bounding_box()
    assert bar and bar["x"] >= 0 and bar["x"] + bar["width"] <= 390


@pytest.mark.parametrize(
    ("language", "content"),
    [
        ("zh", "豆腐是中国的传统食品，味道很淡。\n它很软。"),
        ("ar", "يمكن لكل من يتراوح عمره بين 18 و60 عامًا.\nشكرًا لكم."),
        ("hi", "रानी की वाव पाटन में है।\nयह सुंदर है।"),
        ("fr", "L’heure  d’été : « non »…\nAujourd’hui, 𝒳."),
    ],
)
def test_copied_text_is_exact(page: Page, open_work: OpenWork, language: str, content: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_work(page, made("One word.", content, language))
    last = page.locator(".col.b .token").count() - 1
    drag(page, "b", 0, last)
    expect(page.locator(".col.b .token.selected")).to_have_count(last + 1)
    page.keyboard.press("Control+c")
    wait_until(page.evaluate, "navigator.clipboard.readText()", equals=content)


def drawn(page: Page, side: str, first: int, last: int) -> str:
    """The browser's own selection after a drag."""
    drag(page, side, first, last)
    text: str = page.evaluate("String(getSelection())")
    return text


def test_read_only_texts_are_selected_and_copied_as_on_any_page(page: Page, open_work: OpenWork) -> None:
    submitted = made("The library is open on Sunday.", "Die Bibliothek ist am Sonntag offen.")
    fragments = [{"side": "a", "start": 4, "end": 11}]
    span = {"id": "1", "label": "1", "origin": "manual", "comment": "", "fragments": fragments}
    user = submitted.annotator.user
    annotation_save(assignment=submitted, by=user, base=0, sent=AnnotationInput(spans={"v": 1, "spans": [span]}))
    annotation_submit(assignment=submitted, by=user, base=1, verdict=Verdict.SUBMITTED, reason="")
    open_work(page, submitted)
    expect(page.locator("#done")).to_be_visible()
    assert "ary is op" in drawn(page, "a", 1, 3)
    page.mouse.click(4, 300)
    # A click still says what a span is.
    word(page, "a", 1).click()
    expect(page.locator(".row.active")).to_have_count(1)

    rating = AssignmentFactory(pair=PairFactory(project=ProjectFactory(scheme=PRESETS["likert"].to_json())))
    open_work(page, rating)
    assert drawn(page, "a", 0, 2)


def test_a_drag_marks_words_that_can_be_marked(page: Page, open_work: OpenWork) -> None:
    open_work(page, made("The library is open on Sunday.", "Die Bibliothek ist am Sonntag offen."))
    assert drawn(page, "a", 1, 3) == ""


LINES = "First line  here.\n\nSecond line, with a break\nand 𝒳 after it.\n \nThird."


def test_a_copy_of_read_only_paragraphs_has_the_line_breaks_of_the_text_and_nothing_else(
    page: Page, open_work: OpenWork
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    scheme = PRESETS["xparade"].to_json()
    a, b = TextFactory(content=LINES), TextFactory(content=LINES, language="de")
    read_only = AssignmentFactory(pair=PairFactory(project=ProjectFactory(scheme=scheme), a=a, b=b))
    open_work(page, read_only)
    drawn(page, "a", 0, page.locator(".col.a .token").count() - 1)
    page.evaluate("""() => {
      const paragraphs = document.querySelectorAll(".col.a .para");
      const last = paragraphs[paragraphs.length - 1];
      getSelection().setBaseAndExtent(paragraphs[0], 0, last, last.childNodes.length);
    }""")
    page.keyboard.press("Control+c")
    wait_until(page.evaluate, "navigator.clipboard.readText()", equals=LINES)
    # Part of a word, over the end of a paragraph.
    page.evaluate("""() => {
      const [first, second] = document.querySelectorAll(".col.a .para");
      const word = first.querySelectorAll(".token")[1].firstChild;
      getSelection().setBaseAndExtent(word, 2, second.querySelector(".token").firstChild, 3);
    }""")
    page.keyboard.press("Control+c")
    wait_until(page.evaluate, "navigator.clipboard.readText()", equals="ne  here.\n\nSec")


def test_a_picked_span_is_copied_where_nothing_is_selected(page: Page, open_work: OpenWork) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_work(page, made("The library is open on Sunday.", "Die Bibliothek ist am Sonntag offen."))
    drag(page, "a", 1, 3)
    page.keyboard.press("3")
    page.keyboard.press("Escape")
    word(page, "a", 1).click()
    expect(page.locator(".row.active")).to_have_count(1)
    page.keyboard.press("Control+c")
    wait_until(page.evaluate, "navigator.clipboard.readText()", equals="library is open")
