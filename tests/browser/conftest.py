"""A real Chromium against a live server. Pages are opened as a logged-in user."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import handlers
from django.core.servers.basehttp import WSGIRequestHandler
from django.test import override_settings
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Assignment, User
from tests.browser.waits import MAX_WAIT_SECONDS
from tests.environment import without_settings
from tests.needs import chromium
from tests.once import made_once
from tests.paths import ROOT

# Playwright's own event loop would make Django refuse the database; nothing here awaits.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
expect.set_options(timeout=MAX_WAIT_SECONDS * 1000)
# Django's server for tests sends the head and the body of an answer apart. Without this the body waits 40 ms for the
# browser to acknowledge the head, with each of a page's files.
WSGIRequestHandler.disable_nagle_algorithm = True

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


@pytest.fixture(scope="session", autouse=True)
def patience(browser: Browser) -> None:
    """Every window of every context waits that long, for a page that computes its first report too."""
    make = browser.new_context

    def patient(**options: Any) -> BrowserContext:
        made = make(**{"service_workers": "block", **options})
        made.set_default_timeout(MAX_WAIT_SECONDS * 1000)
        return made

    setattr(browser, "new_context", patient)  # noqa: B010


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Without service workers, which fetch pages ahead: `test_offline.py` has contexts of its own with them."""
    return {**browser_context_args, "service_workers": "block"}


@pytest.fixture(scope="package", autouse=True)
def collected_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Static files as script/static collects them, served by WhiteNoise, as in production.

    The workspace is one script then, if esbuild is installed; its modules are ninety requests for each page, and are
    tested in `test_collected.py` and in node.
    """

    def collect(folder: Path) -> None:
        subprocess.run([ROOT / "script" / "bundle"], check=True)
        # Half of the time would go into the page that documents the API.
        command = ["manage.py", "collectstatic", "--noinput", "-v0", "--ignore", "drf_spectacular_sidecar"]
        environment = without_settings() | {"DIPTYCH_DATA": str(folder)}
        subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, check=True)

    folder = made_once(tmp_path_factory, "collected", collect)
    with override_settings(STATIC_ROOT=folder / "static"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(handlers, "StaticFilesHandler", lambda application: application)
        yield


@pytest.fixture(scope="package")
def live_server(collected_files: None) -> Iterator[LiveServer]:
    """pytest-django's, but with the files that were collected for these tests."""
    server = LiveServer("localhost")
    yield server
    server.stop()


@pytest.fixture
def log_in(live_server: LiveServer, client: Any) -> Callable[[BrowserContext, User], None]:
    """Gives a browser context a user's session, without the log-in page."""

    def enter(context: BrowserContext, user: User) -> None:
        client.force_login(user)
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])

    return enter


@pytest.fixture
def open_work(live_server: LiveServer, log_in: Callable[..., None]) -> Callable[[Page, Assignment], None]:
    """Opens an assignment's workspace as its annotator and waits until it is ready."""

    def show(page: Page, assignment: Assignment) -> None:
        user = assignment.annotator.user
        assert user is not None
        log_in(page.context, user)
        page.goto(f"{live_server.url}/projects/{assignment.pair.project.slug}/work/{assignment.pk}/")
        page.wait_for_selector("html[data-ready]")

    return show


@pytest.fixture(scope="package")
def connections(live_server: LiveServer) -> set[Any]:
    """The connections that the live server has now: it has a thread for each, until the browser closes it."""
    found: set[Any] = set()
    server: Any = live_server.thread.httpd
    answer = server.process_request_thread

    def counted(connection: Any, address: Any) -> None:
        found.add(connection)
        try:
            answer(connection, address)
        finally:
            found.discard(connection)

    server.process_request_thread = counted
    return found


@pytest.fixture(autouse=True)
def nothing_left_open(request: pytest.FixtureRequest, browser: Browser) -> Iterator[None]:
    """After a test no window stays open, and the server has answered all requests before the database is emptied.

    A window that a test leaves open would go on sending what it has, to the database of the next test.
    """
    served: set[Any] = set()
    if "live_server" in request.fixturenames:
        request.getfixturevalue("transactional_db")
        served = request.getfixturevalue("connections")
    yield
    for context in browser.contexts:
        context.close()
    end = time.monotonic() + MAX_WAIT_SECONDS
    while served and time.monotonic() < end:
        time.sleep(0.01)
