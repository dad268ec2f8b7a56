"""A lead invites someone, who creates an account with the link and opens their first pair; the lead watches."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotator, Role, User
from tests.browser.waits import clean, fits, follow
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.takes(8)
def test_a_link_leads_to_the_first_pair(
    page: Page, browser: Browser, live_server: LiveServer, log_in: Callable[[BrowserContext, User], None]
) -> None:
    project = ProjectFactory(name="Town pages")
    lead = AnnotatorFactory(project=project, role=Role.LEAD, alias="lead").user
    log_in(page.context, lead)
    page.goto(live_server.url + reverse("people", args=(project.slug,)))
    follow(page.get_by_role("navigation", name="People").get_by_role("link", name="Invitations"))
    page.get_by_label("People to invite").fill("Dora\nEmil")
    follow(page.get_by_role("button", name="Invite", exact=True))
    expect(page.locator("code.secret")).to_have_count(2)
    clean(page)
    link = page.locator("code.secret").first.inner_text()
    guest = browser.new_context(viewport={"width": 390, "height": 844})
    joining = guest.new_page()
    joining.goto(link)
    assert link.rstrip("/").rsplit("/", 1)[1] not in joining.url
    clean(joining)
    fits(joining)
    joining.get_by_label("Username").fill("dora")
    for label in ("Password", "Confirm password"):
        joining.get_by_label(label, exact=True).fill("correct horse battery")
    joining.get_by_label("Languages read").fill("de native, en C1")
    follow(joining.get_by_role("button", name="Create account and join"))
    expect(joining.get_by_text("You are now in Town pages, as Dora.")).to_be_visible()
    person = Annotator.objects.get(project=project, alias="Dora")
    work = AssignmentFactory(pair=PairFactory(project=project), annotator=person)
    joining.reload()
    follow(joining.get_by_role("link", name="Start"))
    joining.wait_for_url(f"**/work/{work.pk}/")
    joining.wait_for_selector("html[data-ready]")
    guest.close()
    page.goto(live_server.url + reverse("monitor", args=(project.slug,)))
    expect(page.get_by_text("Dora has finished nothing in the last two weeks; 1 pair remains.")).to_be_visible()
