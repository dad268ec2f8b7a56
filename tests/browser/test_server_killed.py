"""The server is killed during work and started again: nothing is lost."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from benchmarks.serving import Server
from tests.browser.user_actions import saved, word

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.takes(10)]

SEED = """
from annotation.models import Annotator
from tests.factories import AssignmentFactory, UserFactory
user = UserFactory(username="anna")
print(AssignmentFactory(annotator__user=user).pk)
"""


@pytest.fixture
def server(migrated: Path, tmp_path: Path) -> Iterator[Server]:
    shutil.copy(migrated, tmp_path)
    made = Server(tmp_path)
    made.start()
    yield made
    made.kill()


def test_a_killed_server_causes_only_a_delay(page: Page, server: Server) -> None:
    pk = server.manage("shell", "--no-imports", "-c", SEED).strip()
    page.goto(f"{server.url}/login/")
    page.locator("[name=username]").fill("anna")
    page.locator("[name=password]").fill("correct horse battery")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{server.url}/")
    page.goto(f"{server.url}/projects/project-0/work/{pk}/")
    page.wait_for_selector("html[data-ready]")
    word(page, "a", 1).dblclick()
    page.keyboard.press("1")
    saved(page)

    server.kill()
    word(page, "a", 3).dblclick()
    page.keyboard.press("2")
    word(page, "b", 1).dblclick()
    page.keyboard.press("3")
    expect(page.locator("#state")).to_have_text("Offline, 2 changes kept here")

    server.start()
    expect(page.locator("#state")).to_have_attribute("data-state", "saved", timeout=60_000)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator(".token.marked")).to_have_text(["library", "open", "Bibliothek"])
    page.goto("about:blank")
