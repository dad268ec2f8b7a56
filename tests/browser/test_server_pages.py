"""The page of the site's owner, and those for a new password: phone and screen, both themes, all languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import JobStatus, User, Worker
from annotation.models.imports import Import
from tests.annotation.work import House, house
from tests.browser.waits import clean, fits, follow
from tests.factories import UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LogIn = Callable[[BrowserContext, User], None]


@pytest.fixture
def at() -> House:
    made = house()
    Worker.objects.create(name="a-machine-with-a-long-name:1234567:0a1b2c", queues=["cpu", "gpu"], seen=timezone.now())
    Import.objects.create(
        project=made.project, slug=made.project.slug, status=JobStatus.FAILED, problem="The disk is full. " * 9
    )
    return made


def views(page: Page) -> Any:
    """Each width and theme, and each language on a phone."""
    for width, theme in ((1440, "light"), (1024, "dark"), (390, "dark"), (390, "light")):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        yield


@pytest.mark.takes(8)
def test_the_owners_page(page: Page, live_server: LiveServer, log_in: LogIn, at: House) -> None:
    owner: User = UserFactory(is_superuser=True)
    log_in(page.context, owner)
    for _ in views(page):
        page.goto(f"{live_server.url}/server/")
        fits(page)
        clean(page)
    for code, _name in settings.LANGUAGES:
        User.objects.filter(pk=owner.pk).update(preferences={"language": code})
        page.goto(f"{live_server.url}/server/")
        expect(page.locator("html")).to_have_attribute("lang", code)
        fits(page)


@pytest.mark.long
@pytest.mark.takes(8)
def test_the_way_to_a_new_password(page: Page, live_server: LiveServer, log_in: LogIn, at: House) -> None:
    lead = User.objects.get(memberships__role="lead")
    person = f"{live_server.url}/projects/{at.project.slug}/people/{at.assignment.annotator_id}/"
    for _ in views(page):
        log_in(page.context, lead)
        page.goto(person)
        follow(page.get_by_role("button", name="Create a link"))
        link = page.locator("code.secret").inner_text()
        fits(page)
        clean(page)
        page.context.clear_cookies()
        page.goto(link)
        fits(page)
        clean(page)
        page.goto(f"{live_server.url}/login/")
        follow(page.get_by_role("link", name="Forgot your password?"))
        fits(page)
        clean(page)
    page.goto(link)
    page.get_by_label("New password", exact=True).fill("battery staple horse")
    page.get_by_label("New password confirmation").fill("battery staple horse")
    follow(page.get_by_role("button", name="Save"))
    clean(page)
    follow(page.get_by_role("link", name="Log in"))
    page.get_by_label("Name").fill(str(at.assignment.annotator.user))
    page.get_by_label("Password").fill("battery staple horse")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{live_server.url}/")
