"""A lead looks at the ratings of items and downloads the validated ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Project, Role
from tests.agreement.rated.test_rated import judged, rated, rows  # noqa: F401
from tests.browser.test_mining_page import settled
from tests.browser.waits import follow
from tests.factories import AnnotatorFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.takes(8)
def test_from_ratings_to_a_file(
    page: Page,
    live_server: LiveServer,
    log_in: Callable[..., None],
    rows: Project,  # noqa: F811
) -> None:
    rated(rows, {name: judged("yy", "yy") for name in ("r:1:1", "r:1:2", "r:2:1")})
    lead = AnnotatorFactory(project=rows, role=Role.LEAD)
    log_in(page.context, lead.user)
    page.goto(f"{live_server.url}/projects/rows/agreement/")
    follow(page.get_by_role("link", name="Rated items"))
    expect(page.locator(".answer")).to_contain_text("6 items, 3 of them rated. 3 items validated.")
    settled(page, "rated-items")
    page.get_by_label("Distractors per row").fill("1")
    follow(page.get_by_role("button", name="Show"))
    expect(page.get_by_text("The file has 2 rows.")).to_be_visible()
    with page.expect_download() as started:
        page.get_by_role("link", name="CSV", exact=True).click()
    text = Path(started.value.path()).read_text(encoding="utf-8")
    assert text.splitlines()[0] == "Source,Target,TargetAdv1" and len(text.splitlines()) == 3
