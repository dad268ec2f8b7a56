"""Reopening what was submitted under older guidelines: page, API, and what stays submitted."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.errors import Conflict
from annotation.models import Annotation, Assignment, Phase, Source, Status, User
from annotation.selectors.guidelines import outdated_annotations, submitted_by_version
from annotation.selectors.time import project_cost
from annotation.services import reopening
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_reopen, annotation_save, annotation_submit
from annotation.services.guidelines import guideline_write
from annotation.services.reopening import outdated_reopen
from tests.annotation.work import LIBRARY, House, client_of, doc, house, span
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def at() -> House:
    made = house()
    guideline_write(project=made.project, text="Mark differences.", base=0)
    return made


def done(at: House, n: int = 1, **more: Any) -> list[Assignment]:
    """Pairs that someone has submitted under the guidelines of now."""
    person = AnnotatorFactory(project=at.project)
    found: list[Assignment] = [
        AssignmentFactory(pair=PairFactory(project=at.project), annotator=person, **more) for _ in range(n)
    ]
    for assignment in found:
        annotation_save(assignment=assignment, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY))))
        annotation_submit(assignment=assignment, by=None, base=1, verdict="submitted")
    return found


def lead(at: House) -> User:
    user = at.project.annotators.get(role="lead").user
    assert user is not None
    return user


def statuses(assignments: list[Assignment]) -> list[str]:
    return [Assignment.objects.get(pk=each.pk).status for each in assignments]


def test_flags_rejections_and_skips_stay(at: House) -> None:
    (old,) = done(at)
    Annotation.objects.filter(assignment=old).update(verdict="flagged", reason="The page is cut off.")
    guideline_write(project=at.project, text="Mark all differences.", base=1)
    assert outdated_annotations(at.project) == [] and submitted_by_version(at.project) == {}
    assert outdated_reopen(project=at.project, by=lead(at), version=2).reopened == 0
    kept = Annotation.objects.get(assignment=old)
    assert (kept.verdict, kept.reason, statuses([old])) == ("flagged", "The page is cut off.", [Status.DONE])


def test_older_work_is_reopened_with_what_was_marked_and_counts_again_once_submitted(at: House) -> None:
    (old,) = done(at)
    assert outdated_annotations(at.project) == []
    guideline_write(project=at.project, text="Mark all differences.", base=1)
    (new,) = done(at)
    (row,) = outdated_annotations(at.project)
    assert (row.version, row.submitted, row.closed) == (1, 1, 0)
    result = outdated_reopen(project=at.project, by=lead(at), version=2)
    assert (result.reopened, result.final, result.more) == (1, 0, False)
    assert statuses([old, new]) == [Status.STARTED, Status.DONE]
    annotation = Annotation.objects.get(assignment=old)
    assert annotation.verdict == "" and len(annotation.spans["spans"]) == 1
    annotation_submit(assignment=old, by=None, base=annotation.revision, verdict="submitted")
    assert outdated_annotations(at.project) == []
    assert submitted_by_version(at.project) == {2: 2}
    assert outdated_reopen(project=at.project, by=lead(at), version=2).reopened == 0


def test_annotators_see_that_a_lead_reopened_their_work_until_they_submit_it_again(at: House) -> None:
    first, _second, own = done(at, 3)
    who = first.annotator
    user = who.user
    assert user is not None
    annotation_reopen(assignment=own, by=user)
    guideline_write(project=at.project, text="Mark all differences.", base=1)
    assert outdated_reopen(project=at.project, by=lead(at), version=2).reopened == 2
    client = client_of(user)

    def list_page() -> str:
        return " ".join(client.get(reverse("project", args=[at.project.slug])).content.decode().split())

    def pair_page(assignment: Assignment) -> str:
        page = client.get(reverse("work", args=[at.project.slug, assignment.pk])).content.decode()
        return " ".join(page.split())

    assert list_page().count("Reopened by a lead: guidelines version 2 is new") == 2
    assert "?version=2&amp;since=1" in list_page()
    assert "Reopened by a lead: guidelines version 2 is new" in pair_page(first)
    assert "Reopened by a lead" not in pair_page(own), "they reopened it themselves"
    revision = Annotation.objects.get(assignment=first).revision
    annotation_save(assignment=first, by=user, base=revision, sent=AnnotationInput(spans=doc()))
    assert "Reopened by a lead" in pair_page(first)
    annotation_submit(assignment=first, by=user, base=revision + 1, verdict="submitted")
    assert "Reopened by a lead" not in pair_page(first) and list_page().count("Reopened by a lead") == 1


def test_reopened_work_was_finished_once_and_counts_in_the_pace(at: House) -> None:
    (assignment,) = done(at)
    annotation_reopen(assignment=assignment, by=lead(at))
    (person,) = [each for each in project_cost(at.project).people if each.annotator == assignment.annotator]
    assert person.forecast.remaining == 1 and person.forecast.pace > 0
    page = client_of(lead(at)).get(reverse("monitor", args=[at.project.slug])).content.decode()
    assert f"{assignment.annotator.alias} has finished nothing" not in page


def test_closed_phases_and_final_submissions_stay(at: House) -> None:
    (main,) = done(at)
    (trial,) = done(at, phase=Phase.TRIAL)
    (final,) = done(at, phase=Phase.QUALIFICATION)
    Annotation.objects.create(
        source=Source.GOLD, verdict="submitted", pair=final.pair, gold_version=0, spans=doc(span(LIBRARY))
    )
    guideline_write(project=at.project, text="Mark all differences.", base=1)
    at.project.settings = {"closed_phases": ["trial"]}
    at.project.save()
    rows = outdated_annotations(at.project)
    assert [sum(getattr(row, name) for row in rows) for name in ("closed", "final", "reopenable")] == [1, 1, 1]
    result = outdated_reopen(project=at.project, by=lead(at), version=2)
    assert (result.reopened, result.final) == (1, 1)
    assert statuses([main, trial, final]) == [Status.STARTED, Status.DONE, Status.DONE]
    page = at.lead.get(reverse("guidelines-reopen", args=[at.project.slug])).content.decode()
    assert "can be reopened." in page and "Nothing that was submitted under guidelines older than version 2" in page
    assert "1 pair stays submitted because only its first submission counts." in page and "Reopen 1 pair" not in page
    assert "Review and reopen" not in at.lead.get(reverse("guidelines", args=[at.project.slug])).content.decode()


def test_newer_guidelines_than_the_lead_saw_are_a_conflict(at: House) -> None:
    (old,) = done(at)
    guideline_write(project=at.project, text="Mark all differences.", base=1)
    with pytest.raises(Conflict, match="The guidelines have changed"):
        outdated_reopen(project=at.project, by=lead(at), version=1)
    assert statuses([old]) == [Status.DONE]


def test_many_are_reopened_in_portions(at: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reopening, "BATCH_SIZE", 2)
    made = done(at, 3)
    guideline_write(project=at.project, text="Mark all differences.", base=1)
    assert outdated_reopen(project=at.project, by=lead(at), version=2).more
    assert outdated_reopen(project=at.project, by=lead(at), version=2) == reopening.ReopenResult(1, 0, False)
    assert set(statuses(made)) == {Status.STARTED}


def test_the_pages_show_what_changed_and_whose_work_is_older(at: House, django_assert_num_queries: Any) -> None:
    to = reverse("guidelines-reopen", args=[at.project.slug])
    assert "All submissions use version 1" in at.lead.get(to).content.decode()
    (old,) = done(at)
    guideline_write(project=at.project, text="Mark all differences.", base=1)
    page = reverse("guidelines", args=[at.project.slug])
    html = at.lead.get(page).content.decode()
    assert "1 pair was submitted under an older version" in html and "since=1" in html
    html = at.annotator.get(page, {"version": 2, "since": 1}).content.decode()
    assert "Changes from version 1 to version 2" in html and "<ins>all </ins>" in html
    assert "was submitted under an older version" not in html
    html = at.lead.get(to).content.decode()
    assert old.annotator.alias in html and "Reopen 1 pair" in html
    response = at.lead.post(to, {"version": 2}, follow=True)
    assert "1 pair was reopened." in response.content.decode()
    assert statuses([old]) == [Status.STARTED]
    again = at.lead.post(to, {"version": 2}, follow=True).content.decode()
    assert "There was nothing to reopen." in again and "0 pairs" not in again
    done(at, 2)
    guideline_write(project=at.project, text="Mark none.", base=2)
    with CaptureQueriesContext(connection) as first:
        at.lead.get(to)
    done(at, 3)
    with django_assert_num_queries(len(first)):
        at.lead.get(to)


def test_the_api_lists_versions_writes_the_next_and_reopens(at: House) -> None:
    to = reverse("api-guidelines", args=[at.project.slug])
    done(at)
    body = {"text": "Mark all differences.", "base": 1}
    written = at.lead.post(to, body, content_type="application/json").json()
    assert [(row["version"], row["submitted"]) for row in written["versions"]] == [(2, 0), (1, 1)]
    assert written["outdated"] == 1 and at.lead.get(to).json() == written
    again = reverse("api-guidelines-reopen", args=[at.project.slug])
    reopened = at.lead.post(again, {"version": 2}, content_type="application/json").json()
    assert reopened == {"reopened": 1, "final": 0, "more": False}
