"""The page of API tokens: a token made by keyboard, used, and revoked, on a phone and a screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import User
from tests.browser.waits import clean, fits, follow
from tests.factories import AnnotatorFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.takes(5)
@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
def test_a_token_is_made_used_and_revoked(
    page: Page,
    live_server: LiveServer,
    log_in: Callable[[BrowserContext, User], None],
    width: int,
    theme: str,
) -> None:
    lead = AnnotatorFactory(user=UserFactory(), role="lead")
    assert lead.user
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    log_in(page.context, lead.user)
    page.goto(f"{live_server.url}/account/")
    follow(page.get_by_role("link", name="API tokens"))
    clean(page)
    page.get_by_label("Name").fill("nightly export")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("It is shown only once")
    secret = page.locator("code.secret").inner_text()
    fits(page)
    clean(page)
    address = f"/api/projects/{lead.project.slug}/"
    assert Client().get(address, headers={"authorization": f"Bearer {secret}"}).status_code == 200
    page.goto(f"{live_server.url}/account/tokens/")
    expect(page.get_by_role("row", name="nightly export")).to_contain_text("read only")
    expect(page.locator("code.secret")).to_have_count(0)
    follow(page.get_by_role("button", name="Revoke"))
    expect(page.locator("main")).to_contain_text("You have no tokens.")
    assert Client().get(address, headers={"authorization": f"Bearer {secret}"}).status_code == 401
