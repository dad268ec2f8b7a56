"""The agreement page in its four groups: one screen answers, folded numbers open by link, by key and in print."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Project, Role, User
from tests.agreement.work import pair, project, submit
from tests.browser.waits import clean, fits, follow
from tests.factories import AnnotatorFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LogIn = Callable[[BrowserContext, User], None]


@pytest.fixture
def made() -> Project:
    made, people = project("graded", "A1", "A2", "A3")
    for number, label in enumerate(("1", "3", "2")):
        on = pair(made, external_id=f"p{number}")
        submit(on, people[0], [(label, [0, 1], [0]), ("2", [3], [])])
        submit(on, people[1], [("5", [0, 1, 2], [0]), ("2", [3], [])])
        submit(on, people[2], [("5", [0, 1], [0])])
    return made


@pytest.fixture
def open_report(page: Page, live_server: LiveServer, log_in: LogIn, made: Project) -> Callable[[str], None]:
    lead = AnnotatorFactory(project=made, role=Role.LEAD)
    log_in(page.context, lead.user)

    def show(anchor: str) -> None:
        # A change of the anchor alone would not load the page.
        page.goto("about:blank")
        page.goto(live_server.url + reverse("agreement", args=[made.slug]) + anchor)

    return show


@pytest.mark.long
@pytest.mark.takes(7)
@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 1024), ("light", 390)])
def test_every_width_and_theme_is_accessible_folded_and_open(
    page: Page, open_report: Callable[[str], None], theme: str, width: int
) -> None:
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    page.set_viewport_size({"width": width, "height": 900})
    open_report("")
    clean(page)
    if width == 1440:
        box = page.locator("#trust").bounding_box()
        assert box and box["y"] + box["height"] <= 900, "one screen answers the question"
    for summary in page.locator("#report summary").all():
        summary.press("Enter")
        expect(summary.locator("..")).to_have_attribute("open", "")
    expect(page.locator("#methods")).to_be_visible()
    clean(page)
    fits(page)


def test_a_number_opens_its_documents_and_spans_from_every_group(
    page: Page, open_report: Callable[[str], None]
) -> None:
    open_report("")
    follow(page.locator("#trust .figure a"))
    expect(page.get_by_role("heading", name="Documents")).to_be_visible()
    follow(page.get_by_role("link", name="p0"))
    expect(page.locator(".side-by-side")).to_be_visible()
    open_report("#table-matched")
    follow(page.locator("#table-matched td a").first)
    expect(page.locator("main table, main ol").first).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("anchor", ["table-overlap", "methods", "numbers", "table-confusion", "table-annotator-pairs"])
def test_a_link_into_a_folded_group_opens_it(page: Page, open_report: Callable[[str], None], anchor: str) -> None:
    open_report("")
    expect(page.locator("#methods")).to_be_hidden()
    open_report(f"#{anchor}")
    target = page.locator("#methods" if anchor == "numbers" else f"#{anchor}")
    expect(target).to_be_visible()
    if anchor != "numbers":
        expect(target).to_be_in_viewport()


def test_everything_is_printed_and_folded_again(page: Page, open_report: Callable[[str], None]) -> None:
    open_report("")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#methods")).to_be_visible()
    expect(page.locator("#table-papers")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("#methods")).to_be_hidden()


def test_disagreements_align_texts_people_and_labels(
    page: Page, open_report: Callable[[str], None], made: Project
) -> None:
    open_report("")
    follow(page.get_by_role("link", name="disagreements", exact=False).last)
    rows = page.locator(".disputes li")
    expect(rows.first).to_be_visible()
    for column in (".words", ".who", ".who .chip", ".num"):
        left = {round(row.locator(column).first.bounding_box()["x"]) for row in rows.all()}  # type: ignore[index]
        assert len(left) == 1, column
    page.keyboard.press("j")
    expect(rows.first.locator("a.open")).to_be_focused()
    clean(page)
