"""Hours, rates, cost and forecast: what is counted, what is shown, and to whom."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from html import unescape
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.errors import Invalid
from annotation.models import Annotation, Annotator, Role
from annotation.models.time import HourlyRate, TimeCorrection, WorkDay
from annotation.selectors.time import months_worked, project_cost
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_reopen, annotation_save, annotation_submit
from annotation.services.archiving import project_archive
from annotation.services.time import rate_set, time_correct, worktime_add
from annotation.services.tokens import token_create
from tests.annotation.work import House, doc, house
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, UserFactory

pytestmark = pytest.mark.django_db


def rows_of(response: Any) -> list[dict[str, str]]:
    assert response.status_code == 200 and response["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


def done(at: House, person: Annotator, seconds: int) -> None:
    work = AssignmentFactory(pair=PairFactory(project=at.project), annotator=person)
    annotation_save(assignment=work, by=None, base=0, sent=AnnotationInput(spans=doc(), active_seconds=seconds))
    annotation_submit(assignment=work, by=None, base=1, verdict="submitted")


def test_time_is_counted_on_the_day_on_which_it_is_saved_and_never_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    at = house()
    days = iter([date(2026, 11, 30), date(2026, 11, 30), date(2026, 12, 1), date(2026, 12, 1), date(2026, 12, 1)])
    monkeypatch.setattr(timezone, "localdate", lambda: next(days))
    # The third save repeats the second, the fourth is from an outdated tab with less time.
    for base, seconds in ((0, 40), (1, 100), (1, 100), (1, 70), (1, 160)):
        annotation_save(
            assignment=at.assignment, by=None, base=base, sent=AnnotationInput(spans=doc(), active_seconds=seconds)
        )
    found = {row.day: row.seconds for row in WorkDay.objects.all()}
    assert found == {date(2026, 11, 30): 100, date(2026, 12, 1): 60}
    assert sum(found.values()) == Annotation.objects.get().active_seconds


def test_a_refused_save_counts_nothing() -> None:
    at = house()
    with pytest.raises(Invalid):
        work = AnnotationInput(spans=doc(), active_seconds=50, comment="x" * 100_000)
        annotation_save(assignment=at.assignment, by=None, base=0, sent=work)
    assert not WorkDay.objects.exists()


def test_time_is_counted_in_one_more_statement() -> None:
    at = house()
    worktime_add(annotator=at.assignment.annotator_id, phase="main", seconds=5)
    with CaptureQueriesContext(connection) as captured:
        worktime_add(annotator=at.assignment.annotator_id, phase="main", seconds=5)
    assert len(captured) == 1 and WorkDay.objects.get().seconds == 10


def test_the_timesheet_has_a_row_for_each_month_and_rate_and_no_formula() -> None:
    at = house(slug="library")
    person = at.assignment.annotator
    Annotator.objects.filter(pk=person.pk).update(alias='=HYPERLINK("x")')
    for day, seconds in ((date(2026, 10, 31), 5400), (date(2026, 11, 2), 1800), (date(2026, 11, 20), 3600)):
        WorkDay.objects.create(annotator=person, day=day, phase="main", seconds=seconds)
    rate_set(annotator=person, amount=Decimal("20"), since=date(2026, 11, 1))
    rate_set(annotator=person, amount=Decimal("25.50"), since=date(2026, 11, 15))
    address = reverse("timesheet", args=("library",))
    found = rows_of(at.lead.get(address))
    assert [(row["month"], row["hours"], row["hourly_rate"], row["cost"], row["currency"]) for row in found] == [
        ("2026-11", "0.50", "20.00", "10.00", "EUR"),
        ("2026-11", "1.00", "25.50", "25.50", "EUR"),
        ("2026-10", "1.50", "", "", ""),
    ]
    assert {row["person"] for row in found} == {'\'=HYPERLINK("x")'}
    assert len(rows_of(at.lead.get(address, {"month": "2026-10"}))) == 1
    by_day = rows_of(at.lead.get(address, {"by": "day", "month": "2026-11"}))
    assert [(row["date"], row["phase"], row["seconds"]) for row in by_day] == [
        ("2026-11-02", "main", "1800"),
        ("2026-11-20", "main", "3600"),
    ]
    response = at.lead.get(address, {"by": "day", "month": "2026-11"})
    assert response["Content-Disposition"] == 'attachment; filename="library-timesheet-day-2026-11.csv"'
    for wrong in (
        {"by": "year"},
        {"month": "2026-13"},
        {"by": "day", "month": "9999-12"},
        {"month": "November"},
        {"person": "x"},
    ):
        assert at.lead.get(address, wrong).status_code == 422
    assert "Write one like 2026-11." in at.lead.get(address, {"month": "November"}).content.decode()
    assert at.lead.get(address, {"person": "999999"}).status_code == 404


@pytest.mark.parametrize("sent", [{"since": "31 May"}, {"correction-day": "31 May", "correct": "1"}])
def test_a_wrong_date_is_refused_with_the_expected_form(sent: dict[str, str]) -> None:
    at = house()
    page = at.lead.post(reverse("time", args=(at.project.slug,)), sent).content.decode()
    assert "This is not a date. Write one like 2026-05-31." in page


def test_the_cost_of_a_month_follows_from_its_seconds_which_its_rounded_hours_would_not_give() -> None:
    at = house()
    person = at.assignment.annotator
    WorkDay.objects.create(annotator=person, day=date(2026, 11, 2), phase="main", seconds=1000)
    rate_set(annotator=person, amount=Decimal("30"), since=date(2026, 11, 1))
    (row,) = rows_of(at.lead.get(reverse("timesheet", args=(at.project.slug,))))
    rate, cost = Decimal(row["hourly_rate"]), Decimal(row["cost"])
    assert (row["seconds"], row["hours"], cost) == ("1000", "0.28", Decimal("8.33"))
    assert round(int(row["seconds"]) * rate / 3600, 2) == cost != Decimal(row["hours"]) * rate


def test_everyone_sees_their_own_hours_and_rate_and_only_leads_those_of_others() -> None:
    at = house()
    person = at.assignment.annotator
    other = Annotator.objects.filter(project=at.project, role=Role.ANNOTATOR).exclude(pk=person.pk).get()
    for who, seconds, amount in ((person, 3600, "21.00"), (other, 7200, "47.00")):
        WorkDay.objects.create(annotator=who, day=timezone.localdate(), phase="main", seconds=seconds)
        rate_set(annotator=who, amount=Decimal(amount), since=date(2020, 1, 1))
    page, sheet = reverse("time", args=(at.project.slug,)), reverse("timesheet", args=(at.project.slug,))
    for client, own, seen, hidden in (
        (at.annotator, person, "21.00", "47.00"),
        (at.other, other, "47.00", "21.00"),
    ):
        text = client.get(page).content.decode()
        assert seen in text and hidden not in text and "Hourly rates" not in text
        assert {row["person"] for row in rows_of(client.get(sheet))} == {own.alias}
        assert client.get(sheet, {"person": own.pk}).status_code == 200
        theirs = other if own == person else person
        assert client.get(sheet, {"person": theirs.pk}).status_code == 403
        assert client.post(page, {"person": own.pk, "amount": "99", "since": "2026-01-01"}).status_code == 403
    text = at.lead.get(page).content.decode()
    assert "21.00" in text and "47.00" in text and "115.00" in text
    assert not rows_of(at.adjudicator.get(sheet)) and "21.00" not in at.adjudicator.get(page).content.decode()


def test_a_rate_is_set_replaced_and_removed() -> None:
    at = house()
    person, page = at.assignment.annotator, reverse("time", args=(at.project.slug,))
    body = {"person": person.pk, "amount": "22.50", "since": "2026-11-01"}
    assert at.lead.post(page, body).status_code == 302
    at.lead.post(page, {**body, "amount": "23"})
    assert HourlyRate.objects.get().amount == Decimal("23.00")
    for wrong in ({"amount": "-1"}, {"amount": "1.234"}, {"amount": "1e9"}, {"since": "x"}, {"person": "0"}):
        assert at.lead.post(page, {**body, **wrong}).status_code == 422
    at.lead.post(page, {**body, "amount": ""})
    assert not HourlyRate.objects.exists()
    for amount in ("NaN", "Infinity", "1E+9", "0.001"):
        with pytest.raises(Invalid):
            rate_set(annotator=person, amount=Decimal(amount), since=date(2026, 1, 1))


def test_cost_so_far_and_forecast() -> None:
    at = house()
    first = at.assignment.annotator
    second = AnnotatorFactory(project=at.project)
    done(at, first, 600)
    done(at, first, 1200)
    for person, left in ((first, 2), (second, 4)):  # the house has given the first person one already
        for _ in range(left):
            AssignmentFactory(pair=PairFactory(project=at.project), annotator=person)
    rate_set(annotator=first, amount=Decimal("24"), since=date(2020, 1, 1))
    found = project_cost(at.project)
    one, two = found.people
    assert (one.cost.seconds, one.cost.amount) == (1800, Decimal("12"))
    assert (one.forecast.remaining, one.forecast.pace, one.forecast.seconds) == (3, 2.0, 2700.0)
    assert one.forecast.amount == Decimal("18") and one.forecast.day == timezone.localdate() + timedelta(days=2)
    assert (two.forecast.remaining, two.forecast.pace, two.forecast.day, two.forecast.amount) == (4, 0.0, None, None)
    assert two.forecast.seconds == 3600.0, "at everyone's mean time"
    assert (found.forecast.remaining, found.forecast.seconds, found.forecast.day) == (7, 6300.0, None)
    assert found.forecast.amount == Decimal("18") and found.forecast.unpriced
    page = unescape(at.lead.get(reverse("time", args=(at.project.slug,))).content.decode())
    assert "7 pairs remain, about 1 h 45 min of work." in page and "12.00 EUR" in page
    done(at, second, 900)
    assert project_cost(at.project).forecast.day == timezone.localdate() + timedelta(days=4)


def test_a_project_without_work_says_so() -> None:
    at = house()
    assert "No time has been recorded yet." in at.lead.get(reverse("time", args=(at.project.slug,))).content.decode()
    assert months_worked(at.project) == []


def test_the_number_of_statements_does_not_grow_with_the_pairs() -> None:
    at = house()

    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            at.lead.get(reverse("time", args=(at.project.slug,)))
        return len(captured)

    done(at, at.assignment.annotator, 60)
    before = statements()
    for _ in range(8):
        done(at, at.assignment.annotator, 60)
    assert statements() == before


def test_the_day_is_that_of_the_sites_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    at = house()
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 23, 20, tzinfo=UTC))
    with timezone.override(ZoneInfo("Pacific/Auckland")):
        worktime_add(annotator=at.assignment.annotator_id, phase="main", seconds=5)
    assert WorkDay.objects.get().day == date(2026, 11, 24)


def correction(at: House, minutes: object, **more: object) -> dict[str, object]:
    day = timezone.localdate().isoformat()
    body = {"person": at.assignment.annotator.pk, "day": day, "seconds": minutes, "reason": "The clock ran on."} | more
    return {"correct": "1", **{f"correction-{name}": value for name, value in body.items()}}


def test_a_lead_corrects_time_and_everything_that_counts_it_follows() -> None:
    at = house(slug="library")
    person, page, today = at.assignment.annotator, reverse("time", args=("library",)), timezone.localdate()
    rate_set(annotator=person, amount=Decimal("20"), since=date(2020, 1, 1))
    WorkDay.objects.create(annotator=person, day=today, phase="main", seconds=7200)
    assert at.lead.post(page, correction(at, -30)).status_code == 302
    assert at.lead.post(page, correction(at, 15, reason="=A meeting")).status_code == 302
    assert WorkDay.objects.get().seconds == 7200, "what was measured stays"
    (row,) = months_worked(at.project)
    assert (row.seconds, row.cost) == (6300, Decimal("35"))
    assert project_cost(at.project).cost.amount == Decimal("35")
    sheet = rows_of(at.annotator.get(reverse("timesheet", args=("library",)), {"by": "day"}))
    assert [(each["phase"], each["seconds"], each["hours"], each["correction"]) for each in sheet] == [
        ("main", "7200", "2.00", ""),
        ("", "-1800", "-0.50", "The clock ran on."),
        ("", "900", "0.25", "'=A meeting"),
    ]
    for client in (at.lead, at.annotator):
        shown = client.get(page).content.decode()
        assert "−30" in shown and "+15" in shown and "The clock ran on." in shown
    assert "The clock ran on." not in at.other.get(page).content.decode()
    changes = at.lead.get(reverse("project-changes", args=("library",)), {"kind": "people"}).content.decode()
    assert "Time corrected" in changes and "The clock ran on." in changes


def test_a_correction_that_can_not_be_right_is_refused_beside_its_field() -> None:
    at = house()
    page = reverse("time", args=(at.project.slug,))
    WorkDay.objects.create(
        annotator=at.assignment.annotator, day=timezone.localdate(), phase="main", seconds=24 * 3600 - 60
    )
    refused_day = [(timezone.localdate() - timedelta(days=3654)).isoformat(), "0001-01-01"]
    tomorrow = (timezone.localdate() + timedelta(days=1)).isoformat()
    for body in (
        correction(at, 0),
        correction(at, 2),
        correction(at, -1440),
        correction(at, 10_000),
        correction(at, "1.5"),
        correction(at, -5, reason="  "),
        correction(at, -5, reason="x" * 501),
        correction(at, -5, day=tomorrow),
        *(correction(at, 5, day=day) for day in refused_day),
        *(correction(at, -5, reason=f"so{each}") for each in ("\x1b", "\u200b", "\u202e")),
        correction(at, -5, reason="\u200b"),
        correction(at, -5, day="yesterday"),
        correction(at, -5, person="0"),
    ):
        answer = at.lead.post(page, body)
        assert answer.status_code == 422 and not TimeCorrection.objects.exists(), body
    assert "The day's total (now 1439 minutes)" in unescape(at.lead.post(page, correction(at, 2)).content.decode())
    for client in (at.annotator, at.adjudicator):
        assert client.post(page, correction(at, -5)).status_code == 403
    project_archive(project=at.project, by=None)
    assert at.lead.post(page, correction(at, -5)).status_code == 409
    assert not TimeCorrection.objects.exists()


def test_the_api_gives_annotators_their_own_time_alone() -> None:
    at = house()
    address = reverse("api-time", args=(at.project.slug,))
    for who, seconds in ((at.assignment.annotator, 3600), (AnnotatorFactory(project=at.project), 7200)):
        WorkDay.objects.create(annotator=who, day=timezone.localdate(), phase="main", seconds=seconds)
        rate_set(annotator=who, amount=Decimal("21"), since=date(2020, 1, 1))
        time_correct(annotator=who, day=timezone.localdate(), seconds=-600, reason="A pause", by=None)
    own = at.annotator.get(address).json()
    assert (own["seconds"], own["cost"], own["forecast"], own["people"]) == (3000, "17.50", None, [])
    mine = {at.assignment.annotator.pk}
    assert {each["person"] for each in (*own["months"], *own["corrections"])} == mine
    everyone = at.lead.get(address).json()
    assert everyone["seconds"] == 9600 and len(everyone["people"]) == len(everyone["corrections"]) == 2


def test_a_day_that_is_too_long_can_be_corrected_and_gets_no_longer() -> None:
    at = house()
    person, today = at.assignment.annotator, timezone.localdate()
    for phase in ("trial", "main"):
        WorkDay.objects.create(annotator=person, day=today, phase=phase, seconds=50_000)
    with pytest.raises(Invalid):
        time_correct(annotator=person, day=today, seconds=1, reason="More", by=None)
    time_correct(annotator=person, day=today, seconds=-1800, reason="A pause", by=None)
    assert months_worked(at.project)[0].seconds == 98_200
    shown = at.lead.get(reverse("time", args=(at.project.slug,))).content.decode()
    assert "Correct someone&#x27;s time" in shown or "Correct someone's time" in shown
    project_archive(project=at.project, by=None)
    shown = at.lead.get(reverse("time", args=(at.project.slug,))).content.decode()
    assert "A pause" in shown and 'name="correct"' not in shown


def test_whoever_acts_without_a_membership_has_no_time() -> None:
    at = house()
    owner = UserFactory(is_superuser=True)
    made = token_create(user=owner, name="reader", access="read", days=1, role="adjudicator")
    client = Client(headers={"authorization": f"Bearer {made.secret}"})
    assert client.get(reverse("api-time", args=(at.project.slug,))).status_code == 403


def test_a_correction_that_is_sent_twice_at_once_is_one() -> None:
    at = house()
    page = reverse("time", args=(at.project.slug,))
    for _ in range(2):
        assert at.lead.post(page, correction(at, 15)).status_code == 302
    at.lead.post(page, correction(at, 15, reason="Another meeting"))
    TimeCorrection.objects.update(made=timezone.now() - timedelta(minutes=1))
    at.lead.post(page, correction(at, 15))
    assert TimeCorrection.objects.count() == 3
    for minutes in (-5, 5, -5):
        at.lead.post(page, correction(at, minutes))
    assert TimeCorrection.objects.count() == 6, "with another one in between it is not the same click"


def test_what_is_reopened_still_says_how_long_a_pair_takes() -> None:
    at = house()
    done(at, at.assignment.annotator, 600)
    before = project_cost(at.project).forecast.seconds
    work = Annotation.objects.get().assignment
    assert work is not None
    annotation_reopen(assignment=work, by=None)
    assert before == 600.0 and project_cost(at.project).forecast.seconds == 1200.0
