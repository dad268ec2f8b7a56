"""A lead sets a pass rule; an annotator qualifies; the lead looks at the differences, says something and advances."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Assignment, Phase, Role, User
from tests.annotation.qualified import with_gold
from tests.annotation.work import client_of
from tests.browser.user_actions import saved, word
from tests.browser.waits import clean, fits, follow
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def within(locator: Locator) -> None:
    """It is in sight without scrolling sideways, not in the part of a table that does not fit."""
    box, size = locator.bounding_box(), locator.page.viewport_size
    assert box and size and box["x"] >= 0 and box["x"] + box["width"] <= size["width"]


@pytest.mark.takes(20)
def test_from_the_rule_to_the_first_main_pair(
    page: Page, browser: Browser, live_server: LiveServer, log_in: Callable[[BrowserContext, User], None]
) -> None:
    project = ProjectFactory(name="Town pages")
    lead = AnnotatorFactory(project=project, role=Role.LEAD, alias="lead").user
    anna = AnnotatorFactory(project=project, alias="anna")
    for n in range(2):
        AssignmentFactory(
            pair=with_gold(project), annotator=anna, phase=Phase.QUALIFICATION, order=n, highlights_shown=False
        )
    main = AssignmentFactory(pair=PairFactory(project=project), annotator=anna, order=2)
    with_gold(project)  # left for a retry

    # The lead sets the rule.
    log_in(page.context, lead)
    page.goto(live_server.url + reverse("people", args=(project.slug,)))
    follow(page.get_by_role("navigation", name="People").get_by_role("link", name="Qualification"))
    expect(page.locator(".answer")).to_contain_text("There is no pass rule")
    clean(page)
    follow(page.get_by_role("link", name="Set a pass rule"))
    clean(page)
    page.get_by_label("Minimum agreement", exact=True).fill("0.6")
    page.get_by_label("Moderate").fill("0.9")
    page.get_by_label("Minimum number of pairs").fill("2")
    follow(page.get_by_role("button", name="Save", exact=True))
    expect(page.get_by_role("alert")).to_contain_text("With this rule, 1 person can't begin their other pairs")
    clean(page)
    follow(page.get_by_role("button", name="Save anyway"))
    expect(page.get_by_role("row", name=re.compile("^anna – not started 0 of 2"))).to_be_visible()

    # The annotator sees only qualification pairs, and finds one word of two.
    guest = browser.new_context(viewport={"width": 1280, "height": 900})
    # Not by `log_in`, which ends the lead's session.
    cookie = client_of(anna.user).cookies["sessionid"].value
    guest.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    work = guest.new_page()
    work.goto(live_server.url + reverse("project", args=(project.slug,)))
    expect(work.get_by_text("0 of 2 pairs submitted.")).to_be_visible()
    work.set_viewport_size({"width": 390, "height": 844})
    within(work.get_by_text("after the qualification"))
    fits(work)
    work.set_viewport_size({"width": 1280, "height": 900})
    clean(work)
    for n in range(2):
        work.goto(live_server.url + reverse("work-next", args=(project.slug,)))
        work.wait_for_selector("html[data-ready]")
        word(work, "a", 1).dblclick()
        work.keyboard.press("3")
        saved(work)
        work.keyboard.press("Control+Enter")
        work.get_by_role("button", name="Submit anyway").click()
        expect(work.get_by_text("Your spans and the reference")).to_be_visible()
        assert Assignment.objects.filter(annotator=anna, status="done").count() == n + 1
    work.goto(live_server.url + reverse("project", args=(project.slug,)))
    expect(work.get_by_text("You see the result once a lead releases it. A lead decides next.")).to_be_visible()
    expect(work.get_by_text("Your agreement")).to_have_count(0)

    # The lead looks at the result, then at the differences.
    page.reload()
    follow(page.get_by_role("row", name=re.compile("^anna 0[.]66 passed by the rule 2 of 2")).get_by_role("link"))
    clean(page)
    follow(page.get_by_role("link", name="differences").first)
    expect(page.locator(".answer")).to_contain_text("1 difference")
    expect(page.get_by_role("row", name=re.compile("^missed –"))).to_contain_text("nothing")
    clean(page)
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page)
    follow(page.get_by_role("link", name="All pairs of anna"))
    fits(page)
    within(page.get_by_role("link", name="differences").first)
    # Enter in a field does nothing that can't be taken back by saving again: the first button saves the words.
    page.get_by_label("Other pairs").press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Nothing has changed.")
    page.get_by_label("Your message to the person").fill("Good. Look at the second paragraph too.")
    follow(page.get_by_role("button", name="Advance"))
    expect(page.get_by_role("status").first).to_contain_text("anna has been advanced.")
    expect(page.get_by_role("button", name="Undo: Advanced")).to_be_visible()
    for name in ("qualification", "qualification-rule"):
        page.goto(live_server.url + reverse(name, args=(project.slug,)))
        fits(page)
        if name == "qualification":
            within(page.get_by_role("cell", name="0.66"))

    # The annotator sees it, and gets on.
    work.set_viewport_size({"width": 390, "height": 844})
    work.goto(live_server.url + reverse("home"))
    expect(work.get_by_text("Look at the second paragraph too.")).to_be_visible()
    expect(work.get_by_text("Your agreement with the reference is 0.66; 0.60 or more is required.")).to_be_visible()
    fits(work)
    clean(work)
    follow(work.get_by_role("link", name="Continue"))
    work.wait_for_url(f"**/work/{main.pk}/")
    work.wait_for_selector("html[data-ready]")
    guest.close()
