"""An annotator asks about words, a lead finds the question and answers it, and the annotator reads and resolves it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotation, Assignment, Role, User
from annotation.models.messages import Thread
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.threads import thread_answer, thread_open
from tests.annotation.work import LIBRARY, doc, span
from tests.browser.user_actions import drag, word
from tests.browser.waits import clean, fits, follow, wait_until
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Enter = Callable[[BrowserContext, User], None]


@pytest.fixture
def assignment() -> Assignment:
    project = ProjectFactory(name="Town pages", slug="town")
    AnnotatorFactory(project=project, role=Role.LEAD, alias="lead", user__username="lena")
    made: Assignment = AssignmentFactory(
        pair=PairFactory(project=project, external_id="hours"), annotator=AnnotatorFactory(project=project, alias="Ada")
    )
    return made


def lead_of(assignment: Assignment) -> User:
    user = assignment.pair.project.annotators.get(role=Role.LEAD).user
    assert user is not None
    return user


@pytest.mark.takes(12)
def test_a_question_about_words_is_answered_read_and_resolved(
    page: Page,
    browser: Browser,
    live_server: LiveServer,
    log_in: Enter,
    open_work: Callable[..., None],
    assignment: Assignment,
) -> None:
    open_work(page, assignment)
    drag(page, "a", 1, 2)
    page.keyboard.press("Shift+M")
    panel = page.get_by_role("complementary", name="Messages")
    expect(page.locator("#message-about")).to_contain_text(word(page, "a", 1).inner_text())
    expect(panel.get_by_role("textbox")).to_be_focused()
    clean(page)
    page.keyboard.type("One difference or two?")
    page.keyboard.press("Control+Enter")
    expect(panel.locator(".message-text")).to_have_text("One difference or two?")
    expect(panel.get_by_text("waiting for a lead")).to_be_visible()
    assert page.url.endswith(f"/work/{assignment.pk}/"), "the keys that submit a pair have sent a message"
    assert not Annotation.objects.filter(verdict="submitted").exists()

    office = browser.new_context().new_page()
    log_in(office.context, lead_of(assignment))
    office.goto(live_server.url + reverse("monitor", args=("town",)))
    expect(office.get_by_role("link", name="1 conversation is waiting for a reply.")).to_be_visible()
    follow(office.get_by_role("row", name="hours").get_by_role("link", name="Reply"))
    clean(office)
    follow(office.get_by_role("link", name="Show in the texts"))
    office.wait_for_selector("html[data-ready]")
    shown = office.get_by_role("complementary", name="Messages")
    expect(shown.get_by_text("One difference or two?")).to_be_visible()
    expect(office.locator(".col.a .token.counterpart")).to_have_count(2)
    office.go_back()
    office.get_by_label("Your reply").fill("One: both words say it.")
    follow(office.get_by_role("button", name="Send"))
    expect(office.get_by_text("waiting for the annotator")).to_be_visible()

    assert assignment.annotator.user is not None
    log_in(page.context, assignment.annotator.user)  # whose session ended with the lead's
    page.goto(live_server.url + reverse("home"))
    expect(page.get_by_text("1 conversation with a message you have not read:")).to_be_visible()
    follow(page.get_by_role("link", name="My pairs"))
    expect(page.get_by_role("link", name="new message")).to_be_visible()
    clean(page)
    page.get_by_role("link", name="new message").click()
    page.wait_for_selector("html[data-ready]")
    expect(panel.get_by_text("One: both words say it.")).to_be_visible()
    expect(panel.get_by_text("lena")).to_have_count(0)
    wait_until(lambda: Thread.objects.get().unread_since, equals=None)
    panel.get_by_role("button", name="Resolve").click()
    expect(panel.get_by_role("button", name="Reopen")).to_be_visible()
    wait_until(lambda: Thread.objects.get().resolved is not None)
    page.goto(live_server.url + reverse("home"))
    expect(page.get_by_role("link", name="My pairs")).to_be_visible()
    expect(page.get_by_text("you have not read")).to_have_count(0)


def test_a_submitted_pair_is_asked_about_on_a_phone(
    browser: Browser, live_server: LiveServer, open_work: Callable[..., None], assignment: Assignment
) -> None:
    annotation_save(assignment=assignment, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY))))
    annotation_submit(assignment=assignment, by=None, base=1, verdict="submitted")
    thread = thread_open(assignment=assignment, by=lead_of(assignment), text="Is this right?", words=[LIBRARY])
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone = context.new_page()
    open_work(phone, assignment)
    expect(phone.locator("#messages-new")).to_have_text("1")
    fits(phone)
    phone.get_by_role("button", name="Messages").tap()
    panel = phone.get_by_role("complementary", name="Messages")
    expect(panel.get_by_text("Is this right?")).to_be_visible()
    expect(phone.locator("#messages-new")).to_be_hidden()
    fits(phone)
    clean(phone)
    panel.get_by_role("button", name="Reply").tap()
    panel.get_by_role("textbox").fill("I think so.")
    panel.get_by_role("button", name="Send").tap()
    expect(panel.get_by_text("I think so.")).to_be_visible()
    assert thread.messages.count() == 2
    panel.get_by_role("button", name="library").tap()
    expect(panel).to_be_hidden()


def test_leads_pages_of_messages_fit_a_phone(
    browser: Browser, live_server: LiveServer, log_in: Enter, assignment: Assignment
) -> None:
    asking = assignment.annotator.user
    for text in ("x" * 300, "two"):
        thread = thread_open(assignment=assignment, by=asking, text=text, words=[LIBRARY])
    thread_answer(thread=thread, by=lead_of(assignment), text="yes")
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    log_in(context, lead_of(assignment))
    for address in (
        reverse("threads", args=("town",)),
        reverse("thread", args=("town", thread.pk)),
        reverse("pair", args=("town", assignment.pair_id)),
        reverse("monitor", args=("town",)),
    ):
        page.goto(live_server.url + address)
        expect(page.get_by_role("heading").first).to_be_visible()
        fits(page)
        clean(page)
    page.goto(live_server.url + reverse("threads", args=("town",)))
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("link", name="Reply")).to_be_in_viewport(ratio=1)
    table = page.locator(".table:has(.thread-rows)")
    assert table.evaluate("element => element.scrollWidth <= element.clientWidth"), "the list scrolls sideways"
    clean(page)
