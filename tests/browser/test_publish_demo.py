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

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LogIn = Callable[[BrowserContext, User], None]


def publish_page(page: Page, live_server: LiveServer, log_in: LogIn, project: Project) -> None:
    lead = Annotator.objects.filter(project=project, role=Role.LEAD).first()
    assert lead is not None and lead.user is not None
    log_in(page.context, lead.user)
    page.goto(f"{live_server.url}/projects/{project.slug}/")
    page.get_by_role("link", name="Publish", exact=True).click()


def test_the_demo_becomes_a_dataset(
    page: Page, live_server: LiveServer, log_in: LogIn, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    for project in demo_load().projects:
        publish_page(page, live_server, log_in, project)
        page.get_by_label("Format").select_option("hub")
        page.get_by_label("Licence").select_option("cc-by-4.0")
        page.get_by_role("button", name="Publish").dblclick()
        link = page.get_by_role("link", name=f"{project.slug}-1.zip")
        expect(link).to_be_visible()
        assert Publication.objects.filter(project=project).count() == 1, "a double click publishes once"
        with page.expect_download() as fetched:
            link.click()
        with zipfile.ZipFile(fetched.value.path()) as archive:
            archive.extractall(tmp_path / "fetched")
        folder = tmp_path / "fetched" / f"{project.slug}-1"
        loaded = datasets.load_dataset(str(folder), "annotations", cache_dir=str(tmp_path / "cache"))
        assert sum(part.num_rows for part in loaded.values()) == project.pairs.count()


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
    expect(page.locator("#publications")).to_contain_text("failed: The disk was full.")
    page.get_by_role("button", name="Try again").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name=f"{project.slug}-2.zip")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("main")).not_to_contain_text("The disk was full.")
    assert Publication.objects.count() == 1
