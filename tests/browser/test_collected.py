"""The workspace from collected files, under the site's content security policy: from the modules, and bundled."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.serving import Server
from benchmarks.workspace import PASSWORD, SEED, material
from tests.browser.waits import wait_until

pytestmark = pytest.mark.browser
FROM = pytest.mark.parametrize("left_out", [("--ignore", "bundle"), ()], ids=["modules", "as set up"])


def served(left_out: tuple[str, ...], migrated: Path, folder: Path) -> tuple[Server, str]:
    """A server with collected files that has not been started, and the address of a pair."""
    shutil.copy(migrated, folder)
    server = Server(folder)
    # Half of the time would go into the page that documents the API.
    left_out += ("--ignore", "drf_spectacular_sidecar")
    server.manage("collectstatic", "--noinput", "--verbosity", "0", *left_out)
    (folder / "made.json").write_text(json.dumps(material()))
    seed = SEED.format(path=str(folder / "made.json"))
    pk = server.manage("shell", "--no-imports", "-c", seed).split()[0]
    return server, f"/projects/bench/work/{pk}/"


def log_in(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/login/")
    page.locator("[name=username]").fill("anna")
    page.locator("[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{server.url}/")


@pytest.mark.long
@pytest.mark.takes(10)
@FROM
def test_the_workspace_opens_from_collected_files(
    left_out: tuple[str, ...], page: Page, migrated: Path, tmp_path: Path
) -> None:
    server, pair = served(left_out, migrated, tmp_path)
    requested: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    server.start()
    try:
        log_in(page, server)
        requested.clear()
        page.goto(server.url + pair)
        page.wait_for_selector("html[data-ready]")
        page.wait_for_timeout(300)
        scripts = [url for url in requested if url.endswith(".js")]
        assert scripts and len(set(scripts)) == len(scripts), "each is asked for once"
        assert all("/static/" in url and url.rsplit("/")[-1].count(".") == 2 for url in scripts), "by its hashed name"
        assert [words for words in said if "Service Worker registration blocked" not in words] == []
        page.goto("about:blank")
    finally:
        server.kill()


@pytest.mark.long
@pytest.mark.takes(12)
@FROM
def test_a_reload_works_while_the_server_is_down(
    left_out: tuple[str, ...], browser: Browser, migrated: Path, tmp_path: Path
) -> None:
    server, pair = served(left_out, migrated, tmp_path)
    page = browser.new_context(service_workers="allow").new_page()
    said: list[str] = []
    server.start()
    try:
        log_in(page, server)
        page.goto(server.url + pair)
        page.wait_for_selector("html[data-ready]")
        kept = "caches.keys().then((names) => names.length && caches.match(location.href)).then(Boolean)"
        wait_until(page.evaluate, kept)
        wait_until(page.evaluate, "navigator.serviceWorker.controller !== null")
        server.kill()
        page.on("console", lambda message: said.append(message.text))
        page.reload()
        page.wait_for_selector("html[data-ready]")
        expect(page.locator("#outbox")).to_contain_text("You are offline")
        # The page's policy came with it: its own scripts run, and nothing was refused.
        assert not [words for words in said if "Content Security Policy" in words]
        page.locator("#pair-comment").fill("written without a network")
        expect(page.locator("#state")).to_have_attribute("data-state", "offline")
        server.start()
        page.reload()
        page.wait_for_selector("html[data-ready]")
        expect(page.locator("#pair-comment")).to_have_value("written without a network")
        expect(page.locator("#state")).to_have_attribute("data-state", "saved")
        expect(page.locator("#outbox")).to_be_hidden()
        page.goto("about:blank")
    finally:
        server.kill()
