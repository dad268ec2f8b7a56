"""Results of the qualification: from first submissions, against the reference in force."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotation, Annotator, Assignment, Revision, Role
from annotation.qualification.results import Missing, State
from annotation.selectors.qualification import Qualification, qualification_of, qualifications
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_reopen, annotation_save, annotation_submit
from tests.annotation.qualified import REFERENCE, assign, candidate, gold, ruled, submit, submit_all, with_gold
from tests.annotation.work import LIBRARY, NOTHING, doc, span
from tests.factories import AnnotatorFactory, PairFactory

pytestmark = pytest.mark.django_db


def qualification(person: Annotator) -> Qualification:
    found = qualification_of(Annotator.objects.select_related("project").get(pk=person.pk))
    assert found is not None
    return found


def test_half_of_the_reference_found() -> None:
    project = ruled(parts={"5": 0.5})
    person = candidate(project, [with_gold(project), with_gold(project)])
    submit_all(person, span(LIBRARY, label="3"))
    result = qualification(person).result
    assert result.value == pytest.approx(2 / 3)
    assert result.parts == {"3": 1, "5": 0}
    assert [(test.part, test.is_passed) for test in result.tests] == [("", False), ("5", False)]
    assert result.state == State.NOT_PASSED
    assert qualification(person).parts == [("Moderate", 1.0, None, False), ("Unrelated", 0.0, 0.5, True)]


def test_only_the_first_submission_counts() -> None:
    project = ruled(least_pairs=1)
    pair = PairFactory(project=project)
    person = candidate(project, [pair])
    work = Assignment.objects.get(annotator=person)
    submit(work, span(LIBRARY, label="3"))
    annotation_reopen(assignment=work, by=person.user)
    reopened = qualification(person).result.pairs[0]
    assert reopened.missing == Missing.NO_REFERENCE  # submitted once, so it is finished
    submit(work, *REFERENCE)
    gold(pair, *REFERENCE)
    assert qualification(person).result.value == pytest.approx(2 / 3)
    assert Annotation.objects.get(assignment=work).spans == doc(*REFERENCE)


def test_what_was_saved_after_reopening_does_not_count() -> None:
    project = ruled(least_pairs=1)
    pair = PairFactory(project=project)
    person = candidate(project, [pair])
    work = Assignment.objects.get(annotator=person)
    submit(work, *REFERENCE)
    annotation_reopen(assignment=work, by=person.user)
    base = Annotation.objects.get(assignment=work).revision
    annotation_save(assignment=work, by=person.user, base=base, sent=AnnotationInput(spans=doc()))
    gold(pair, *REFERENCE)
    assert qualification(person).result.value == 1


def test_a_first_rejection_stays_the_first_submission_and_a_skip_is_none() -> None:
    project = ruled(least_pairs=1)
    rejected, skipped = PairFactory(project=project), PairFactory(project=project)
    person = candidate(project, [rejected, skipped])
    one, other = Assignment.objects.filter(annotator=person).order_by("order")
    for work, verdict in ((one, "rejected"), (other, "skipped")):
        annotation_submit(assignment=work, by=person.user, base=0, verdict=verdict)
    found = [each.missing for each in qualification(person).result.pairs]
    assert found == [Missing.NO_REFERENCE, Missing.SKIPPED]
    for work in (one, other):
        annotation_reopen(assignment=work, by=person.user)
        submit(work, *REFERENCE)
    for pair in (rejected, skipped):
        gold(pair, *REFERENCE)
    result = qualification(person).result
    assert [each.missing for each in result.pairs] == [Missing.REJECTED, None]
    assert (result.value, result.counted, len(result.left_out)) == (1.0, 1, 1)


def test_the_newest_reference_is_in_force_and_named() -> None:
    project = ruled(least_pairs=1)
    pair = with_gold(project)
    person = candidate(project, [pair])
    submit_all(person, span(LIBRARY, label="3"))
    gold(pair, span(LIBRARY, label="3"), version=2)
    Annotation.objects.create(source="gold", pair=pair, gold_version=3, spans=doc())  # a draft is no reference
    result = qualification(person).result
    assert (result.value, result.pairs[0].gold_version) == (1.0, 2)


def test_nothing_marked_where_the_reference_has_nothing_is_full_agreement() -> None:
    project = ruled(least_pairs=1)
    pair = PairFactory(project=project)
    gold(pair)
    person = candidate(project, [pair])
    submit_all(person)
    result = qualification(person).result
    assert (result.value, result.parts, result.state) == (1.0, {}, State.PASSED)


def test_work_without_stored_revisions_counts_as_it_is() -> None:
    project = ruled(least_pairs=1)
    person = candidate(project, [with_gold(project)])
    submit_all(person, *REFERENCE)
    Revision.objects.all().delete()
    assert qualification(person).result.value == 1


def test_retests_and_reassigned_pairs_are_left_out() -> None:
    project = ruled(least_pairs=1)
    pair = with_gold(project)
    person = candidate(project, [pair])
    submit_all(person, *REFERENCE)
    assign(person, pair, round=1)
    assign(person, with_gold(project), status="reassigned")
    assert (qualification(person).result.assigned, qualification(person).status) == (1, "passed")


def test_who_is_listed() -> None:
    project = ruled()
    annotator = candidate(project)
    AnnotatorFactory(project=project, role=Role.LEAD)
    AnnotatorFactory(project=project, user=None)
    imported: Any = AnnotatorFactory(project=project, user=None)
    assign(imported, with_gold(project))
    assert [each.annotator for each in qualifications(project)] == [annotator, imported]
    assert [each.status for each in qualifications(project)] == ["unassigned", "not-started"]


def test_released_at_once_only_when_all_is_submitted() -> None:
    project = ruled(release="at-once")
    person = candidate(project, [with_gold(project), with_gold(project)])
    submit(Assignment.objects.filter(annotator=person)[0], *REFERENCE)
    assert not qualification(person).released
    submit_all(person, span(NOTHING, label="1"))
    assert qualification(person).released


def test_queries_do_not_grow_with_people_and_pairs() -> None:
    project = ruled()
    pairs = [with_gold(project) for _ in range(4)]
    submit_all(candidate(project, pairs[:1]), *REFERENCE)
    project.refresh_from_db()
    with CaptureQueriesContext(connection) as few:
        qualifications(project)
    for _ in range(3):
        submit_all(candidate(project, pairs), *REFERENCE)
    with CaptureQueriesContext(connection) as many:
        assert len(qualifications(project)) == 4
    assert len(many) == len(few) <= 7
