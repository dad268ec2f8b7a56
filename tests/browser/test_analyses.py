"""What docs/analyses.md says: from the agreement page to the analyses, with plots, tables and words for the plots."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from agreement.prelabel_eval import analyses_jobs
from annotation.models import User
from annotation.services.demo import demo_load
from annotation.services.jobs import jobs_run
from tests.browser.test_mining_page import settled
from tests.browser.waits import follow

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.long
@pytest.mark.takes(15)
def test_from_the_agreement_to_the_analyses_that_a_worker_computes(
    page: Page,
    live_server: LiveServer,
    log_in: Callable[..., None],
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(analyses_jobs, "MAX_SYNC_ROWS", 0)
    demo_load()
    call_command("adjudicate", "--project", "demo-graded", "--rule", "majority", stdout=StringIO())
    call_command("prelabel", "--project", "demo-graded", "--wait", stdout=StringIO())
    log_in(page.context, User.objects.get(username="lena"))
    page.goto(f"{live_server.url}/projects/demo-graded/agreement/")
    follow(page.get_by_role("link", name="Analyses"))
    expect(page.get_by_text("A worker is computing this")).to_be_visible()
    jobs_run(analyses_jobs.ANALYSES_JOBS)
    position = page.locator("#position")
    expect(position.get_by_role("img", name="default-v5, 1: ").first).to_be_visible()
    expect(position.get_by_role("columnheader", name="tenth 10")).to_be_visible()
    for section in ("#length", "#languages", "#annotators", "#labels", "#failures"):
        expect(page.locator(f"{section} table").first).to_be_visible()
    settled(page, "analyses")
    # From a figure to its pairs, and from there to both texts with the gold.
    follow(position.get_by_role("row", name="default-v5").get_by_role("link").first)
    expect(page.get_by_text("A worker is computing this")).to_be_visible()
    jobs_run(analyses_jobs.ANALYSES_JOBS)
    expect(page.get_by_role("heading", name="Correlation: default-v5, tenth 1")).to_be_visible()
    expect(page.get_by_role("columnheader", name="ρ within the pair (× 100)")).to_be_visible()
    settled(page, "analyses-pairs")
    first = page.locator("tbody th a").first
    name = first.inner_text()
    follow(first)
    expect(page.get_by_text(name).first).to_be_visible()
    expect(page.locator(".legend .lane-key", has_text="gold")).to_be_visible()
    page.go_back()
    follow(page.get_by_role("link", name="Analyses"))
    expect(position).to_be_visible()
    follow(page.get_by_role("link", name="Quality of pre-labels"))
    follow(page.get_by_role("link", name="Analyses"))
