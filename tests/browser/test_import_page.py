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
from tests.annotation.formats.samples import pair, parade, span
from tests.browser.waits import clean, fits, follow, wait_until
from tests.factories import AnnotatorFactory, PairFactory, ProjectFactory

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


@pytest.mark.parametrize("width", [1440, 390])
def test_a_scheme_that_would_help_is_in_view_above_refusals_by_reason(
    page: Page, live_server: LiveServer, log_in: LogIn, tmp_path: Path, width: int
) -> None:
    project = ProjectFactory(slug="towns", scheme=PRESETS["graded"].to_json())
    PairFactory(project=project)
    log_in(page.context, AnnotatorFactory(project=project, role=Role.LEAD).user)
    page.set_viewport_size({"width": width, "height": 900})
    spans = {label: span(label, ("b", 0, 8)) for label in ("new", "connotation")}
    work = [
        {"annotator": f"{label} {n}", "verdict": "submitted", "spans": [each]}
        for n in range(150)
        for label, each in spans.items()
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps(pair(annotations=work)))
    page.goto(live_server.url + reverse("import", args=("towns",)))
    page.locator("input[type=file]").set_input_files(path)
    follow(page.get_by_role("button", name="Preview", exact=True))
    imports_run()
    expect(page.locator("#import-result")).to_contain_text("300 problems found")
    link = page.get_by_role("link", name="New project with xparade-extended")
    expect(link).to_be_in_viewport(ratio=1)
    rows = page.locator("table.refused tbody tr")
    expect(rows).to_have_count(2)
    folded = rows.first.get_by_text("and 147 more")
    expect(rows.first.get_by_text("new 3'")).to_be_hidden()
    fits(page)
    folded.click()
    expect(rows.first.get_by_text("new 3'")).to_be_visible()
    fits(page)
    clean(page)


def test_changed_choices_are_read_before_they_are_imported(
    page: Page, live_server: LiveServer, log_in: LogIn, tmp_path: Path
) -> None:
    project = ProjectFactory(slug="towns", scheme=PRESETS["graded"].to_json())
    log_in(page.context, AnnotatorFactory(project=project, role=Role.LEAD).user)
    path = tmp_path / "own.csv"
    path.write_text("One,Other,Third\nThe bath is open.,Das Bad ist offen.,Das Bad ist heute offen.\n")
    page.goto(live_server.url + reverse("import", args=("towns",)))
    page.locator("input[type=file]").set_input_files(path)
    follow(page.get_by_role("button", name="Preview", exact=True))
    imports_run()
    result, start = page.locator("#import-result"), page.get_by_role("button", name="Import", exact=True)
    page.get_by_label("Text A", exact=True).select_option("One")
    page.get_by_label("Text B", exact=True).select_option("Third")
    page.get_by_label("Language of text A").fill("en")
    page.get_by_label("Language of text B").fill("de")
    expect(page.get_by_text("Read the files again before you import them")).to_be_visible()
    follow(page.get_by_role("button", name="Read the files again"))
    imports_run()
    expect(result.locator(".first-pair").first).to_contain_text("heute")
    expect(start).to_be_enabled()
    page.get_by_label("Text B", exact=True).select_option("Other")
    expect(start).to_be_disabled()
    clean(page)
