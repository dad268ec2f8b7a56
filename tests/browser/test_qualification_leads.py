"""Two leads look at one person, and each decides: neither replaces what the other wrote without having seen it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Assignment, Role, User
from annotation.models.qualification import QualificationStep
from tests.annotation.qualified import candidate, ruled, submit_all, with_gold
from tests.annotation.work import client_of
from tests.browser.waits import clean, fits, wait_until
from tests.factories import AnnotatorFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.takes(15)
def test_a_lead_by_keyboard_and_another_by_mouse(
    page: Page, browser: Browser, live_server: LiveServer, log_in: Callable[[BrowserContext, User], None]
) -> None:
    project = ruled()
    anna = candidate(project, [with_gold(project), with_gold(project)])
    for _each in range(2):
        with_gold(project)
    submit_all(anna)
    one, other = (AnnotatorFactory(project=project, role=Role.LEAD).user for _each in range(2))
    address = live_server.url + reverse("qualification-person", args=(project.slug, anna.pk))
    log_in(page.context, one)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address)
    page.get_by_label("Your message to the person").fill("Try these.")

    # The other one assigns a pair to try again with, by mouse.
    guest = browser.new_context()
    cookie = client_of(other).cookies["sessionid"].value  # not by `log_in`, which ends the first one's session
    guest.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    late = guest.new_page()
    late.goto(address)
    late.get_by_label("Your message to the person").fill("Mark numbers too.")
    late.get_by_label("Other pairs").fill("1")
    late.get_by_role("button", name="Retry with other pairs").click()
    expect(late.get_by_role("status").first).to_contain_text("1 pair was assigned")

    # The first one, by keyboard: refused, with both versions and nothing lost.
    page.get_by_role("button", name="Advance").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Someone has made another decision")
    expect(page.get_by_text("Message shown to this person since")).to_be_visible()
    expect(page.get_by_text("Mark numbers too.").first).to_be_visible()
    expect(page.get_by_label("Your message to the person")).to_have_value("Try these.")
    expect(page.get_by_text("A retry with other pairs is possible once these are submitted.")).to_be_visible()
    clean(page)
    fits(page)

    # Having seen it, they undo the retry: its words go with it, and the pair too.
    page.get_by_role("button", name="Undo: Retry with other pairs").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("The decision was undone.")
    expect(page.get_by_label("Your message to the person")).to_have_value("")
    wait_until(lambda: not Assignment.objects.filter(annotator=anna, status="open").exists())

    # The other one's page is the older one now.
    late.get_by_role("button", name="Advance").click()
    expect(late.get_by_role("alert")).to_contain_text("Someone has made another decision")
    expect(late.get_by_text("The message was withdrawn: the person no longer sees it.")).to_be_visible()
    late.get_by_role("button", name="Advance").click()
    expect(late.get_by_role("status").first).to_contain_text("has been advanced.")
    steps = QualificationStep.objects.filter(undone=None).values_list("step", "words").order_by("pk")
    assert list(steps) == [("words", "Mark numbers too."), ("advance", "")]
    guest.close()
