"""The previous pair, and the last submission taken back: by key, mouse and finger, as far as the project allows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Annotation, Annotator, Assignment, Project, Status
from annotation.services.annotations import annotation_submit
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import PRESETS
from tests.browser.user_actions import drag, marked, quoted, saved
from tests.browser.waits import clean, fits, follow, wait_until
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]


@pytest.fixture
def annotator() -> Annotator:
    made: Annotator = AnnotatorFactory()
    return made


@pytest.fixture
def pairs(annotator: Annotator) -> list[Assignment]:
    return [AssignmentFactory(pair=PairFactory(project=annotator.project), annotator=annotator) for _ in range(3)]


def at(page: Page, assignment: Assignment) -> None:
    page.wait_for_url(f"**/work/{assignment.pk}/")
    page.wait_for_selector("html[data-ready]")


def submit(page: Page) -> None:
    page.keyboard.press("Control+Enter")
    page.locator("#unread-submit").click()


def status(assignment: Assignment) -> str:
    assignment.refresh_from_db()
    return assignment.status


def test_one_key_takes_the_last_submission_back(page: Page, open_work: OpenWork, pairs: list[Assignment]) -> None:
    first, second, _third = pairs
    open_work(page, first)
    drag(page, "a", 1, 2)
    page.keyboard.press("3")
    submit(page)
    at(page, second)
    expect(page.locator("#last-submission")).to_contain_text("Pair 1 submitted")
    clean(page)
    page.keyboard.press("Control+Shift+Enter")
    at(page, first)
    expect(page.locator("#last-submission")).to_contain_text("Pair 1 is open again")
    assert status(first) == Status.STARTED
    assert marked(page, "a") and page.locator("#done").is_hidden()
    page.keyboard.press(".")
    page.keyboard.press("5")
    saved(page)
    wait_until(lambda: [label for label, _words in quoted(first)], equals=["5"])
    submit(page)
    at(page, second)
    assert status(first) == Status.DONE


def test_the_offer_is_a_button_that_goes_with_the_first_mark(
    page: Page, open_work: OpenWork, pairs: list[Assignment]
) -> None:
    first, second, _third = pairs
    open_work(page, first)
    submit(page)
    at(page, second)
    with page.expect_navigation():
        page.get_by_role("button", name="Undo submission").click()
    at(page, first)
    submit(page)
    at(page, second)
    expect(page.locator("#last-submission")).to_be_visible()
    drag(page, "a", 1, 1)
    page.keyboard.press("2")
    expect(page.locator("#last-submission")).to_be_hidden()
    page.keyboard.press("Shift+e")
    at(page, first)
    expect(page.locator("#done")).to_be_visible()
    page.keyboard.press("Control+Shift+Enter")
    wait_until(status, first, equals=Status.STARTED)
    # What was marked on the second pair meanwhile is there.
    wait_until(lambda: len(quoted(second)), equals=1)


def test_by_touch_on_a_phone(browser: Browser, open_work: OpenWork, pairs: list[Assignment]) -> None:
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).new_page()
    first, second, _third = pairs
    open_work(phone, first)
    phone.get_by_role("button", name="Submit").tap()
    phone.locator("#unread-submit").tap()
    at(phone, second)
    expect(phone.locator("#last-submission")).to_be_visible()
    fits(phone)
    clean(phone)
    phone.get_by_role("button", name="Undo submission").tap()
    at(phone, first)
    assert status(first) == Status.STARTED
    phone.locator("#last-submission-close").tap()
    expect(phone.locator("#last-submission")).to_be_hidden()


def test_the_previous_pair_is_one_key_or_click_away(page: Page, open_work: OpenWork, pairs: list[Assignment]) -> None:
    first, second, third = pairs
    open_work(page, third)
    page.keyboard.press("Shift+e")
    at(page, second)
    follow(page.get_by_role("link", name="Previous pair"))
    at(page, first)
    expect(page.get_by_role("link", name="Previous pair")).to_have_count(0)
    page.keyboard.press("Shift+e")
    page.keyboard.press("?")
    expect(page.locator("#help-list")).not_to_contain_text("Previous pair")
    assert page.url.endswith(f"/work/{first.pk}/")


def test_what_counts_once_is_not_taken_back(page: Page, open_work: OpenWork, annotator: Annotator) -> None:
    """In the qualification, the page stays open with the reference, and the key says why the pair stays submitted."""
    project: Project = annotator.project
    first, second = (
        AssignmentFactory(pair=PairFactory(project=project), annotator=annotator, phase="qualification") for _ in "ab"
    )
    gold = {"v": 1, "spans": []}
    Annotation.objects.create(source="gold", pair=first.pair, gold_version=0, spans=gold, verdict="submitted")
    open_work(page, first)
    submit(page)
    expect(page.locator("#done")).to_be_visible()
    page.keyboard.press("Control+Shift+Enter")
    expect(page.locator("#live")).to_contain_text("your first submission counts")
    page.keyboard.press("e")
    at(page, second)
    expect(page.locator("#last-submission")).to_be_hidden()
    page.keyboard.press("Control+Shift+Enter")
    expect(page.locator("#live")).to_contain_text("No pair was submitted in this tab")
    assert status(first) == Status.DONE


@pytest.mark.parametrize("size", [(390, 844), (1280, 700)])
def test_the_offer_covers_no_answer(page: Page, open_work: OpenWork, size: tuple[int, int]) -> None:
    questions = [{"key": f"q{n}", "text": f"Question {n}?", "type": "yes-no"} for n in range(4)]
    scheme = parse_scheme({**PRESETS["graded"].to_json(), "questions": questions})
    annotator = AnnotatorFactory(project=ProjectFactory(scheme=scheme.to_json()))
    first, second = (
        AssignmentFactory(pair=PairFactory(project=annotator.project), annotator=annotator) for _ in range(2)
    )
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_work(page, first)
    page.keyboard.press("f")
    page.locator("#verdict-reason").fill("The text ends in the middle.")
    page.keyboard.press("Control+Enter")
    at(page, second)
    assert status(first) == Status.DONE
    expect(page.locator("#last-submission")).to_contain_text("Pair 1 flagged")
    last = page.locator("#questions .choice").last
    last.scroll_into_view_if_needed()
    answer, offer = last.bounding_box(), page.locator("#last-submission").bounding_box()
    assert answer and offer and answer["y"] + answer["height"] <= offer["y"]
    fits(page)
    page.screenshot(path=f"/tmp/offer{size[0]}.png")
    last.click()
    expect(last.locator("input")).to_be_checked()
    expect(page.locator("#last-submission")).to_be_hidden()


def test_an_archived_project_says_so(page: Page, open_work: OpenWork, pairs: list[Assignment]) -> None:
    first, second, _third = pairs
    open_work(page, first)
    submit(page)
    at(page, second)
    project = first.pair.project
    project.settings = {**project.settings, "closed_phases": ["main"]}
    project.save()
    page.keyboard.press("Control+Shift+Enter")
    expect(page.locator("#last-submission")).to_contain_text("The submission of pair 1 can't be undone.")
    assert status(first) == Status.DONE


def test_another_person_in_the_same_tab_is_offered_nothing(
    page: Page, open_work: OpenWork, pairs: list[Assignment]
) -> None:
    first, second, _third = pairs
    open_work(page, first)
    submit(page)
    at(page, second)
    other = AssignmentFactory(pair=PairFactory(project=first.pair.project))
    annotation_submit(assignment=other, by=other.annotator.user, base=0, verdict="submitted")
    open_work(page, other)
    expect(page.locator("#last-submission")).to_be_hidden()
