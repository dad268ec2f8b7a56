"""A lead finds pairs in articles: the files sent, a worker's comparison, bounds, one pair excluded, the import."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Pair, Role
from annotation.services.import_jobs import imports_run
from annotation.services.jobs import jobs_run
from assist.mining_requests.jobs import MINING_JOBS
from tests.assist.mining.test_mine import EN, ES
from tests.browser.user_actions import resize
from tests.browser.waits import clean, fits, follow, wait_until
from tests.factories import AnnotatorFactory, ProjectFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDTHS = (1440, 1024, 390)


def settled(page: Page, name: str) -> None:
    """The page fits its window at every width, is accessible in both themes, and is pictured where a folder is set."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in WIDTHS:
            resize(page, width, 900)
            fits(page, name, width)
            if folder := os.environ.get("DIPTYCH_TEST_PICTURES"):
                page.screenshot(path=Path(folder) / f"{name}-{width}-{scheme}.png", full_page=True)
        clean(page)
    page.emulate_media(color_scheme="light")
    resize(page, WIDTHS[0], 900)


@pytest.mark.takes(10)
def test_from_articles_to_pairs(
    page: Page, live_server: LiveServer, log_in: Callable[..., None], tmp_path: Path
) -> None:
    lead = AnnotatorFactory(project=ProjectFactory(slug="town"), role=Role.LEAD)
    log_in(page.context, lead.user)
    for language, texts in (("en", EN), ("es", ES)):
        (tmp_path / f"town.{language}.txt").write_text("\n".join(texts), encoding="utf-8")

    page.goto(f"{live_server.url}/projects/town/import/")
    follow(page.get_by_role("link", name="Mine pairs from articles"))
    settled(page, "mining")
    page.get_by_label("Articles").set_input_files([tmp_path / "town.en.txt", tmp_path / "town.es.txt"])
    follow(page.get_by_role("button", name="Compare the articles"))
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    assert jobs_run(MINING_JOBS) == 1
    expect(page.locator(".answer")).to_contain_text("0 pairs found.")

    page.get_by_text("Limits", exact=True).click()
    page.get_by_label("Shortest paragraph").fill("20")
    page.get_by_label("Pairs per article").fill("")
    follow(page.get_by_role("button", name="Show"))
    expect(page.locator(".answer")).to_contain_text("2 pairs found.")
    settled(page, "mining-result")
    # On a phone the two texts of a pair are one below the other.
    resize(page, 390, 900)
    wait_until(page.locator("table.stacked").first.locator("..").evaluate, "it => it.scrollWidth <= it.clientWidth")
    resize(page, WIDTHS[0], 900)
    page.get_by_label("Exclude town:2-4").check()
    follow(page.get_by_role("button", name="Import"))
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    imports_run()
    expect(page.locator(".answer")).to_contain_text("1 pair imported.")
    assert [pair.external_id for pair in Pair.objects.all()] == ["town:4-2"]
