"""Importing on the page: check, better scheme with one click, progress and result without a reload."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Pair, Role, User
from annotation.services.import_jobs import imports_run
from annotation.text.schemes import PRESETS
from tests.annotation.formats.samples import parade
from tests.browser.waits import clean, follow, wait_until
from tests.factories import AnnotatorFactory, ProjectFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LogIn = Callable[[BrowserContext, User], None]


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390)])
def test_a_file_is_checked_and_imported_with_the_better_scheme(
    page: Page, live_server: LiveServer, log_in: LogIn, tmp_path: Path, theme: str, width: int
) -> None:
    project = ProjectFactory(slug="towns", scheme=PRESETS["xparade"].to_json())
    lead = AnnotatorFactory(project=project, role=Role.LEAD)
    log_in(page.context, lead.user)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    path = tmp_path / "en-es-dev.json"
    path.write_text(json.dumps([parade()]))
    page.goto(live_server.url + reverse("import", args=("towns",)))
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_text("Format and options").click()
    page.locator("select").select_option("xparade")
    follow(page.get_by_role("button", name="Preview", exact=True))
    expect(page.locator("#import-result")).to_contain_text("Waiting for a worker")
    imports_run()
    expect(page.locator("#import-result")).to_contain_text("imported as inferable")
    clean(page)
    with page.expect_navigation():
        page.get_by_role("button", name="Change the scheme to xparade-extended and import").press("Enter")
    imports_run()
    expect(page.locator("#import-result")).to_contain_text("1 pair imported")
    clean(page)
    wait_until(Pair.objects.filter(project=project).count, equals=1)
