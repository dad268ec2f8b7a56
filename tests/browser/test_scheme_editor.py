"""The scheme editor in the browser: rows without new pages, a preview that follows, and the same without JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotation, Project, Role, User
from annotation.text.schemes import PRESETS
from tests.browser.waits import clean, fits, follow, wait_until
from tests.factories import AnnotatorFactory, PairFactory, ProjectFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LogIn = Callable[[BrowserContext, User], None]


@pytest.fixture
def project() -> Project:
    made: Project = ProjectFactory(scheme=PRESETS["xparade"].to_json())
    PairFactory(project=made)
    return made


@pytest.fixture
def address(project: Project, live_server: LiveServer) -> str:
    return f"{live_server.url}/projects/{project.slug}/scheme/"


@pytest.fixture
def lead(project: Project) -> User:
    user: User = AnnotatorFactory(project=project, role=Role.LEAD).user
    return user


def test_a_lead_adds_a_label_and_a_question_tries_them_in_the_preview_and_saves(
    page: Page, project: Project, address: str, lead: User, log_in: LogIn
) -> None:
    log_in(page.context, lead)
    page.goto(address)
    shown = page.frame_locator("iframe[name=scheme-preview]")
    expect(shown.get_by_role("option", name="library")).to_be_visible()
    page.evaluate("window.stays = true")
    page.get_by_role("button", name="Add a label").click()
    name = page.locator("#labels-2-name")
    expect(name).to_be_focused()
    page.keyboard.type("Opposite")
    page.locator("#labels-2-colour").select_option("p4")
    # The preview follows, and does not take the focus from whoever is typing.
    page.locator("#labels-2-name").focus()
    page.keyboard.press("End")
    page.keyboard.type("!")
    expect(shown.locator("body")).to_be_visible()
    page.wait_for_timeout(2500)
    expect(name).to_be_focused()
    page.get_by_role("button", name="Move label 3 up").click()
    expect(page.locator("#labels-1-name")).to_have_value("Opposite!")
    expect(page.get_by_role("button", name="Move label 2 up")).to_be_focused()
    page.get_by_role("button", name="Add a question").click()
    page.locator("#questions-0-name").fill("What differs?")
    page.locator("#questions-0-kind").select_option("several")
    page.locator("#questions-0-options-0-name").fill("Dates")
    page.locator("#questions-0-options-1-name").fill("Names")
    expect(shown.get_by_label("None of these")).to_be_visible()
    shown.get_by_label("Dates").check()
    expect(shown.get_by_label("Names")).not_to_be_checked()
    expect(shown.locator("#state")).to_have_text("Saved")
    wait_until(page.evaluate, "window.stays")  # no new page was opened
    wait_until(page.evaluate, "Object.keys(localStorage).filter((key) => key.includes('preview'))", equals=[])
    follow(page.get_by_role("button", name="Save the scheme"))
    expect(page.get_by_text("Scheme saved.")).to_be_visible()
    found = Project.objects.get(pk=project.pk).labels
    assert [label.name for label in found.labels] == ["New", "Opposite!", "Inferable"]
    assert [question.title for question in found.questions] == ["What differs? – Dates", "What differs? – Names"]
    assert not Annotation.objects.exists()


def test_a_refused_field_says_so_and_going_back_leaves_the_page(
    page: Page, address: str, lead: User, log_in: LogIn, live_server: LiveServer
) -> None:
    log_in(page.context, lead)
    page.goto(live_server.url)
    page.goto(address)
    page.locator("#labels-0-hotkey").fill("a")
    shown = page.frame_locator("iframe[name=scheme-preview]")
    expect(shown.get_by_text("No preview yet")).to_be_visible()
    page.locator("#labels-0-hotkey").fill("7")
    expect(shown.get_by_role("option", name="library")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(f"{live_server.url}/")
    page.goto(address)
    page.locator("#labels-0-hotkey").fill("a")
    follow(page.get_by_role("button", name="Save the scheme"))
    expect(page.locator("#labels-0-hotkey-error")).to_contain_text("is a shortcut of the workspace")
    expect(page.locator("#labels-0-hotkey")).to_have_value("a")


@pytest.mark.long
def test_everything_works_without_scripts(
    browser: Browser, project: Project, address: str, lead: User, log_in: LogIn
) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        log_in(context, lead)
        page = context.new_page()
        page.goto(address)
        follow(page.get_by_role("button", name="Add a label"))
        page.locator("#labels-2-name").fill("Opposite")
        follow(page.get_by_role("button", name="Move label 3 up"))
        expect(page.locator("#labels-1-name")).to_have_value("Opposite")
        follow(page.get_by_role("button", name="Add a question"))
        page.locator("#questions-0-name").fill("Why?")
        page.locator("#questions-0-kind").select_option("text")
        follow(page.get_by_role("button", name="Show its fields"))
        page.get_by_role("button", name="Update the preview").click()
        expect(page.frame_locator("iframe[name=scheme-preview]").locator("h1")).to_be_attached()
        follow(page.get_by_role("button", name="Save the scheme"))
        expect(page.get_by_text("Scheme saved.")).to_be_visible()
    finally:
        context.close()
    found = Project.objects.get(pk=project.pk).labels
    assert [label.key for label in found.labels] == ["new", "opposite", "inferable"]
    assert [(question.key, question.open) for question in found.questions] == [("why", True)]


@pytest.mark.long
@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (1024, "dark"), (390, "light")])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    page: Page, address: str, lead: User, log_in: LogIn, width: int, theme: Any
) -> None:
    log_in(page.context, lead)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    page.goto(address)
    page.get_by_role("button", name="Add a question").click()
    expect(page.locator("#questions-0-name")).to_be_focused()
    for summary in page.locator("form[data-scheme] summary").all():
        summary.click()
    page.locator("#labels-0-hotkey").fill("a")
    follow(page.get_by_role("button", name="Save the scheme"))
    expect(page.locator("#labels-0-hotkey-error")).to_be_visible()
    fits(page)
    clean(page)


@pytest.mark.long
def test_on_a_phone_no_preset_is_covered_by_the_buttons_at_the_end(
    page: Page, address: str, lead: User, log_in: LogIn
) -> None:
    log_in(page.context, lead)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address)
    page.get_by_text("Start from a preset or a file").click()
    presets, last = page.locator(".presets button"), page.locator(".scheme-actions")
    for preset in presets.all():
        # However far the page is scrolled, so also where the button is the last thing in the window.
        preset.evaluate("button => button.scrollIntoView({block: 'end'})")
        box, actions = preset.bounding_box(), last.bounding_box()
        assert box and actions and box["height"] >= 24 and box["y"] + box["height"] <= actions["y"]
    clean(page)


def test_saving_right_after_an_edit_saves(
    page: Page, project: Project, address: str, lead: User, log_in: LogIn
) -> None:
    """The preview sends the same form into its frame shortly before."""
    log_in(page.context, lead)
    page.goto(address)
    with page.expect_request(lambda request: request.method == "POST"):
        page.locator("#labels-0-name").fill("Opposite")
    page.get_by_role("button", name="Save the scheme").click()
    expect(page.locator(".messages")).to_be_visible()
    project.refresh_from_db()
    assert project.labels.labels[0].name == "Opposite"
