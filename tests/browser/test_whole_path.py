"""The whole workflow: two people annotate, the lead views agreement, adjudicates, publishes; the file loads."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from django.conf import LazySettings
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotation, Pair, Project, Role, Source, Status, User
from tests.agreement.card_facts import state_card_facts
from tests.browser.user_actions import drag, quoted, saved
from tests.browser.waits import follow, wait_until
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "correct horse battery"
ROLES = {"anna": Role.ANNOTATOR, "bruno": Role.ANNOTATOR, "lena": Role.LEAD}


@pytest.fixture
def project() -> Project:
    pair: Pair = PairFactory(project__slug="towns", project__name="Towns")
    for name, role in ROLES.items():
        membership = AnnotatorFactory(project=pair.project, user=UserFactory(username=name), alias=name, role=role)
        if role == Role.ANNOTATOR:
            AssignmentFactory(pair=pair, annotator=membership)
    return pair.project


def enter(browser: Browser, site: str, name: str) -> Page:
    """A user's own window, logged in through the page."""
    page = browser.new_context(accept_downloads=True).new_page()
    page.goto(site)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    follow(page.get_by_role("button", name="Log in"))
    page.wait_for_url(lambda url: "/login" not in url)
    return page


def mark_and_submit(page: Page, last_of_a: int, label: str) -> None:
    follow(page.get_by_role("link", name="Start"))
    page.wait_for_selector("html[data-ready]")
    drag(page, "a", 7, last_of_a)
    drag(page, "b", 6, 9)
    page.keyboard.press(label)
    saved(page)
    page.keyboard.press("Control+Enter")
    # The first paragraph was passed over: the page names it and asks.
    expect(page.locator("#unread-list")).to_contain_text("The library is open on Sundays.")
    page.locator("#unread-submit").click()
    page.wait_for_url(lambda url: "/work/" not in url)


def test_from_log_in_to_a_dataset_that_loads(
    browser: Browser, live_server: LiveServer, project: Project, tmp_path: Path, settings: LazySettings
) -> None:
    settings.DATA_DIR = tmp_path / "data"
    for name, last_of_a, label in (("anna", 9, "4"), ("bruno", 10, "3")):
        page = enter(browser, live_server.url, name)
        mark_and_submit(page, last_of_a, label)
        page.context.close()
    first, second = Annotation.objects.filter(source=Source.HUMAN).order_by("assignment__annotator__alias")
    assert first.assignment is not None and first.assignment.status == Status.DONE
    wait_until(quoted, first.assignment, equals=[("4", ["Children pay nothing", "Kinder zahlen die Hälfte"])])
    assert second.span_count == 1 and second.token_count == 8

    lead = enter(browser, live_server.url, "lena")
    lead.goto(f"{live_server.url}/projects/towns/agreement/")
    expect(lead.locator(".answer")).to_contain_text("both marked")
    follow(lead.get_by_role("link", name="Adjudication"))
    lead.get_by_label("Rule").select_option("union")
    lead.get_by_role("button", name="Preview").click()
    expect(lead.locator("#outcome")).to_contain_text("No changes were made")
    follow(lead.get_by_role("button", name="Create gold"))
    lead.wait_for_url("**/adjudication/versions/1/")
    gold = Annotation.objects.get(source=Source.GOLD, gold_version=1)
    assert gold.span_count == 1 and gold.provenance

    state_card_facts(project)
    follow(lead.get_by_role("link", name="Publish"))
    lead.get_by_label("Licence").select_option("cc-by-4.0")
    follow(lead.get_by_role("button", name="Publish"))
    with lead.expect_download() as download:
        lead.get_by_role("link", name="towns-1.zip").click()
    fetched = tmp_path / "towns.zip"
    download.value.save_as(fetched)
    lead.context.close()

    with zipfile.ZipFile(fetched) as archive:
        archive.extractall(tmp_path / "set")
    (folder,) = {path.parent for path in (tmp_path / "set").rglob("README.md")}
    import datasets

    loaded = datasets.load_dataset(str(folder), "gold", cache_dir=str(tmp_path / "cache"))
    (rows,) = loaded.values()
    (row,) = rows
    names = rows.features["labels_b"].feature.names
    tokens = zip(row["tokens_b"], row["labels_b"], strict=True)
    marked = [row["text_b"][token["start"] : token["end"]] for token, label in tokens if names[label] != "0"]
    assert marked == ["Kinder", "zahlen", "die", "Hälfte"]
    assert not any(name in str(row) for name in ROLES), "a dataset names nobody"
    wait_until(User.objects.count, equals=3)
