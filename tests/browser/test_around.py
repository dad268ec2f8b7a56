"""Around marking: guidelines, preferences, comparison with the gold, layouts, a browser without storage."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Annotation, Assignment, Guideline, Source, User
from tests.browser.user_actions import drag, marked, resize, saved, word
from tests.browser.waits import clean, drawn, wait_until
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]


def test_qualification_shows_ones_spans_against_the_gold_after_submitting(page: Page, open_work: OpenWork) -> None:
    assignment = AssignmentFactory(phase="qualification")
    gold = [
        {"id": "g1", "label": "4", "fragments": [{"side": "a", "start": 4, "end": 11}]},
        {"id": "g2", "label": "2", "fragments": [{"side": "b", "start": 38, "end": 44}]},
    ]
    spans = {"v": 1, "spans": [{**each, "origin": "manual", "comment": ""} for each in gold]}
    Annotation.objects.create(
        source=Source.GOLD,
        pair=assignment.pair,
        gold_version=0,
        spans=spans,
        verdict="submitted",
        feedback="Look at who pays.",
    )
    AssignmentFactory(pair=PairFactory(project=assignment.pair.project), annotator=assignment.annotator)
    open_work(page, assignment)
    expect(page.locator("#comparison")).to_be_empty()
    word(page, "a", 1).dblclick()
    page.keyboard.press("2")
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Submit anyway").click()
    comparison = page.locator("#comparison")
    expect(comparison.get_by_role("button").first).to_be_in_viewport()
    expect(page.get_by_role("link", name="Next pair")).to_be_visible()
    expect(comparison).to_contain_text("reference: Large")
    expect(comparison).to_contain_text("only in the reference")
    expect(comparison).to_contain_text("Look at who pays.")
    comparison.get_by_role("button").nth(1).hover()
    expect(page.locator(".token.counterpart")).to_have_count(1)


def test_guidelines_open_beside_the_pair_with_labels_and_examples(page: Page, open_work: OpenWork) -> None:
    assignment = AssignmentFactory()
    text = "Mark *meaning*.\n\n> two weeks – einem Monat"
    Guideline.objects.create(project=assignment.pair.project, version=1, text=text)
    open_work(page, assignment)
    page.keyboard.press("g")
    panel = page.get_by_role("complementary", name="Guidelines")
    expect(panel).to_contain_text("No relation in meaning at all.")
    expect(panel).to_contain_text("two weeks")
    page.keyboard.press("Escape")
    expect(page.locator(".token:focus")).to_have_count(1)
    expect(panel).to_be_visible()
    page.keyboard.press("g")
    expect(panel).to_be_hidden()


def test_guidelines_stand_in_the_lists_place_and_stay_from_pair_to_pair(page: Page, open_work: OpenWork) -> None:
    annotator = AnnotatorFactory()
    first, second = (AssignmentFactory(pair=PairFactory(project=annotator.project), annotator=annotator) for _ in "ab")
    text = "Mark *meaning*.\n\n" + "A long rule.\n\n" * 80
    Guideline.objects.create(project=annotator.project, version=1, text=text)
    open_work(page, first)
    page.get_by_role("button", name="Guidelines").click()
    panel, texts = page.locator("#guidelines"), page.locator("#texts")
    beside, column = panel.bounding_box(), texts.bounding_box()
    assert beside and column and column["x"] + column["width"] <= beside["x"]
    expect(page.locator("#span-list")).to_be_hidden()
    clean(page)
    # What is marked meanwhile works as ever, and Escape is about the words.
    drag(page, "a", 1, 2)
    page.keyboard.press("3")
    page.keyboard.press("Escape")
    expect(panel).to_be_visible()
    panel.evaluate("one => one.scrollTo(0, 300)")
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Submit anyway").click()
    page.wait_for_url(f"**/work/{second.pk}/")
    page.wait_for_selector("html[data-ready]")
    expect(panel).to_be_visible()
    wait_until(panel.evaluate, "one => one.scrollTop", equals=300)
    # In a narrow window they would cover the texts of the pair that was just opened.
    resize(page, 390, 844)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(panel).to_be_hidden()
    page.keyboard.press("g")
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_size_face_and_theme_are_remembered(page: Page, open_work: OpenWork) -> None:
    assignment = AssignmentFactory()
    open_work(page, assignment)
    page.keyboard.press("p")
    page.get_by_label("Text size").fill("22")
    page.get_by_label("Typeface").select_option("sans")
    for theme in ("system", "light"):
        # What is on its way is kept: a page that is opened meanwhile need not know of it.
        with page.expect_response("**/api/preferences/"):
            page.get_by_role("dialog").get_by_role("button", name=f"Theme: {theme}").click()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    style = "e => { const s = getComputedStyle(e); return [s.fontSize, s.fontFamily] }"
    size, face = word(page, "a", 3).evaluate(style)
    assert size in ("22px", "26.4px") and "serif" not in face.split(",")[0]
    wait_until(page.locator("html").get_attribute, "data-theme", equals="dark")


def test_preferences_follow_the_user_to_another_machine(
    page: Page, open_work: OpenWork, new_context: Callable[..., BrowserContext]
) -> None:
    assignment = AssignmentFactory()
    open_work(page, assignment)
    page.keyboard.press("p")
    page.get_by_role("dialog").get_by_role("button", name="Theme: system").click()
    page.get_by_label("Text size").fill("24")
    user = User.objects.filter(pk=assignment.annotator.user_id)
    wait_until(lambda: [user.get().preferences[name] for name in ("theme", "size")], equals=["light", 24])
    elsewhere = new_context().new_page()
    open_work(elsewhere, assignment)
    wait_until(elsewhere.locator("html").get_attribute, "data-theme", equals="light")
    wait_until(elsewhere.evaluate, "getComputedStyle(document.querySelector('.sheet')).fontSize", equals="24px")


def test_a_link_whose_ends_are_far_apart_is_shown_completely_by_one_click(page: Page, open_work: OpenWork) -> None:
    lines = [f"{n}. " + "This paragraph has some words to read. " * 6 for n in range(40)]
    pair = PairFactory(a=TextFactory(content="\n".join(lines)), b=TextFactory(content="\n".join(lines)))
    assignment = AssignmentFactory(pair=pair)
    start = len("\n".join(lines)) - 11
    ends = [{"side": "a", "start": 3, "end": 7}, {"side": "b", "start": start, "end": start + 2}]
    span = {"id": "far", "label": "3", "origin": "manual", "comment": "", "fragments": ends}
    Annotation.objects.create(
        source=Source.HUMAN, pair=pair, assignment=assignment, revision=1, spans={"v": 1, "spans": [span]}
    )
    open_work(page, assignment)
    page.locator("#spans .row button").click()
    for side in ("a", "b"):
        expect(page.locator(f".col.{side} .token.marked").first).to_be_in_viewport()
    expect(page.locator("#connectors path")).to_have_attribute("d", re.compile("C"))
    page.keyboard.press("Escape")
    expect(page.locator(".sheet")).not_to_have_class(re.compile("apart"))
    expect(page.locator(".col.a .token.marked").first).to_be_in_viewport()
    page.keyboard.press(".")
    for side in ("a", "b"):
        expect(page.locator(f".col.{side} .token.marked").first).to_be_in_viewport()


def test_paragraphs_are_aligned_and_can_scroll_separately(page: Page, open_work: OpenWork) -> None:
    long = "This paragraph has many more words than the other one has. " * 12
    a = "\n".join(f"{n}. {long}" for n in range(12))
    b = "\n".join(f"{n}. Das ist kurz." for n in range(12))
    pair = PairFactory(a=TextFactory(content=a), b=TextFactory(language="de", content=b))
    open_work(page, AssignmentFactory(pair=pair))

    def tops(side: str) -> list[float]:
        script = "all => all.map(e => Math.round(e.getBoundingClientRect().top))"
        return list(page.locator(f".col.{side} .para").evaluate_all(script))

    wait_until(lambda: tops("a")[:4], equals=tops("b")[:4])
    page.keyboard.press("a")
    wait_until(lambda: tops("a")[:4] != tops("b")[:4])
    left, right = page.locator(".col.a"), page.locator(".col.b")
    left.evaluate("column => column.scrollTo(0, 400)")
    # The other one would follow within a frame.
    drawn(page)
    drawn(page)
    wait_until(lambda: (left.evaluate("c => c.scrollTop"), right.evaluate("c => c.scrollTop")), equals=(400, 0))


def test_a_browser_without_storage_still_works_and_says_so(page: Page, open_work: OpenWork) -> None:
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('closed') } })"
    )
    assignment = AssignmentFactory()
    open_work(page, assignment)
    drag(page, "a", 1, 2)
    page.keyboard.press("3")
    saved(page)
    page.context.set_offline(True)
    drag(page, "a", 3, 4)
    page.keyboard.press("3")
    expect(page.locator("#state-detail")).to_contain_text("keep the page open")
    page.context.set_offline(False)
    saved(page)
    wait_until(marked, page, "a", equals=["library", "is", "open", "on"])


def test_a_colleague_reads_and_cannot_change(page: Page, open_work: OpenWork) -> None:
    assignment = AssignmentFactory()
    open_work(page, assignment)
    drag(page, "a", 1, 2)
    page.keyboard.press("3")
    saved(page)
    Assignment.objects.filter(pk=assignment.pk).update(status="done")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    word(page, "a", 1).click()
    page.keyboard.press("Delete")
    page.keyboard.press("5")
    drawn(page)
    wait_until(marked, page, "a", equals=["library", "is"])
    expect(page.locator("#label-bar")).to_be_hidden()
    expect(page.get_by_role("button", name="Submit")).to_be_hidden()
