"""The monitor: what needs the lead comes first, each reason with its pairs; the queue, and what was dealt with."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agreement.report.page import body_of
from agreement.report.scope import Scope
from agreement.report.services.reports import report_request
from annotation.costs import WINDOW
from annotation.models import Annotation, Annotator
from annotation.models.reviews import Review
from annotation.models.time import WorkDay
from annotation.review_criteria import FASTEST, MAX_DAY_SECONDS, MIN_WORDS
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_reopen, annotation_save, annotation_submit
from annotation.services.time import time_correct
from tests.annotation.work import LIBRARY, House, doc, house, span
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, TextFactory

pytestmark = pytest.mark.django_db
WORDS = " ".join(["word"] * 30) + "."


def done(at: House, person: Annotator, seconds: int = 60, verdict: str = "submitted", comment: str = "") -> Annotation:
    pair = PairFactory(project=at.project, a=TextFactory(content=WORDS), b=TextFactory(content=WORDS))
    work = AssignmentFactory(pair=pair, annotator=person)
    annotation_save(
        assignment=work, by=None, base=0, sent=AnnotationInput(spans=doc(), active_seconds=seconds, comment=comment)
    )
    annotation_submit(assignment=work, by=None, base=1, verdict=verdict, reason="cut off")
    return Annotation.objects.get(assignment=work)


def page(at: House, **query: str) -> str:
    response = at.lead.get(reverse("monitor", args=(at.project.slug,)), query)
    assert response.status_code == 200
    return " ".join(unescape(response.content.decode()).split())


def test_a_project_without_work_says_what_to_do() -> None:
    at = house()
    at.assignment.delete()
    text = page(at)
    assert "Nothing is assigned yet" in text and reverse("plan", args=(at.project.slug,)) in text


def test_nothing_needs_the_lead_where_nothing_does() -> None:
    at = house()
    done(at, at.assignment.annotator)
    assert "Nothing needs your attention." in page(at)


def test_work_of_people_without_accounts_leaves_no_table_without_rows() -> None:
    at = house()
    done(at, at.assignment.annotator, seconds=0)
    at.assignment.delete()
    Annotator.objects.filter(project=at.project, role="annotator").update(user=None)
    assert "Nobody has pairs remaining, and no time was measured." in page(at)


def test_pairs_that_nobody_has_are_not_nothing() -> None:
    at = house()
    done(at, at.assignment.annotator)
    at.assignment.delete()
    text = page(at)
    assert "All assigned pairs are finished; 1 pair is unassigned." in text and "Nothing remains" not in text


def test_each_reason_is_named_with_its_person_and_pairs() -> None:
    at = house()
    person, other = at.assignment.annotator, AnnotatorFactory(project=at.project)
    for _ in range(5):
        done(at, person)
    fast, slow = done(at, person, seconds=1), done(at, person, seconds=600)
    done(at, person, verdict="flagged")
    AssignmentFactory(pair=PairFactory(project=at.project), annotator=other)
    text = page(at)
    assert f"{person.alias}: 1 pair was submitted faster than anyone can read" in text
    assert fast.pair.external_id in text and "(1 s)" in text
    assert f"{slow.pair.external_id} takes 10.0 times as long per word as usual (10 min)." in text
    assert f"{other.alias} has finished nothing in the last two weeks; 1 pair remains." in text
    assert "To answer: 1 flagged, 0 not comparable, 0 skipped, 0 with comments." in text
    first = text.index("Needs your attention")
    assert first < text.index("Agreement so far") < text.index("By person") < text.index("cut off")


def test_the_limits_of_each_reason_are_those_that_it_is_decided_by() -> None:
    at = house()
    done(at, at.assignment.annotator, verdict="flagged")
    decided = page(at).partition("How this is decided")[2].partition("</details>")[0]
    assert f"more than {MAX_DAY_SECONDS // 3600} hours of active time" in decided
    assert f"none was finished in the last {WINDOW} days" in decided
    assert f"more than {FASTEST:.0f} words of both texts a minute, in pairs of {MIN_WORDS} words" in decided


def test_people_whose_work_was_imported_without_time_are_not_too_fast() -> None:
    at = house()
    for _ in range(3):
        done(at, at.assignment.annotator, seconds=0)
    assert "faster than anyone" not in page(at)


def test_the_queue_until_it_is_dealt_with_and_again_once_it_changes() -> None:
    at = house()
    row = done(at, at.assignment.annotator, comment="Is this one?")
    address = reverse("monitor-review", args=(at.project.slug, row.pk))
    assert "Is this one?" in page(at)
    stale = at.lead.post(address, {"revision": row.revision - 1})
    assert stale.status_code == 409 and not Review.objects.exists()
    assert at.lead.post(address, {}).status_code == 409
    assert at.lead.post(address, {"revision": row.revision}).status_code == 302
    assert "Is this one?" not in page(at) and "Is this one?" in page(at, dealt="1")
    at.lead.post(address, {"undo": "1"})
    assert "Is this one?" in page(at)
    at.lead.post(address, {"revision": row.revision})
    assert row.assignment is not None
    annotation_reopen(assignment=row.assignment, by=None)
    assert "Is this one?" in page(at), "it is not as it was when it was dealt with"
    other = house()
    assert other.lead.post(reverse("monitor-review", args=(other.project.slug, row.pk))).status_code == 404


def test_the_last_report_is_shown_and_none_is_computed() -> None:
    at = house()
    pair = PairFactory(project=at.project)
    for person in (at.assignment.annotator, AnnotatorFactory(project=at.project)):
        work = AssignmentFactory(pair=pair, annotator=person)
        annotation_save(
            assignment=work, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY)), active_seconds=60)
        )
        annotation_submit(assignment=work, by=None, base=1, verdict="submitted")
    assert "No agreement report has been computed yet." in page(at)
    row, _fresh = report_request(project=at.project, scope=Scope(), body_of=body_of)
    assert row.body is not None and unescape(row.body["headline"])[:40] in page(at)
    english = unescape(row.body["headline"])[:40]
    german = at.lead.get(reverse("monitor", args=(at.project.slug,)), headers={"accept-language": "de"})
    assert english in unescape(german.content.decode()), "the report of another language is better than none"
    row.body["drifting"] = [{"name": "Ada", "figure": "marked", "first": 0.5, "second": 0.25}]
    row.save()
    assert "Ada changes over time: marked 50% of the words, then 25%." in page(at)


def test_htmx_asks_for_the_changing_part_alone() -> None:
    at = house()
    part = at.lead.get(reverse("monitor", args=(at.project.slug,)), headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part and "Needs your attention" in part
    assert 'hx-trigger="every 20s"' in page(at)


def test_the_number_of_statements_does_not_grow_with_the_pairs() -> None:
    at = house()

    def statements() -> int:
        page(at)
        with CaptureQueriesContext(connection) as captured:
            page(at)
        return len(captured)

    for verdict in ("submitted", "flagged"):
        done(at, at.assignment.annotator, seconds=1, verdict=verdict)
    before = statements()
    for _ in range(6):
        done(at, at.assignment.annotator, seconds=1)
        done(at, at.assignment.annotator, verdict="flagged")
    assert statements() == before


def test_no_day_has_more_time_than_a_day_and_a_long_one_is_named() -> None:
    at = house()
    claimed = done(at, at.assignment.annotator, seconds=3_000_000)
    done(at, at.assignment.annotator, seconds=40_000)
    assert claimed.active_seconds == 86_400
    assert WorkDay.objects.get().seconds == 86_400
    assert f"{at.assignment.annotator.alias} has 24 h 0 min of active time on" in page(at)
    answer = at.lead.get(reverse("api-monitor", args=(at.project.slug,))).json()
    assert [(each["person"], each["seconds"]) for each in answer["long_days"]] == [(at.assignment.annotator.pk, 86_400)]
    WorkDay.objects.update(seconds=12 * 3600)
    assert "more than 12 hours" not in page(at)
    correct: dict[str, Any] = {
        "annotator": at.assignment.annotator,
        "day": WorkDay.objects.get().day,
        "reason": "A meeting",
        "by": None,
    }
    time_correct(seconds=600, **correct)
    assert f"{at.assignment.annotator.alias} has 12 h 10 min of active time on" in page(at)
    time_correct(seconds=-900, **correct)
    assert "of active time on" not in page(at)
