"""WCAG 2.2 AA as far as axe can check it, in both themes and on a phone; names, states and announcements."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Highlight
from tests.browser.user_actions import drag, suggestion, word
from tests.browser.waits import clean, wait_until
from tests.factories import AssignmentFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]


@pytest.fixture
def assignment() -> Assignment:
    made = AssignmentFactory(highlights_shown=True)
    Highlight.objects.create(
        pair=made.pair, run="r", method="m", scores_a=[0.9] * 11, scores_b=[], edges=[], seconds=0,
        proposals=[suggestion(made, "a", first, first + 1, level=level) for level, first in ((1, 0), (2, 4), (3, 8))],
    )  # fmt: skip
    return made


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_while_marking(page: Page, open_work: OpenWork, assignment: Assignment, theme: str) -> None:
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    open_work(page, assignment)
    for key, index in zip("12345", (0, 2, 4, 7, 9), strict=True):
        word(page, "a", index).dblclick()
        page.keyboard.press(key)
    expect(page.locator("#spans .row")).to_have_count(5)
    clean(page)
    word(page, "a", 4).click()
    expect(page.locator("#label-bar")).to_be_visible()
    clean(page)
    for key, name in (("g", "#guidelines"), ("?", "#help"), ("p", "#preferences"), ("f", "#verdict")):
        page.keyboard.press("Escape")
        page.keyboard.press(key)
        expect(page.locator(name)).to_be_visible()
        clean(page)


def test_axe_finds_nothing_on_a_phone(page: Page, open_work: OpenWork, assignment: Assignment) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_work(page, assignment)
    clean(page)


def test_words_have_roles_names_and_states_and_changes_are_announced(
    page: Page, open_work: OpenWork, assignment: Assignment
) -> None:
    open_work(page, assignment)
    expect(page.get_by_role("listbox", name="Paragraph 1 of 2, not read yet").first).to_be_visible()
    drag(page, "b", 1, 2)
    expect(page.get_by_role("option", name="Bibliothek", exact=True)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("4")
    expect(page.get_by_role("option", name="Bibliothek, Large")).to_be_visible()
    expect(page.locator("#live")).to_have_text("Marked Large, only in German: Bibliothek ist")
    expect(page.get_by_role("listbox", name="Paragraph 1 of 2, marked").first).to_be_visible()


def test_at_200_percent_nothing_needs_scrolling_sideways(
    page: Page, open_work: OpenWork, assignment: Assignment
) -> None:
    page.set_viewport_size({"width": 640, "height": 450})
    open_work(page, assignment)
    for selector in ("html", ".col.a", ".col.b"):
        wait_until(page.locator(selector).evaluate, "e => e.scrollWidth <= e.clientWidth")
