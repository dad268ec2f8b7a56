"""The browser that the tests use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


def test_all_that_playwright_switches_off_stays_off(browser: Browser) -> None:
    """A second switch replaces the first: ours has to repeat what is in Playwright's, whatever its version."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    (pid,) = (each["id"] for each in processes if each["type"] == "browser")
    command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").split()
    theirs, ours = (
        set(each.partition("=")[2].split(",")) for each in command if each.startswith("--disable-features=")
    )
    assert theirs and theirs <= ours, theirs - ours
    assert os.environ.get("DIPTYCH_TEST_CHROMIUM") or ours > theirs
