"""Re-tests: planned by the lead, done by the annotator, compared on the agreement page."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotation, Assignment, Role, User
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from tests.annotation.work import BIBLIOTHEK, LIBRARY, doc, span
from tests.browser.user_actions import marked, saved, word
from tests.browser.waits import follow, wait_until
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]
LogIn = Callable[[BrowserContext, User], None]


def test_a_re_test_is_planned_done_from_scratch_and_compared(
    page: Page, live_server: LiveServer, log_in: LogIn, open_work: OpenWork
) -> None:
    project = ProjectFactory(name="Town pages")
    lead = AnnotatorFactory(project=project, role=Role.LEAD, alias="lead")
    anna = AnnotatorFactory(project=project, alias="anna")
    for _ in range(2):
        done = AssignmentFactory(pair=PairFactory(project=project), annotator=anna)
        annotation_save(assignment=done, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY, BIBLIOTHEK))))
        annotation_submit(assignment=done, by=None, base=1, verdict="submitted", reason="")
    Annotation.objects.update(changed=timezone.now() - timedelta(days=30))

    log_in(page.context, lead.user)
    page.goto(live_server.url + reverse("plan", args=(project.slug,)))
    follow(page.get_by_role("link", name="Plan re-tests"))
    page.get_by_label("Pairs", exact=True).fill("1")
    expect(page.locator("#preview")).to_contain_text("1 pair will be assigned again")
    follow(page.get_by_role("button", name="Assign"))
    expect(page.get_by_role("status").first).to_contain_text("1 pair was assigned again.")
    (again,) = Assignment.objects.filter(annotator=anna, round=1)

    page.context.clear_cookies()
    open_work(page, again)
    wait_until(marked, page, "a", equals=[])  # nothing of the first time is there
    word(page, "a", 1).dblclick()
    page.keyboard.press("2")
    saved(page)
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Submit anyway").click()
    page.wait_for_url(lambda url: "/work/" not in url)
    assert Annotation.objects.get(assignment=again).verdict == "submitted"

    page.context.clear_cookies()
    log_in(page.context, lead.user)
    page.goto(live_server.url + reverse("agreement", args=(project.slug,)))
    row = page.get_by_role("row", name=re.compile("^anna 1 "))
    expect(row).to_be_visible()
    follow(row.get_by_role("link", name="1", exact=True).first)
    expect(page.locator(".answer")).to_contain_text("1 document")
    follow(page.locator("table[data-table] tbody a").first)
    expect(page.locator(".legend")).to_contain_text("again (1)")
