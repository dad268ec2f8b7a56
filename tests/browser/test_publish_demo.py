"""What the README tells a lead to do with the demo at the end: publish it, download it, open it without a network."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import datasets
import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from agreement.models import Publication
from annotation.models import Annotator, Project, Role, User
from annotation.services.demo import demo_load
from tests.agreement.publication.conftest import hub  # noqa: F401
from tests.agreement.publication.hub_server import TOKEN, LocalHub
from tests.browser.waits import clean, follow, read, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LogIn = Callable[[BrowserContext, User], None]


def publish_page(page: Page, live_server: LiveServer, log_in: LogIn, project: Project) -> None:
    lead = Annotator.objects.filter(project=project, role=Role.LEAD).first()
    assert lead is not None and lead.user is not None
    log_in(page.context, lead.user)
    page.goto(f"{live_server.url}/projects/{project.slug}/")
    follow(page.get_by_role("link", name="Publish", exact=True))


def test_the_demo_becomes_a_dataset(
    page: Page, live_server: LiveServer, log_in: LogIn, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    for project in demo_load().projects:
        publish_page(page, live_server, log_in, project)
        page.get_by_label("Format").select_option("hub")
        page.get_by_label("Licence").select_option("cc-by-4.0")
        page.get_by_role("button", name="Publish").dblclick()  # the second click cancels the first one's navigation
        link = page.get_by_role("link", name=f"{project.slug}-1.zip")
        expect(link).to_be_visible()
        wait_until(Publication.objects.filter(project=project).count, equals=1)  # a double click publishes once
        with page.expect_download() as fetched:
            link.click()
        with zipfile.ZipFile(fetched.value.path()) as archive:
            archive.extractall(tmp_path / "fetched")
        folder = tmp_path / "fetched" / f"{project.slug}-1"
        loaded = datasets.load_dataset(str(folder), "annotations", cache_dir=str(tmp_path / "cache"))
        assert sum(part.num_rows for part in loaded.values()) == project.pairs.count()


def test_the_licence_is_missing_until_it_is_chosen(
    page: Page, live_server: LiveServer, log_in: LogIn, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    project = demo_load().projects[0]
    publish_page(page, live_server, log_in, project)
    missing = page.locator(".refusal", has_text="can't be published yet")
    expect(missing).to_contain_text("Licence")
    follow(missing.get_by_role("link", name="Licence"))
    page.get_by_label("Licence").select_option("cc-by-4.0")
    expect(missing).to_be_hidden()
    page.get_by_label("Licence").select_option("unknown")
    expect(missing).to_be_visible()
    project.settings["card"]["contact"] = ""
    project.save()
    page.reload()
    page.get_by_label("Licence").select_option("cc-by-4.0")
    expect(missing.get_by_role("link", name="Licence")).to_be_hidden()
    expect(missing.get_by_role("link", name="Contact")).to_be_visible()
    clean(page)


@pytest.mark.long
def test_the_card_is_previewed_then_published_and_pushed(
    page: Page,
    live_server: LiveServer,
    log_in: LogIn,
    settings: Settings,
    tmp_path: Path,
    hub: LocalHub,  # noqa: F811
) -> None:
    """As docs/leads.md says, on the demo: preview, publish, push, compare."""
    settings.DATA_DIR = tmp_path
    project = demo_load().projects[0]
    publish_page(page, live_server, log_in, project)
    page.get_by_label("Licence").select_option("cc-by-4.0")
    page.get_by_label("Description").fill("Pages of a *town*.")
    follow(page.get_by_role("button", name="Preview the card"))
    expect(page.get_by_text("Nothing has been published.")).to_be_visible()
    article = page.locator("article")
    expect(article.get_by_role("heading", level=1)).to_have_text(project.name)
    expect(article.locator("em", has_text="town")).to_be_visible()
    for name in ("How it was annotated", "Agreement, main phase", "Known limitations", "Contact"):
        expect(article.get_by_role("heading", name=name, level=2)).to_be_visible()
    expect(page.locator(".card-metadata")).to_contain_text("cc-by-4.0")
    assert not Publication.objects.exclude(number=0).exists()
    clean(page)
    follow(page.get_by_role("link", name="Back to Publish"))

    follow(page.get_by_role("link", name="Card details"))
    clean(page)
    page.get_by_label("Pay").fill("30 francs an hour")
    follow(page.get_by_role("button", name="Save"))
    page.get_by_label("Licence").select_option("cc-by-4.0")
    follow(page.get_by_role("button", name="Publish", exact=True))
    expect(page.get_by_role("link", name=f"{project.slug}-1.zip")).to_be_visible()

    follow(page.get_by_role("link", name="Push to a hub"))
    page.get_by_label("Repository", exact=True).fill("town/pages")
    page.get_by_label("Token").fill(TOKEN)
    clean(page)
    follow(page.get_by_role("button", name="Push"))
    expect(page.get_by_role("link", name=f"{hub.url}/datasets/town/pages/tree/v1")).to_be_visible(timeout=15_000)
    made = hub.repositories["town/pages"]
    assert list(made.tags) == ["v1"] and "30 francs an hour" in made.files["README.md"].decode()
    assert TOKEN not in read(page, Page.content)

    follow(page.get_by_role("link", name="Publish", exact=True))
    follow(page.get_by_role("link", name="Consent"))
    follow(page.get_by_role("row", name="anna").get_by_role("button", name="Record as withdrawn"))
    expect(page.locator(".answer")).to_have_text("1 person has withdrawn their consent.")
    page.reload()
    clean(page)
    follow(page.get_by_role("link", name="Back to Publish"))
    page.get_by_label("Licence").select_option("cc-by-4.0")
    follow(page.get_by_role("button", name="Publish", exact=True))
    expect(page.get_by_role("link", name=f"{project.slug}-2.zip")).to_be_visible()
    follow(page.get_by_role("link", name="Compare publications"))
    follow(page.get_by_role("row", name="annotations removed").get_by_role("link"))
    expect(page.get_by_role("heading", name="annotations removed")).to_be_visible()
    expect(page.locator("section.ruled-section").first).to_be_visible()
    clean(page)


def test_a_failed_publication_is_retried_by_keyboard(
    page: Page, live_server: LiveServer, log_in: LogIn, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    project = demo_load().projects[0]
    for number in (1, 2):
        Publication.objects.create(
            project=project, number=number, format="csv", status="failed", problem="The disk was full."
        )
    publish_page(page, live_server, log_in, project)
    expect(page.locator("#publications")).to_contain_text("Failed: The disk was full.")
    page.get_by_role("button", name="Try again").first.focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("link", name=f"{project.slug}-2.zip")).to_be_visible()
    follow(page.get_by_role("button", name="Delete"))
    expect(page.locator("main")).not_to_contain_text("The disk was full.")
    wait_until(Publication.objects.count, equals=1)
