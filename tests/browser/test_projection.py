"""What docs/projection.md tells a lead to do: choose projection, run it, annotate a pair, see what was changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotation, Highlight, Project, Role
from annotation.services.imports import import_files
from annotation.text.schemes import PRESETS
from assist.models import Queue
from assist.runs import processing
from tests.agreement.prelabel_eval.test_projection import GERMAN, PAGES, submit
from tests.agreement.prelabel_eval.test_projection import page as row
from tests.annotation.formats.samples import lines
from tests.browser.test_mining_page import settled
from tests.browser.waits import follow
from tests.factories import AnnotatorFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.long
@pytest.mark.takes(10)
def test_labels_of_another_language_pair_and_what_people_change(
    page: Page, live_server: LiveServer, log_in: Callable[..., None], tmp_path: Path, settings: Settings
) -> None:
    settings.DATA_DIR = tmp_path
    rows = [*GERMAN, *(row(name, "fr", gold=False) for name in PAGES)]
    import_files(slug="pages", paths=[lines(tmp_path / "pages.jsonl", *rows)], scheme=PRESETS["graded"].to_json())
    project = Project.objects.get(slug="pages")
    lead = UserFactory(username="lea")
    AnnotatorFactory(project=project, user=lead, alias="lea", role=Role.LEAD)
    log_in(page.context, lead)

    page.goto(f"{live_server.url}/projects/pages/prelabels/")
    page.get_by_label("Method", exact=True).select_option("projection")
    alignment = page.get_by_label("Word alignment")
    expect(alignment).to_have_count(1)
    page.locator("details", has=alignment).locator("summary").click()
    expect(alignment).to_be_visible()
    settled(page, "projection-method")
    follow(page.get_by_role("button", name="Pre-label all pairs"))
    processing.lots_process(Queue.values)
    assert sorted(Highlight.objects.values_list("pair__external_id", flat=True)) == ["cats-fr", "dogs-fr"]
    page.goto(f"{live_server.url}/projects/pages/prelabels/projection-v1/")
    without = page.locator("#without-source")
    expect(without).to_contain_text("2 pairs have no pre-labels from this run")
    without.get_by_text("List").click()
    expect(without.get_by_text("dogs-de")).to_be_visible()
    settled(page, "projection-run")

    dogs = project.pairs.get(external_id="dogs-fr")
    (suggested,) = Highlight.objects.get(pair=dogs).proposals
    submit(dogs, "A", {**suggested, "label": "4"})
    assert Annotation.objects.filter(pair=dogs).exists()
    page.goto(f"{live_server.url}/projects/pages/quality/")
    section = page.locator("section", has=page.get_by_role("heading", name="labels of other language pairs"))
    # 'dog' and 'chien', of 12 words.
    share = section.get_by_role("link", name="16.67")
    expect(share).to_be_visible()
    settled(page, "projection-quality")
    follow(share)
    expect(page.locator(".answer")).to_contain_text("1 submission; 16.67% of its tokens")
    settled(page, "projection-changed")
    follow(page.get_by_role("link", name="dogs-fr"))
    expect(page.get_by_role("heading", name="Annotations compared")).to_be_visible()
