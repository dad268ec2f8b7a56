"""Words that a message is about: chosen by mouse, keyboard and touch, also where nothing can be marked; and drafts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from annotation.models import Assignment, Role, User
from annotation.models.messages import Message, Thread
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.threads import thread_answer, thread_open
from annotation.text.schemes import PRESETS
from tests.annotation.work import BIBLIOTHEK, LIBRARY, doc, span
from tests.browser.user_actions import drag, middle, selected, word
from tests.browser.waits import clean, drawn, fits, wait_until
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Open = Callable[[Page, Assignment], None]


def made(scheme: str = "graded") -> Assignment:
    project = ProjectFactory(name="Town pages", slug="town", scheme=PRESETS[scheme].to_json())
    AnnotatorFactory(project=project, role=Role.LEAD, alias="lead", user__username="lena")
    assignment: Assignment = AssignmentFactory(
        pair=PairFactory(project=project, external_id="hours"), annotator=AnnotatorFactory(project=project, alias="Ada")
    )
    return assignment


def submitted() -> Assignment:
    assignment = made()
    annotation_save(assignment=assignment, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY, BIBLIOTHEK))))
    annotation_submit(assignment=assignment, by=None, base=1, verdict="submitted")
    return assignment


def lead_of(assignment: Assignment) -> User:
    user = assignment.pair.project.annotators.get(role=Role.LEAD).user
    assert user is not None
    return user


def quotes(page: Page) -> list[str]:
    """The words that the message that is written is about."""
    return page.locator("#message-about q").all_text_contents()


def asked() -> list[list[str]]:
    """The words of each conversation on the server, with the sides that they are on."""
    return [[f"{each['side']}: {each['text']}" for each in thread.quote] for thread in Thread.objects.order_by("pk")]


def test_words_of_a_submitted_pair_stay_chosen_when_the_field_is_clicked(page: Page, open_work: Open) -> None:
    open_work(page, submitted())
    page.get_by_role("button", name="Messages").click()
    drag(page, "a", 1, 2)
    wait_until(quotes, page, equals=["library is"])
    field = page.locator("#message-text")
    field.click()
    expect(field).to_be_focused()
    drawn(page)
    assert quotes(page) == ["library is"]
    page.keyboard.type("Two?")
    page.get_by_role("button", name="Send").click()
    wait_until(asked, equals=[["a: library is"]])


def test_words_selected_before_the_button_is_pressed_are_taken(page: Page, open_work: Open) -> None:
    open_work(page, submitted())
    drag(page, "b", 1, 2)
    page.get_by_role("button", name="Messages").click()
    wait_until(quotes, page, equals=["Bibliothek ist"])


def test_words_of_a_submitted_pair_are_chosen_by_keyboard(page: Page, open_work: Open) -> None:
    open_work(page, submitted())
    word(page, "a", 2).click()
    for key in ("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft", "Shift+M"):
        page.keyboard.press(key)
    expect(page.locator("#message-text")).to_be_focused()
    wait_until(quotes, page, equals=["is open"])
    page.keyboard.type("One?")
    page.keyboard.press("Control+Enter")
    wait_until(asked, equals=[["a: is open"]])


def test_words_of_a_text_that_is_only_read_are_asked_about(page: Page, open_work: Open) -> None:
    open_work(page, made("xparade"))
    page.get_by_role("button", name="Messages").click()
    drag(page, "a", 1, 2)
    wait_until(quotes, page, equals=["library is"])
    assert selected(page) == [], "nothing of this text can be marked"
    drag(page, "b", 0, 1)
    wait_until(quotes, page, equals=["library is", "Die Bibliothek"])
    page.locator("#message-text").click()
    drawn(page)
    assert quotes(page) == ["library is", "Die Bibliothek"]
    word(page, "a", 3).click()
    for key in ("Shift+ArrowRight", "Shift+ArrowRight"):
        page.keyboard.press(key)
    wait_until(quotes, page, equals=["open on Sundays", "Die Bibliothek"])


def test_a_drag_after_the_first_words_are_typed_takes_all_its_words(page: Page, open_work: Open) -> None:
    open_work(page, made())
    page.keyboard.press("Shift+M")
    page.keyboard.type("Is this")
    drag(page, "a", 1, 3)
    wait_until(quotes, page, equals=["library is open"])
    page.locator("#message-text").click()
    page.keyboard.type(" one?")
    drag(page, "a", 5, 5)
    drawn(page)
    assert quotes(page) == ["library is open"], "what is typed is about these words"
    page.get_by_role("button", name="About the pair instead").click()
    wait_until(quotes, page, equals=[])


def test_a_draft_survives_a_reload_with_its_words_or_its_conversation(page: Page, open_work: Open) -> None:
    assignment = made()
    thread = thread_open(assignment=assignment, by=lead_of(assignment), text="Is this right?")
    open_work(page, assignment)
    drag(page, "a", 1, 2)
    page.keyboard.press("Shift+M")
    page.keyboard.type("One or")
    open_work(page, assignment)
    page.keyboard.press("Shift+M")
    wait_until(quotes, page, equals=["library is"])
    field = page.locator("#message-text")
    expect(field).to_have_value("One or")
    page.locator("#threads").get_by_role("button", name="Reply").click()
    field.fill("I think")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Close", exact=True).and_(page.locator("#messages-close")).click()
    open_work(page, assignment)
    page.keyboard.press("Shift+M")
    expect(page.locator("#message-about")).to_contain_text("Reply:")
    expect(field).to_have_value("I think")
    page.keyboard.type(" so")
    page.keyboard.press("Control+Enter")
    wait_until(lambda: Message.objects.filter(thread=thread, text="I think so").exists())
    assert Thread.objects.count() == 1


def test_what_is_typed_while_a_message_is_sent_stays(page: Page, open_work: Open) -> None:
    open_work(page, made())
    held: list[Route] = []
    page.route("**/messages/", lambda route: held.append(route))
    page.keyboard.press("Shift+M")
    expect(page.locator("#message-text")).to_be_focused()
    page.keyboard.type("One?")
    page.keyboard.press("Control+Enter")
    # Routes are only handled while Playwright is asked something.
    wait_until(lambda: page.evaluate("1") * len(held), equals=1)
    page.keyboard.type(" And this?")
    held[0].continue_()
    expect(page.locator(".message-text")).to_have_text("One?")
    expect(page.locator("#message-text")).to_have_value("And this?")


def test_messages_stand_beside_wide_texts(page: Page, open_work: Open) -> None:
    assignment = made()
    thread_open(assignment=assignment, by=lead_of(assignment), text="Here?", words=[BIBLIOTHEK])
    page.set_viewport_size({"width": 1440, "height": 900})
    open_work(page, assignment)
    page.keyboard.press("Shift+M")
    page.locator("#threads").get_by_role("button", name="Bibliothek").click()
    panel = page.locator("#messages").bounding_box()
    right = page.locator(".col.b .cell").first.bounding_box()
    assert panel is not None and right is not None
    assert right["x"] + right["width"] <= panel["x"], "no word is covered"
    expect(page.locator("#span-list")).to_be_hidden()
    clean(page)
    page.locator("#messages-close").click()
    expect(page.locator("#span-list")).to_be_visible()


def test_only_messages_that_were_in_view_are_read(page: Page, open_work: Open) -> None:
    assignment = made()
    lead = lead_of(assignment)
    threads = [thread_open(assignment=assignment, by=lead, text="Look.\n" * 30 + str(n)) for n in range(4)]
    open_work(page, assignment)
    page.keyboard.press("Shift+M")

    def unread() -> list[int]:
        rows = Thread.objects.filter(unread_since__isnull=False).values_list("pk", flat=True)
        return [threads.index(thread) for thread in threads if thread.pk in rows]

    wait_until(unread, equals=[1, 2, 3])
    expect(page.locator("#messages-new")).to_have_text("3")
    page.locator("#threads article").nth(3).scroll_into_view_if_needed()
    wait_until(unread, equals=[1, 2])


def test_a_conversation_that_a_lead_resolved_is_read_too(page: Page, open_work: Open) -> None:
    assignment = made()
    thread = thread_open(assignment=assignment, by=assignment.annotator.user, text="One?")
    thread_answer(thread=thread, by=lead_of(assignment), text="Two.")
    Thread.objects.update(resolved="2026-01-01T00:00Z", resolved_by=lead_of(assignment))
    open_work(page, assignment)
    expect(page.locator("#messages-new")).to_have_text("1")
    page.keyboard.press("Shift+M")
    expect(page.locator("#messages-new")).to_be_hidden()
    wait_until(lambda: Thread.objects.get().unread_since, equals=None)


def test_on_a_phone_words_are_chosen_before_and_no_key_is_named(browser: Browser, open_work: Open) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone = context.new_page()
    open_work(phone, submitted())
    # As a long press does, whose menu Chromium does not show here.
    phone.evaluate("getSelection().selectAllChildren(document.querySelectorAll('.col.a .token')[3])")
    phone.get_by_role("button", name="Messages").tap()
    wait_until(quotes, phone, equals=["open"])
    phone.locator("#message-text").tap()
    drawn(phone)
    assert quotes(phone) == ["open"]
    expect(phone.locator("#messages kbd")).to_be_hidden()
    fits(phone)
    clean(phone)
    phone.get_by_role("button", name="About the pair instead").tap()
    wait_until(quotes, phone, equals=[])


def test_words_chosen_by_touch_are_asked_about(browser: Browser, open_work: Open) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone = context.new_page()
    open_work(phone, made())
    phone.touchscreen.tap(*middle(phone, "b", 1))
    phone.get_by_role("button", name="Messages").tap()
    wait_until(quotes, phone, equals=["Bibliothek"])
