"""Pages in several languages: uploaded, previewed and imported as the guide says, and a document excluded."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from agreement.selectors import exclusions
from annotation.models import Pair, Role
from annotation.services.import_jobs import imports_run
from tests.annotation.formats.made_pages import packed, town_pages
from tests.browser.test_whole_path import enter
from tests.browser.waits import clean, fits, follow
from tests.factories import AnnotatorFactory, ProjectFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_pages_are_imported_and_a_document_is_excluded(
    browser: Browser, live_server: LiveServer, tmp_path: Path
) -> None:
    project = ProjectFactory(slug="towns", name="Towns")
    AnnotatorFactory(project=project, user=UserFactory(username="lena"), alias="lena", role=Role.LEAD)
    lead = enter(browser, live_server.url, "lena")
    lead.goto(f"{live_server.url}/projects/towns/import/")
    lead.locator("input[type=file]").set_input_files(packed(town_pages(tmp_path / "town"), tmp_path / "town.zip"))
    follow(lead.get_by_role("button", name="Preview", exact=True).first)
    imports_run()
    documents = lead.locator("#documents")
    expect(documents).to_contain_text("1 document has all the selected languages. 4 were dropped:")
    for reason in ("only links", "missing in fr", "fewer than 3 sentences in fr: 1 of 1", "it looks like de"):
        expect(documents.locator(".dropped")).to_contain_text(reason)
    lead.get_by_label("Language pairs").fill("de-en")
    follow(lead.get_by_role("button", name="Read the files again"))
    imports_run()
    expect(documents).to_contain_text("4 documents have all the selected languages. 1 was dropped:")
    clean(lead)
    lead.set_viewport_size({"width": 390, "height": 800})
    fits(lead)
    lead.set_viewport_size({"width": 1440, "height": 900})
    follow(lead.get_by_role("button", name="Import", exact=True))
    imports_run()
    expect(lead.locator("#import-result")).to_contain_text("4 pairs imported")

    follow(lead.locator("#import-result").get_by_role("link", name="Pairs"))
    follow(lead.get_by_role("link", name="Documents: exclusions and text lengths"))
    expect(lead.locator("main")).to_contain_text("4 documents in this project.")
    lead.get_by_label("Choose short", exact=True).check()
    lead.get_by_label("Reason for exclusion").fill("too short")
    follow(lead.get_by_role("button", name="Exclude from the gold"))
    expect(lead.get_by_role("row", name="short")).to_contain_text("all excluded: too short")
    assert exclusions(project) == {Pair.objects.get(external_id="short-en").pk: "too short"}
    clean(lead)
    lead.set_viewport_size({"width": 390, "height": 800})
    fits(lead)
    lead.get_by_label("Choose short", exact=True).check()
    follow(lead.get_by_role("button", name="Include them again"))
    expect(lead.get_by_text("1 pair is included again.")).to_be_visible()
    assert not exclusions(project)
