"""A real Chromium against a live server. Pages are opened as a logged-in user."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from playwright.sync_api import Error as PlaywrightError
from pytest_django.live_server_helper import LiveServer

from annotation.models import Assignment, User
from tests.needs import chromium

# Playwright's own event loop would make Django refuse the database; nothing here awaits.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
# Two cores with as many test processes: what takes long is not thereby wrong.
expect.set_options(timeout=15_000)

SWITCHED_OFF = (
    # Of the last switch of this name alone is anything read, so all that Playwright switches off comes first.
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *(
        "HttpsFirstBalancedModeAutoEnable",
        "LensOverlay",
        "MediaRouter",
        "PaintHolding",
        "ThirdPartyStoragePartitioning",
    ),
    *("AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin", "OptimizationHints"),
    *("NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
    *("msForceBrowserSignIn", "msEdgeUpdateLaunchServicesPreferredVersion"),
    # Two pages of Chromium's address bar that it loads for each new window: two thirds of what a context costs.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    # A process for each context, in case it opens a page of another site.
    "SpareRendererForSitePerProcess",
)
"""Features of Chromium that are switched off."""


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    switches = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        f"--disable-features={','.join(SWITCHED_OFF)}",
    ]
    return {"executable_path": chromium(), "args": switches}


@pytest.fixture
def log_in(live_server: LiveServer, client: Any) -> Callable[[BrowserContext, User], None]:
    """Gives a context a user's session, without the log-in page."""

    def enter(context: BrowserContext, user: User) -> None:
        client.force_login(user)
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])

    return enter


@pytest.fixture
def open_work(live_server: LiveServer, log_in: Callable[..., None]) -> Iterator[Callable[[Page, Assignment], None]]:
    """Opens an assignment's workspace as its annotator and waits until it is ready."""
    opened: list[Page] = []

    def show(page: Page, assignment: Assignment) -> None:
        opened.append(page)
        user = assignment.annotator.user
        assert user is not None
        log_in(page.context, user)
        page.goto(f"{live_server.url}/projects/{assignment.pair.project.slug}/work/{assignment.pk}/")
        page.wait_for_selector("html[data-ready]")

    yield show
    # A page that closes sends what it has: that must have arrived before the database is emptied for the next test.
    for page in opened:
        with suppress(PlaywrightError):  # closed or killed by the test
            page.goto("about:blank")
    time.sleep(0.3)
