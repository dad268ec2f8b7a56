"""The workspace from collected files, under the site's content security policy: from the modules, and bundled."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page

from benchmarks.serving import Server
from benchmarks.workspace import PASSWORD, SEED, material

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("left_out", [("--ignore", "bundle"), ()], ids=["modules", "as set up"])
def test_the_workspace_opens_from_collected_files(
    left_out: tuple[str, ...], page: Page, migrated: Path, tmp_path: Path
) -> None:
    shutil.copy(migrated, tmp_path)
    server = Server(tmp_path)
    # Half of the time would go into the page that documents the API.
    left_out += ("--ignore", "drf_spectacular_sidecar")
    server.manage("collectstatic", "--noinput", "--verbosity", "0", *left_out)
    (tmp_path / "made.json").write_text(json.dumps(material()))
    seed = SEED.format(path=str(tmp_path / "made.json"))
    pk = server.manage("shell", "--no-imports", "-c", seed).split()[0]
    requested: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    server.start()
    try:
        page.goto(f"{server.url}/login/")
        page.locator("[name=username]").fill("anna")
        page.locator("[name=password]").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url(f"{server.url}/")
        requested.clear()
        page.goto(f"{server.url}/projects/bench/work/{pk}/")
        page.wait_for_selector("html[data-ready]")
        page.wait_for_timeout(300)
        scripts = [url for url in requested if url.endswith(".js")]
        assert scripts and len(set(scripts)) == len(scripts), "each is asked for once"
        assert all("/static/" in url and url.rsplit("/")[-1].count(".") == 2 for url in scripts), "by its hashed name"
        assert said == []
        page.goto("about:blank")
    finally:
        server.kill()
