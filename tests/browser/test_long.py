"""A long pair: visible words first, others on demand, and all of them in the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Annotation, Assignment
from tests.browser.user_actions import marked, quoted, saved
from tests.browser.waits import wait_until
from tests.factories import AssignmentFactory, PairFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]
PARAGRAPHS = 120
# What is put off until the page rests never comes.
WITHOUT_REST = "{ const later = setTimeout; window.setTimeout = (f, ms) => ms === undefined ? 0 : later(f, ms); }"


@pytest.fixture
def assignment() -> Assignment:
    a = "\n".join(f"Paragraph {n} says something." for n in range(PARAGRAPHS))
    b = "\n".join(f"Absatz {n} sagt etwas." for n in range(PARAGRAPHS))
    made = AssignmentFactory(pair=PairFactory(a=TextFactory(content=a), b=TextFactory(language="de", content=b)))
    spans = [
        {"id": f"s{n}", "label": "2", "origin": "manual", "comment": "", "fragments": [
            {"side": "a", "start": tokens[0][0], "end": tokens[1][1]}]}
        for n in range(PARAGRAPHS) if (tokens := made.pair.a.tokens[5 * n :])
    ]  # fmt: skip
    document = {"v": 1, "spans": spans}
    Annotation.objects.create(source="human", pair=made.pair, assignment=made, revision=1, spans=document)
    return made


def test_before_the_page_is_idle_both_texts_are_complete_and_every_word_can_be_reached(
    page: Page, open_work: OpenWork, assignment: Assignment
) -> None:
    page.add_init_script(WITHOUT_REST)
    open_work(page, assignment)
    wait_until(page.locator(".col.a .para").all_text_contents, equals=assignment.pair.a.content.split("\n"))
    assert page.locator(".col.a .token").count() < 5 * PARAGRAPHS
    expect(page.locator("#span-count")).to_have_text(f"{PARAGRAPHS} spans")
    shown = page.locator(".col.a .token.marked").count()
    assert shown > 20
    page.locator(".col.a .token").first.click()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+End")
    expect(page.locator(":focus")).to_have_text(".")
    wait_until(lambda: marked(page, "a")[-2:], equals=["Paragraph", str(PARAGRAPHS - 1)])
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("4")
    saved(page)
    wait_until(lambda: ("4", ["something."]) in quoted(assignment))
    # A click on a paragraph that has no words yet means the word at that point.
    target = page.locator(".col.b .para", has_text=f"Absatz {PARAGRAPHS - 4} ")
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box
    page.mouse.click(box["x"] + 12, box["y"] + box["height"] / 2)
    expect(page.locator(":focus")).to_have_text("Absatz")


def test_in_the_end_all_words_and_spans_are_there_in_order(
    page: Page, open_work: OpenWork, assignment: Assignment
) -> None:
    open_work(page, assignment)
    for side in ("a", "b"):
        expect(page.locator(f".col.{side} .token")).to_have_count(5 * PARAGRAPHS)
    expect(page.locator(".col.a .token.marked")).to_have_count(2 * PARAGRAPHS)
    rows = page.locator("#spans .row .quotation")
    expect(rows).to_have_count(PARAGRAPHS)
    wait_until(rows.all_text_contents, equals=[f"Paragraph {n}" for n in range(PARAGRAPHS)])
