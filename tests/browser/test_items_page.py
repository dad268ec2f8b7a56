"""A lead has items made: sentences sent, cost and prompt seen, a worker's answers, a project to rate them in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from annotation.models import Project, Role
from annotation.services.jobs import jobs_run
from assist.item_requests.jobs import GENERATION_JOBS
from tests.assist.commands.test_make_items import ROWS, writes
from tests.assist.prompted import served
from tests.browser.test_mining_page import settled
from tests.browser.waits import follow
from tests.factories import AnnotatorFactory, ProjectFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.long
@pytest.mark.takes(12)
def test_from_sentences_to_a_rating_project(
    page: Page, live_server: LiveServer, log_in: Callable[..., None], tmp_path: Path, settings: Settings
) -> None:
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    lead = AnnotatorFactory(project=ProjectFactory(slug="town"), role=Role.LEAD)
    log_in(page.context, lead.user)
    with served(settings, writes) as model:
        page.goto(f"{live_server.url}/projects/town/encoders/")
        follow(page.get_by_role("link", name="Create items"))
        settled(page, "items")
        page.get_by_label("Sentences").set_input_files(tmp_path / "rows.csv")
        page.get_by_label("Rating project").fill("rated")
        follow(page.get_by_role("button", name="Preview the prompt and the cost"))
        expect(page.locator(".answer")).to_contain_text("2 requests")
        expect(page.locator("pre").last).to_contain_text("The old mill closed.")
        settled(page, "items-preview")
        assert model.bodies == []
        follow(page.get_by_role("button", name="Create the items"))
        expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
        assert jobs_run(GENERATION_JOBS) == 1
        expect(page.locator(".answer")).to_contain_text("8 items to rate.")
        settled(page, "items-result")
        follow(page.get_by_role("link", name="rated", exact=True))
        assert page.url.endswith("/projects/rated/") and Project.objects.get(slug="rated").pairs.count() == 8
        page.goto(f"{live_server.url}/projects/town/items/")
        page.get_by_label("Sentences").set_input_files(tmp_path / "rows.csv")
        page.get_by_label("Rating project").fill("others")
        follow(page.get_by_role("button", name="Preview the prompt and the cost"))
        follow(page.get_by_role("button", name="Cancel"))
        expect(page.locator(".answer")).to_contain_text("Cancelled.")
    assert len(model.bodies) == 2
