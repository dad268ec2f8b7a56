"""A newcomer's own Excel file: from the first log-in to the first annotated pair, with nothing read but the pages."""

from __future__ import annotations

import re
from pathlib import Path

import openpyxl
import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotation
from annotation.services.import_jobs import imports_run
from tests.browser.test_whole_path import PASSWORD, enter
from tests.browser.user_actions import drag, saved
from tests.browser.waits import clean, follow
from tests.factories import UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MAX_PAGES, MAX_CLICKS = 18, 18
"""What it takes at most, log-ins included: 5 minutes allow 16 seconds for each."""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (
        ("No.", "English", "Deutsch", "Topic"),
        (1, "The library is open on Sundays and it is free for all children.", "Die Bibliothek ist gratis.", "town"),
        (2, "You can borrow ten books at a time.", "Sie können zehn Bücher auf einmal ausleihen.", "town"),
    ):
        sheet.append(row)
    book.save(tmp_path / "own.xlsx")
    return tmp_path / "own.xlsx"


class Steps:
    """Counts what a newcomer does: pages that open, and clicks (or keys that stand for one)."""

    def __init__(self) -> None:
        self.clicks = 0
        self.pages: list[str] = []

    def watch(self, page: Page) -> None:
        def opened(frame: object) -> None:
            if frame == page.main_frame and (not self.pages or self.pages[-1] != page.url):
                self.pages.append(page.url)

        page.on("framenavigated", opened)

    def press(self, page: Page, role: str, name: str) -> None:
        follow(page.get_by_role(role, name=name, exact=True).first)  # type: ignore[arg-type]
        self.clicks += 1


def test_from_log_in_to_the_first_annotated_pair_of_an_own_file(
    browser: Browser, live_server: LiveServer, own: Path
) -> None:
    UserFactory(username="nora", is_superuser=True, password=PASSWORD)
    steps = Steps()
    lead = enter(browser, live_server.url, "nora")
    steps.watch(lead)
    steps.press(lead, "link", "New project")
    lead.get_by_label("Name", exact=True).fill("Own texts")
    lead.get_by_label("graded").first.check()
    steps.clicks += 1
    steps.press(lead, "button", "Create project")
    steps.press(lead, "link", "Import")
    lead.locator("input[type=file]").set_input_files(own)
    steps.clicks += 1
    steps.press(lead, "button", "Preview")
    imports_run()
    preview = lead.locator("#import-result")
    expect(preview).to_contain_text("Detected format and columns")
    expect(preview).to_contain_text("English – German: 2 pairs")
    expect(lead.get_by_label("Text B", exact=True)).to_have_value("Deutsch")
    expect(lead.locator(".first-pair").first).to_contain_text("Die Bibliothek ist gratis.")
    clean(lead)
    steps.press(lead, "button", "Import")
    imports_run()
    expect(preview).to_contain_text("2 pairs imported")

    steps.press(lead, "link", "People")
    lead.get_by_label("Username").fill("olga")
    steps.press(lead, "button", "Add")
    password = lead.locator(".secret").inner_text()
    steps.press(lead, "link", "Work")
    steps.press(lead, "link", "Assignments")
    expect(lead.locator("#preview")).to_contain_text("will be created")
    steps.press(lead, "button", "Create these assignments")

    olga = browser.new_context().new_page()
    steps.watch(olga)
    olga.goto(live_server.url)
    olga.get_by_label("Name").fill("olga")
    olga.get_by_label("Password").fill(password)
    steps.press(olga, "button", "Log in")
    follow(olga.get_by_role("link", name=re.compile("^Start")))  # its key is part of its name once scripts run
    steps.clicks += 1
    olga.wait_for_selector("html[data-ready]")
    drag(olga, "a", 9, 12)
    olga.keyboard.press("4")
    saved(olga)
    first = olga.url
    olga.keyboard.press("Control+Enter")
    # What was not read long enough is named, and confirmed.
    olga.locator("#unread-submit").or_(olga.get_by_text("pair 2 of 2")).first.wait_for()
    if olga.locator("#unread-submit").is_visible():
        olga.locator("#unread-submit").click()
    steps.clicks += 4
    olga.wait_for_url(lambda url: url != first)
    submitted = Annotation.objects.get(verdict="submitted")
    assert submitted.pair.a.content.startswith("The library") and submitted.span_count == 1
    assert steps.clicks <= MAX_CLICKS and len(steps.pages) <= MAX_PAGES, (steps.clicks, steps.pages)
    print(f"\nfrom log-in to the first annotated pair: {steps.clicks} clicks, {len(steps.pages)} pages")
