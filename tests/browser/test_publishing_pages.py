"""The pages of publishing, on a phone and on a wide screen: what a lead sees of each, by mouse and by keyboard."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from agreement.models import Publication
from annotation.models import Project, User
from annotation.services.demo import demo_load
from annotation.services.import_jobs import imports_run
from tests.agreement.card_facts import CARD_FACTS
from tests.agreement.publication.conftest import hub  # noqa: F401
from tests.agreement.publication.hub_server import TOKEN, LocalHub
from tests.browser.test_publish_demo import publish_page
from tests.browser.waits import clean, fits, follow, read, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LogIn = Callable[[BrowserContext, User], None]
WIDTHS = [390, 1440]


def seen(page: Page, name: str) -> None:
    """Nothing is wider than a phone's or a desktop's screen, and axe finds nothing.

    Takes screenshots where DIPTYCH_SHOTS says.
    """
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        if folder := os.environ.get("DIPTYCH_SHOTS"):
            page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)
        fits(page, name, width)
    clean(page)


@pytest.mark.takes(12)
@pytest.mark.long
def test_from_the_facts_to_a_push_and_a_withdrawal(
    page: Page,
    live_server: LiveServer,
    log_in: LogIn,
    settings: Settings,
    tmp_path: Path,
    hub: LocalHub,  # noqa: F811
) -> None:
    settings.DATA_DIR = tmp_path
    project = demo_load().projects[0]
    project.settings = {key: value for key, value in project.settings.items() if key != "card"}
    project.save()
    publish_page(page, live_server, log_in, project)
    seen(page, "publish-asked")
    page.get_by_label("Licence").select_option("cc-by-4.0")
    follow(page.get_by_role("button", name="Publish", exact=True))
    expect(page.get_by_text("The card can't be published yet.")).to_be_visible()
    seen(page, "publish-refused")
    assert not Publication.objects.exists()

    follow(page.get_by_role("link", name="Card details").first)
    seen(page, "facts")
    for name, value in CARD_FACTS.items():
        field = page.locator(f"[name={name}]")
        field.select_option(value) if name == "creators" else field.fill(value)
    page.get_by_label("Homepage").fill("ftp://example.org")
    follow(page.get_by_role("button", name="Save"))
    expect(page.get_by_label("Homepage")).to_have_attribute("aria-invalid", "true")
    seen(page, "facts-refused")
    page.get_by_label("Homepage").fill("https://example.org")
    follow(page.get_by_role("button", name="Save"))
    expect(page.get_by_text("Saved. It will appear on the card.")).to_be_visible()

    page.get_by_label("Licence").select_option("cc-by-4.0")
    follow(page.get_by_role("button", name="Preview the card"))
    expect(page.get_by_text("Nothing has been published.")).to_be_visible()
    seen(page, "preview")
    follow(page.get_by_role("link", name="Back to Publish"))
    for number, splits in ((1, ""), (2, "train=50, test=50")):
        page.get_by_label("Licence").select_option("cc-by-4.0")
        page.get_by_label("Splits", exact=True).fill(splits)
        follow(page.get_by_role("button", name="Publish", exact=True))
        expect(page.get_by_role("link", name=f"{project.slug}-{number}.zip")).to_be_visible()
    seen(page, "publish-versions")
    follow(page.get_by_role("link", name="Compare publications"))
    seen(page, "compare")
    page.go_back()

    follow(page.get_by_role("link", name="Push to a hub").first)
    page.get_by_label("Repository", exact=True).focus()
    page.keyboard.type("town")
    for step in ("tag", "private", "token"):
        page.keyboard.press("Tab")
        expect(page.locator(f"[name={step}]")).to_be_focused()
    page.keyboard.type(TOKEN)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_label("Repository", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Token")).to_have_value("")
    seen(page, "push-refused")
    page.get_by_label("Repository", exact=True).fill("town/pages")
    page.get_by_label("Token").fill(TOKEN)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("link", name=f"{hub.url}/datasets/town/pages/tree/v2")).to_be_visible(timeout=15_000)
    assert TOKEN not in read(page, Page.content)
    seen(page, "push")

    page.goto(f"{live_server.url}/projects/{project.slug}/publish/consent/")
    seen(page, "consent")
    page.get_by_role("row", name="anna").get_by_role("button", name="Record as withdrawn").focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator(".answer")).to_have_text("1 person has withdrawn their consent.")
    seen(page, "consent-withdrawn")


@pytest.mark.long
def test_an_archive_is_imported_by_the_page(
    page: Page, live_server: LiveServer, log_in: LogIn, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    project = demo_load().projects[0]
    publish_page(page, live_server, log_in, project)
    page.get_by_label("Format").select_option("archive")
    follow(page.get_by_role("button", name="Publish", exact=True))
    with page.expect_download() as fetched:
        page.get_by_role("link", name=f"{project.slug}-1.zip").click()
    fetched.value.save_as(tmp_path / "whole.zip")

    page.goto(live_server.url)
    follow(page.get_by_role("link", name="New project"))
    page.get_by_label("Name", exact=True).fill("The copy")
    page.get_by_label("graded").first.check()
    follow(page.get_by_role("button", name="Create project"))
    follow(page.get_by_role("link", name="Import", exact=True))
    page.locator("input[type=file]").set_input_files(tmp_path / "whole.zip")
    seen(page, "archive-chosen")
    follow(page.get_by_role("button", name="Preview", exact=True))
    imports_run()
    expect(page.locator("#import-result")).to_contain_text("would be imported")
    seen(page, "archive-preview")
    follow(page.get_by_role("button", name="Import", exact=True))
    imports_run()
    expect(page.locator("#import-result")).to_contain_text("imported")
    seen(page, "archive-imported")
    copy = Project.objects.get(name="The copy")
    wait_until(copy.pairs.count, equals=project.pairs.count())
