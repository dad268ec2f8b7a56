"""A lead uploads a glossary; an annotator sees the agreed translation under the mouse, at the cursor and by a tap."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotator, Assignment, Role, User
from annotation.models.glossary import GlossaryEntry
from tests.browser.user_actions import word
from tests.browser.waits import clean, drawn, wait_until
from tests.factories import AnnotatorFactory, AssignmentFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LogIn = Callable[[BrowserContext, User], None]
OpenWork = Callable[[Page, Assignment], None]

FILE = "en\tde\tnote\nlibrary\tBibliothek; Bücherei\tthe house\nno tab\n"


def test_a_lead_uploads_a_glossary_and_an_annotator_sees_its_translations(
    page: Page, live_server: LiveServer, log_in: LogIn, open_work: OpenWork, tmp_path: Path
) -> None:
    assignment = AssignmentFactory()
    lead: Annotator = AnnotatorFactory(project=assignment.pair.project, role=Role.LEAD)
    assert lead.user is not None
    log_in(page.context, lead.user)
    page.goto(live_server.url + reverse("glossary", args=(assignment.pair.project.slug,)))
    (tmp_path / "terms.tsv").write_text(FILE, encoding="utf-8")
    page.get_by_label("File", exact=True).set_input_files(tmp_path / "terms.tsv")
    page.get_by_role("button", name="Check the file").click()
    preview = page.locator("#glossary-preview")
    expect(preview).to_contain_text("1 entry was read")
    expect(preview).to_contain_text("no tab")
    assert not GlossaryEntry.objects.exists()
    page.get_by_role("button", name="Upload").click()
    expect(page.locator(".answer")).to_contain_text("1 entry in this project's glossary")

    open_work(page, assignment)
    tip = page.locator("#glossary-tip")
    expect(page.locator(".token[data-term]")).to_have_text(["library", "Bibliothek"])
    expect(tip).to_be_hidden()
    word(page, "b", 1).hover()
    expect(tip).to_contain_text("library – Bibliothek; Bücherei")
    expect(tip).to_contain_text("the house")
    clean(page)
    word(page, "b", 2).hover()
    expect(tip).to_be_hidden()
    word(page, "a", 0).click()
    page.mouse.move(5, 5)
    page.keyboard.press("ArrowRight")
    expect(tip).to_be_visible()
    expect(word(page, "a", 1)).to_be_focused()
    wait_until(word(page, "a", 1).get_attribute, "aria-describedby", equals="glossary-tip")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


def test_a_tap_shows_the_translation_beside_the_label_bar(browser: Browser, open_work: OpenWork) -> None:
    assignment = AssignmentFactory()
    GlossaryEntry.objects.create(
        project=assignment.pair.project, term_language="en", translation_language="de", term="library",
        translations=["Bibliothek"],
    )  # fmt: skip
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    open_work(page, assignment)
    word(page, "a", 1).tap()
    tip, bar = page.locator("#glossary-tip"), page.locator("#label-bar")
    expect(tip).to_contain_text("library – Bibliothek")
    expect(bar).to_be_visible()
    drawn(page)
    one, other = tip.bounding_box(), bar.bounding_box()
    assert one and other
    assert one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    assert one["x"] >= 0 and one["x"] + one["width"] <= 390
    context.close()
