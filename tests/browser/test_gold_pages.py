"""A lead's way to the gold in a real browser: a dry run, answers decided manually, comparison with a version."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from agreement.gold.services.versions import gold_create
from annotation.models import Annotation, Project, Role, User
from tests.agreement.work import pair, project, submit
from tests.browser.user_actions import saved
from tests.browser.waits import follow
from tests.factories import AnnotatorFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LogIn = Callable[[BrowserContext, User], None]


def lead(of: Project) -> User:
    user: User = AnnotatorFactory(project=of, role=Role.LEAD).user
    return user


def test_a_dry_run_shows_its_answer_and_then_the_other_rules(
    page: Page, live_server: LiveServer, log_in: LogIn
) -> None:
    made, people = project()
    on = pair(made)
    for person, label in zip(people, "42", strict=True):
        submit(on, person, [(label, [0, 1], [0])])
    log_in(page.context, lead(made))
    page.goto(f"{live_server.url}/projects/{made.slug}/adjudication/")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#outcome")).to_contain_text("No changes were made.")
    expect(page.locator("#others")).to_contain_text("Unanimous")


def test_a_tie_between_answers_is_decided_manually_and_compared(
    page: Page, live_server: LiveServer, log_in: LogIn
) -> None:
    made, people = project("likert")
    for answers in ("33", "04"):
        on = pair(made)
        for person, answer in zip(people, answers, strict=True):
            submit(on, person, answers={"agree": answer})
    gold_create(project=made, rule="majority", phase="main")
    log_in(page.context, lead(made))
    page.goto(f"{live_server.url}/projects/{made.slug}/adjudication/")
    follow(page.get_by_role("button", name="Decide unsure cases manually"))
    follow(page.get_by_role("link", name="Continue"))
    page.wait_for_url(f"**/manual/{on.pk}/")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator(".dock.answers")).to_contain_text("strongly disagree")
    expect(page.locator("#dock")).to_be_hidden()
    page.keyboard.press("1")
    saved(page)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/manual/")
    assert Annotation.objects.get(decided__isnull=False).answers == {"agree": "1"}
    follow(page.get_by_role("link", name="Compare with the latest version"))
    expect(page.locator("main")).to_contain_text("1 pair changed (differences in spans and answers: 1)")
    expect(page.locator("select[name=other]")).to_have_value("2")
