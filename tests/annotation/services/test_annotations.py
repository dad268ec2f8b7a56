"""Saving, submitting and reopening: all or nothing, under a revision, and never over newer work unseen."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from annotation.errors import Conflict, DomainError, Forbidden, Invalid
from annotation.models import Annotation, Assignment, Guideline, Pair, Revision, Status
from annotation.services import annotations as annotations_module
from annotation.services.annotation_checks import AnnotationInput, ValidAnnotation, validate_annotation
from annotation.services.annotations import (
    annotation_reassign,
    annotation_reopen,
    annotation_save,
    annotation_submit,
)
from annotation.text.schemes import PRESETS
from tests.annotation.work import BIBLIOTHEK, LIBRARY, NOTHING, doc, span
from tests.factories import AssignmentFactory, PairFactory, ProjectFactory

module: Any = annotations_module
pytestmark = pytest.mark.django_db

LINKED = doc(span(LIBRARY, BIBLIOTHEK))


def given(scheme: str = "graded", **settings: Any) -> Assignment:
    project = ProjectFactory(scheme=PRESETS[scheme].to_json(), settings=settings)
    assignment: Assignment = AssignmentFactory(pair=PairFactory(project=project))
    return assignment


def save(assignment: Assignment, base: int, spans: Any = LINKED, **rest: Any) -> Annotation:
    return annotation_save(assignment=assignment, by=None, base=base, sent=AnnotationInput(spans=spans, **rest))


def submit(assignment: Assignment, base: int, verdict: str = "submitted", reason: str = "") -> Assignment:
    return annotation_submit(assignment=assignment, by=None, base=base, verdict=verdict, reason=reason)


def numbers(annotation: Annotation) -> list[int]:
    return list(annotation.revisions.values_list("number", flat=True))


def test_the_first_save_creates_revision_one_and_starts_the_assignment() -> None:
    assignment = given()
    annotation = save(assignment, 0, comment="unsure", read={"a": [1, 0], "b": []}, active_seconds=12)
    annotation.refresh_from_db()
    assignment.refresh_from_db()
    assert (annotation.revision, annotation.spans, annotation.comment) == (1, LINKED, "unsure")
    assert (annotation.read_paragraphs, annotation.active_seconds) == ({"a": [0, 1], "b": []}, 12)
    assert assignment.status == Status.STARTED


def test_counts_are_written_with_the_spans() -> None:
    assignment = given()
    spans = doc(
        span(LIBRARY, BIBLIOTHEK, id="one"), span(LIBRARY, id="two", label="5"), span(NOTHING, id="three", label="5")
    )
    annotation = save(assignment, 0, spans)
    annotation.refresh_from_db()
    assert (annotation.span_count, annotation.token_count, annotation.label_counts) == (3, 4, {"3": 1, "5": 2})


def test_every_change_is_stored_as_a_revision_and_ticks_and_time_create_none() -> None:
    assignment = given()
    save(assignment, 0)
    save(assignment, 1, doc())
    annotation = save(assignment, 2, doc(), read={"a": [0]}, active_seconds=60, dismissed=["p2", "p1"])
    annotation.refresh_from_db()
    assert numbers(annotation) == [1, 2]
    assert [row.spans for row in annotation.revisions.all()] == [LINKED, doc()]
    assert (annotation.revision, annotation.active_seconds, annotation.dismissed) == (2, 60, ["p1", "p2"])


@pytest.mark.django_db(transaction=True)
def test_work_is_checked_before_anything_is_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    locked: list[bool] = []

    def watched(work: AnnotationInput, pair: Pair) -> ValidAnnotation:
        locked.append(connection.in_atomic_block)
        return validate_annotation(work, pair)

    monkeypatch.setattr(module, "validate_annotation", watched)
    save(given(), 0)
    assert locked == [False]


def test_older_work_never_overwrites_newer_and_gets_it_in_the_response() -> None:
    assignment = given()
    save(assignment, 0)
    save(assignment, 1, doc(span(NOTHING)))
    with pytest.raises(Conflict) as refusal:
        save(assignment, 1, doc())
    assert refusal.value.payload["annotation"]["revision"] == 2
    assert refusal.value.payload["annotation"]["spans"] == doc(span(NOTHING))
    annotation = Annotation.objects.get()
    assert (annotation.spans, numbers(annotation)) == (doc(span(NOTHING)), [1, 2])


def test_a_save_that_is_repeated_because_its_response_was_lost_is_no_conflict() -> None:
    assignment = given()
    save(assignment, 0, read={"a": [0]}, active_seconds=30)
    again = save(assignment, 0, read={"a": [1]}, active_seconds=20)
    again.refresh_from_db()
    assert (again.revision, numbers(again)) == (1, [1])
    assert (again.read_paragraphs["a"], again.active_seconds) == ([0, 1], 30)


@pytest.mark.parametrize(
    ("work", "where"),
    [
        ({"spans": "no document"}, "spans"),
        ({"spans": doc(span({"side": "a", "start": 5, "end": 11}))}, "spans[0].fragments[0]"),
        ({"spans": doc(span(LIBRARY, label="9"))}, "spans[0].label"),
        ({"spans": doc(span(LIBRARY, comment="\0"))}, "spans[0].comment"),
        ({"spans": doc(span(LIBRARY, comment="x" * 10_001))}, "spans[0].comment"),
        ({"spans": doc(span())}, "spans[0]"),
        ({"spans": doc(), "answers": {"agree": "4"}}, "answers"),
        ({"spans": doc(), "comment": "x" * 10_001}, "comment"),
        ({"spans": doc(), "read": {"b": [2]}}, "read.b"),
        ({"spans": doc(), "active_seconds": -1}, "active_seconds"),
    ],
)
def test_what_scheme_or_texts_forbid_leaves_everything_as_it_was(work: dict[str, Any], where: str) -> None:
    assignment = given()
    save(assignment, 0)
    with pytest.raises(Invalid) as refusal:
        annotation_save(assignment=assignment, by=None, base=1, sent=AnnotationInput(**work))
    assert refusal.value.where == where
    annotation = Annotation.objects.get()
    assert (annotation.revision, annotation.spans, annotation.comment) == (1, LINKED, "")
    assert numbers(annotation) == [1]


def test_a_comment_that_cannot_be_stored_is_named() -> None:
    with pytest.raises(Invalid, match=r"“spans\[0\]\.comment” contains characters that can't be stored"):
        save(given(), 0, spans=doc(span(LIBRARY, comment="\0")))


def test_work_names_the_newest_guidelines_it_was_made_by() -> None:
    assignment = given()
    for version in (1, 2):
        newest = Guideline.objects.create(project=assignment.pair.project, version=version, text="Mark.")
    assert save(assignment, 0).guideline == newest


@pytest.mark.parametrize(
    ("verdict", "status"), [("submitted", "done"), ("rejected", "done"), ("flagged", "done"), ("skipped", "skipped")]
)
def test_a_verdict_ends_the_assignment_and_is_a_revision(verdict: str, status: str) -> None:
    assignment = given()
    save(assignment, 0)
    assert submit(assignment, 1, verdict, "because").status == status
    annotation = Annotation.objects.get()
    assert (annotation.verdict, annotation.reason, annotation.revision) == (verdict, "because", 2)
    assert annotation.revisions.get(number=2).verdict == verdict


def test_a_pair_in_which_nothing_was_marked_is_submitted_without_a_save() -> None:
    assignment = given()
    assert submit(assignment, 0).status == Status.DONE
    assert Annotation.objects.get().span_count == 0


def test_submitting_twice_is_once_and_submitted_work_is_not_overwritten() -> None:
    assignment = given()
    save(assignment, 0)
    submit(assignment, 1)
    submit(assignment, 1)
    with pytest.raises(Conflict, match="is submitted"):
        save(assignment, 2, doc())
    with pytest.raises(Conflict, match="is submitted"):
        submit(assignment, 2, "rejected")
    assert Annotation.objects.get().revision == 2


def test_an_old_revision_is_not_submitted() -> None:
    assignment = given()
    save(assignment, 0)
    save(assignment, 1, doc())
    with pytest.raises(Conflict) as refusal:
        submit(assignment, 1)
    assert refusal.value.payload["annotation"]["revision"] == 2
    assignment.refresh_from_db()
    assert assignment.status == Status.STARTED


@pytest.mark.parametrize(("verdict", "where"), [("splendid", "verdict"), ("", "verdict"), ("flagged", "reason")])
def test_an_invalid_verdict_is_refused(verdict: str, where: str) -> None:
    assignment = given()
    with pytest.raises(Invalid) as refusal:
        submit(assignment, 0, verdict)
    assert refusal.value.where == where
    assert not Annotation.objects.exists()


def test_a_verdict_that_the_project_does_not_allow_is_refused() -> None:
    assignment = given(verdicts=["submitted", "flagged"])
    with pytest.raises(Forbidden):
        submit(assignment, 0, "rejected")


def test_no_more_pairs_are_skipped_than_the_project_allows() -> None:
    assignment = given(skip_percent=50)
    pairs = PairFactory.create_batch(3, project=assignment.pair.project)
    others = [AssignmentFactory(pair=pair, annotator=assignment.annotator) for pair in pairs]
    submit(assignment, 0, "skipped")
    submit(others[0], 0, "skipped")
    with pytest.raises(Forbidden, match="50%"):
        submit(others[1], 0, "skipped")
    assert submit(others[1], 0).status == Status.DONE


def test_a_question_without_an_answer_is_not_submitted_but_may_be_skipped() -> None:
    assignment = given("likert")
    with pytest.raises(Invalid) as refusal:
        submit(assignment, 0)
    assert refusal.value.where == "answers.agree"
    save(assignment, 0, doc(), answers={"agree": "4"})
    assert submit(assignment, 1).status == Status.DONE


def test_an_answer_outside_the_question_is_refused() -> None:
    with pytest.raises(Invalid) as refusal:
        save(given("likert"), 0, doc(), answers={"agree": "7"})
    assert refusal.value.where == "answers.agree"


def test_submitted_work_is_reopened_as_a_new_revision() -> None:
    assignment = given()
    save(assignment, 0)
    submit(assignment, 1, "flagged", "broken")
    annotation = annotation_reopen(assignment=assignment, by=None)
    assignment.refresh_from_db()
    assert (annotation.revision, annotation.verdict, annotation.reason) == (3, "", "")
    assert (assignment.status, annotation.spans) == (Status.STARTED, LINKED)


def test_unsubmitted_work_is_not_reopened() -> None:
    with pytest.raises(Conflict):
        annotation_reopen(assignment=given(), by=None)


def test_in_a_closed_phase_nothing_is_submitted_or_reopened() -> None:
    assignment = given()
    save(assignment, 0)
    submit(assignment, 1)
    project = assignment.pair.project
    project.settings = {"closed_phases": ["main"]}
    project.save()
    other = AssignmentFactory(pair=PairFactory(project=project), annotator=assignment.annotator)
    attempts = [
        lambda: annotation_reopen(assignment=assignment, by=None),
        lambda: save(other, 0),
        lambda: submit(other, 0),
    ]
    for attempt in attempts:
        with pytest.raises(Forbidden, match="closed"):
            attempt()
    assert Annotation.objects.count() == 1


def test_started_work_is_kept_as_reassigned_and_cannot_be_changed_any_more() -> None:
    assignment = given(skip_percent=0)
    save(assignment, 0)
    annotation = annotation_reassign(assignment=assignment, by=None, reason="reassigned")
    assignment.refresh_from_db()
    assert (assignment.status, annotation.verdict, annotation.spans) == (Status.REASSIGNED, "skipped", LINKED)
    for attempt in (
        lambda: save(assignment, 2, doc()),
        lambda: submit(assignment, 2),
        lambda: submit(assignment, 2, "skipped"),
        lambda: annotation_reopen(assignment=assignment, by=None),
    ):
        with pytest.raises(Conflict, match="someone else") as refusal:
            attempt()
        assert refusal.value.code == "reassigned"
    annotation.refresh_from_db()
    assert numbers(annotation) == [1, 2]


def test_a_refusal_names_its_kind_for_programs() -> None:
    kinds: list[DomainError] = []
    assignment = given()
    save(assignment, 0)
    for attempt in (lambda: save(assignment, 0, doc()), lambda: submit(assignment, 1, "flagged")):
        with pytest.raises(DomainError) as refusal:
            attempt()
        kinds.append(refusal.value)
    assert [(each.status, each.code) for each in kinds] == [(409, "conflict"), (422, "reason")]
    assert Revision.objects.count() == 1
