"""Tables of many columns on a phone: each row is a block, each cell says which column it is of, nothing is cut off."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotator, Project, Role, User
from annotation.models.imports import Import
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.people import person_end_access
from annotation.services.qualification import rule_save
from annotation.services.time import rate_set, time_correct
from tests.annotation.qualified import REFERENCE, assign, candidate, submit_all, with_gold
from tests.annotation.work import doc
from tests.browser.waits import clean, fits, wait_until
from tests.factories import AnnotatorFactory, PairFactory, ProjectFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LogIn = Callable[[BrowserContext, User], None]
PAGES = ("people", "monitor", "plan", "plan-change", "qualification", "project", "import", "time")
# The matrix of the pairs that two people have in common stays one.
OUT_OF_SIGHT = """() => [...document.querySelectorAll("table:not(.compact)")].flatMap((table) => {
  const cut = [...table.querySelectorAll("tbody > tr > *")].filter((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return cell.checkVisibility() && (left < 0 || right > innerWidth);
  });
  const frame = table.parentElement, wide = frame.scrollWidth > frame.clientWidth;
  return [...cut.map((cell) => cell.innerText), ...(wide ? ["a table scrolls sideways"] : [])];
})"""
# What is a number or a date says of what.
WITHOUT_HEADING = """() => [...document.querySelectorAll("table.stacked td:is(.end, .date)")]
  .filter((cell) => !cell.dataset.title && cell.innerText.trim()).map((cell) => cell.innerText)"""


@pytest.fixture
def project() -> Project:
    """A project whose pages have all their columns: a pass rule, work, an hourly rate, someone who left, an import."""
    made: Project = ProjectFactory()
    lead = AnnotatorFactory(project=made, role=Role.LEAD, alias="lead").user
    pairs = [with_gold(made), with_gold(made)]
    people = [candidate(made, pairs) for _each in range(3)]
    today = timezone.localdate()
    for person, name in zip(people, ("Anna-Katharina Oberholzer", "bruno", "chiara"), strict=True):
        Annotator.objects.filter(pk=person.pk).update(alias=name)
        submit_all(person, *REFERENCE)
        work = assign(person, PairFactory(project=made), "main")
        annotation_save(assignment=work, by=None, base=0, sent=AnnotationInput(spans=doc(), active_seconds=4000))
        annotation_submit(assignment=work, by=None, base=1, verdict="flagged", reason="cut off")
        assign(person, PairFactory(project=made), "main")
        rate_set(annotator=person, amount=Decimal("12345.50"), since=date(2026, 1, 1))
    PairFactory.create_batch(4, project=made)
    reason = "Discussed the guidelines with a lead, by telephone"
    time_correct(annotator=people[0], day=today - timedelta(days=1), seconds=3600, reason=reason, by=lead)
    person_end_access(annotator=people[2])
    rule_save(project=made, rule={"least_pairs": 2, "parts": {"5": 0.5}}, base="")
    Import.objects.create(
        project=made, slug=made.slug, made_by=lead, names=["a-spreadsheet-of-the-pages-of-all-towns.xlsx"] * 3,
        status="done", report={"pairs_new": 12345, "annotations_new": 1, "gold_new": 2}, warnings={},
    )  # fmt: skip
    return made


@pytest.fixture
def phone(page: Page, log_in: LogIn, project: Project) -> Page:
    page.set_viewport_size({"width": 390, "height": 844})
    user = project.annotators.get(alias="lead").user
    assert user is not None
    log_in(page.context, user)
    return page


@pytest.mark.takes(10)
@pytest.mark.parametrize("language", ["en", pytest.param("de", marks=pytest.mark.long)])
def test_on_a_phone_no_cell_is_out_of_sight_and_no_table_scrolls_sideways(
    phone: Page, live_server: LiveServer, project: Project, language: str
) -> None:
    phone.context.add_cookies([{"name": "django_language", "value": language, "url": live_server.url}])
    for name in PAGES:
        phone.goto(live_server.url + reverse(name, args=(project.slug,)))
        expect(phone.locator("table.stacked tbody tr").first).to_be_visible()
        wait_until(phone.evaluate, OUT_OF_SIGHT, equals=[])
        wait_until(phone.evaluate, WITHOUT_HEADING, equals=[])
        fits(phone, name)
        clean(phone)


def test_on_a_phone_a_heading_that_gets_the_focus_appears_and_sorts(
    phone: Page, live_server: LiveServer, project: Project
) -> None:
    phone.goto(live_server.url + reverse("people", args=(project.slug,)))
    names = phone.locator("table.stacked tbody th")
    head = phone.locator("table.stacked thead th", has_text="Name").first.get_by_role("button")
    there = ["Anna-Katharina Oberholzer", "bruno", "chiara", "lead"]
    for expected in (there, there[::-1]):
        head.focus()
        expect(head).to_be_in_viewport(ratio=1)
        phone.keyboard.press("Enter")
        wait_until(names.all_inner_texts, equals=expected)
    fits(phone)


def test_on_a_phone_the_monitor_renews_itself_as_blocks(phone: Page, live_server: LiveServer, project: Project) -> None:
    phone.clock.install()
    phone.goto(live_server.url + reverse("monitor", args=(project.slug,)))
    person = phone.locator("table.stacked").first.locator("tbody th").last
    expect(person).to_have_text("chiara")
    project.annotators.filter(alias="chiara").update(alias="zoe")
    phone.clock.fast_forward(21_000)
    expect(person).to_have_text("zoe")
    wait_until(phone.evaluate, OUT_OF_SIGHT, equals=[])


@pytest.mark.parametrize("width", [1024, 1440])
def test_on_a_wider_window_the_headings_are_above_the_columns(
    phone: Page, live_server: LiveServer, project: Project, width: int
) -> None:
    phone.set_viewport_size({"width": width, "height": 844})
    phone.goto(live_server.url + reverse("people", args=(project.slug,)))
    table = phone.locator("table.stacked")
    expect(table.get_by_role("columnheader", name="Time on pairs")).to_be_in_viewport(ratio=1)
    cell = table.locator("td[data-title]").first
    wait_until(cell.evaluate, "cell => getComputedStyle(cell, '::before').content", equals="none")
