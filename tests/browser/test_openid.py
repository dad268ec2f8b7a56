"""Someone who was invited joins with the account of a provider, logs out, and comes back with the one button."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from annotation.invitees import Invitee
from annotation.models import Annotator, Role
from annotation.services.invitations import invitations_create
from tests.browser.waits import clean, fits
from tests.factories import AnnotatorFactory, ProjectFactory
from tests.openid.conftest import turn_on
from tests.openid.provider import serving

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.takes(8)
def test_joining_and_coming_back(page: Page, live_server: LiveServer, settings: Settings) -> None:
    project = ProjectFactory(name="Town pages")
    lead = AnnotatorFactory(project=project, role=Role.LEAD).user
    (invited,) = invitations_create(project=project, people=[Invitee("Dora", "")], by=lead)
    page.set_viewport_size({"width": 390, "height": 844})
    with serving(live_server.url + reverse("openid-callback")) as provider:
        turn_on(settings, provider)
        provider.asks = True
        page.goto(live_server.url + reverse("join-link", args=(invited.token,)))
        clean(page)
        fits(page)
        page.get_by_role("button", name="Join with Town").click()
        page.get_by_role("button", name="Yes, it is me").click()
        page.wait_for_url(f"**{reverse('join')}")
        expect(
            page.get_by_text("You will log in with Town, without a separate password for this site.")
        ).to_be_visible()
        expect(page.get_by_label("Username")).to_have_value("anna")
        clean(page)
        fits(page)
        page.get_by_role("button", name="Create account and join").click()
        expect(page.get_by_text("You are now in Town pages, as Dora.")).to_be_visible()
        assert Annotator.objects.get(project=project, alias="Dora").user
        page.goto(live_server.url + reverse("openid-account"))
        expect(page.get_by_text("Your account has been linked to Town since")).to_be_visible()
        clean(page)
        fits(page)
        page.goto(live_server.url + reverse("account"))
        clean(page)
        page.context.clear_cookies()
        page.goto(live_server.url + reverse("login"))
        clean(page)
        fits(page)
        page.get_by_role("button", name="Log in with Town").focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Yes, it is me").click()
        page.wait_for_url(f"{live_server.url}/")
        expect(page.get_by_role("link", name="Account")).to_be_visible()
        provider.wrong = {"denied"}
        page.context.clear_cookies()
        page.goto(live_server.url + reverse("login"))
        page.get_by_role("button", name="Log in with Town").click()
        page.get_by_role("button", name="Yes, it is me").click()
        expect(page.get_by_role("alert")).to_contain_text("You cancelled the log-in")
        clean(page)
        fits(page)
