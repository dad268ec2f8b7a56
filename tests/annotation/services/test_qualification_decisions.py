"""What leads say and decide about people, crossing each other or not, and what is undone with what."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.errors import Conflict
from annotation.models import Annotator, Assignment
from annotation.models.messages import Thread
from annotation.selectors.assignments import assignment_next
from annotation.selectors.qualification import project_rule, qualification_of
from annotation.selectors.retries import retry_supply
from annotation.services import qualification
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from annotation.services.assignments import assignments_move
from annotation.services.threads import thread_open
from tests.annotation.qualified import (
    REFERENCE,
    assign,
    candidate,
    refused,
    ruled,
    status,
    submit_all,
    with_gold,
    words_save,
)
from tests.annotation.work import LIBRARY, doc, span
from tests.factories import PairFactory, TextFactory

pytestmark = pytest.mark.django_db


def decided(person: Annotator, action: str, revision: str = "", **more: Any) -> Any:
    """A lead's decision, as they see the person now unless they saw an older `revision`."""
    given = {"annotator": person, "action": action, "by": None, **more}
    return qualification.person_decide(revision=revision or now(person), **given)


def now(person: Annotator) -> str:
    found = qualification_of(person)
    assert found is not None
    return found.revision


def read(person: Annotator) -> str:
    found = qualification_of(person)
    assert found is not None
    return found.visible_message


def test_words_that_another_lead_wrote_in_the_meantime_are_not_replaced_unseen() -> None:
    person = candidate(ruled())
    decided(person, "words", words="First.")
    seen = now(person)
    decided(person, "words", words="Second.")
    with pytest.raises(Conflict) as error:
        decided(person, "words", seen, words="Third.")
    assert error.value.code == "words-changed" and read(person) == "Second."
    assert error.value.payload == {"words": "Second.", "revision": now(person)}
    # Whoever left the words as they were did not mean to replace anything, whatever else they decide.
    assert decided(person, "words", seen, words="First.") == (None, None)
    said, advanced = decided(person, "advance", seen, words="First.")
    assert said is None and advanced.step == "advance" and read(person) == "Second."
    assert decided(person, "words", words="Third.")[0].words == "Third."


@pytest.mark.parametrize("revision", ["x", "0.0", "", "999.999"])
def test_words_are_not_replaced_from_a_revision_that_never_was(revision: str) -> None:
    person = candidate(ruled())
    words_save(annotator=person, words="Read this.", by=None)
    given: dict[str, Any] = {"annotator": person, "action": "words", "by": None, "revision": revision}
    refused("words-changed", qualification.person_decide, words="Something else.", **given)


def test_a_decision_that_another_lead_made_in_the_meantime_is_not_passed_over() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    with_gold(project)
    submit_all(person)
    seen = now(person)
    _said, retry = decided(person, "retry", pairs=1)
    given: dict[str, Any] = {"annotator": person, "by": None, "revision": seen}
    for action in ("advance", "retry", "release"):
        refused("decided-since", qualification.person_decide, action=action, words="Well done.", **given)
    decided(person, "undo", step=retry.pk)
    assert decided(person, "advance", seen)[1].step == "advance"  # all is as they saw it again


def test_undoing_a_decision_takes_the_words_back_that_came_with_it() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    with_gold(project)
    submit_all(person)
    decided(person, "words", words="Mark numbers.")
    _said, retry = decided(person, "retry", pairs=1, words="Here are others.")
    assert read(person) == "Here are others."
    decided(person, "undo", step=retry.pk)
    assert read(person) == "Mark numbers."
    _said, advanced = decided(person, "advance", words="")
    assert read(person) == ""
    decided(person, "undo", step=advanced.pk)
    assert read(person) == "Mark numbers."
    # What was said apart from a decision, before it or after, is not undone with it.
    decided(person, "words", words="Good.")
    _said, advanced = decided(person, "advance", words="Good.")
    decided(person, "undo", step=advanced.pk)
    assert read(person) == "Good."
    _said, advanced = decided(person, "advance", words="You are in.")
    decided(person, "words", words="Ask me.")
    decided(person, "undo", step=advanced.pk)
    assert read(person) == "Ask me."


def test_a_value_is_stored_as_it_is_and_never_looks_better() -> None:
    project = ruled(least=0.67)
    person = candidate(project, [with_gold(project)])
    submit_all(person, span(LIBRARY, label="3"))
    _said, step = decided(person, "advance")
    assert step.value == pytest.approx(2 / 3, abs=1e-12)


def test_first_pairs_that_a_lead_assigns_are_no_retry() -> None:
    project = ruled()
    person = candidate(project)
    with_gold(project)
    decided(person, "retry", pairs=1)
    assert status(person) == "not-started"


def test_why_no_pair_is_left_for_a_retry() -> None:
    project = ruled(both_directions=True)
    person = candidate(project, [with_gold(project)])
    shown = with_gold(project)
    person.references_seen.create(pair=shown)
    with_gold(project)
    PairFactory(project=project)
    foreign = with_gold(project, a=TextFactory(language="hi"))
    person.reading.create(language=foreign.b.language, level="C1")
    person.reading.create(language=shown.a.language, level="C1")
    rule = project_rule(project)
    assert rule is not None
    supply = retry_supply(person, rule)
    assert supply.units == []
    assert supply.ineligible == {"assigned": 1, "known": 1, "alone": 1, "no-reference": 1, "unread": 1}


def test_a_retry_assigns_other_pairs_by_which_alone_the_person_is_judged() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project), with_gold(project)])
    fresh = {with_gold(project).pk for _ in range(3)}
    PairFactory(project=project)  # without a reference
    refused("unfinished", qualification.person_retry, annotator=person, pairs=2, by=None)
    submit_all(person)
    assert status(person) == "not-passed"
    refused("pairs", qualification.person_retry, annotator=person, pairs=0, by=None)
    error = refused("too-few", qualification.person_retry, annotator=person, pairs=4, by=None)
    assert "There are 3 other pairs" in error.message
    step = qualification.person_retry(annotator=person, pairs=2, by=None)
    assert step.details["pairs"] == 2
    new = Assignment.objects.filter(annotator=person, status="open")
    assert len(new) == 2 and {each.pair_id for each in new} < fresh
    assert status(person) == "retry"
    following = assignment_next(person, after=None)
    assert following is not None and following.pair_id in fresh
    submit_all(person, *REFERENCE)
    assert status(person) == "passed"
    found = qualification_of(person)
    assert found is not None and (found.result.value, found.released) == (1.0, False)
    assert len(retry_supply(person, found.rule).units) == 1


def test_a_retry_is_refused_if_no_pair_is_left_or_the_person_is_advanced() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    submit_all(person)
    error = refused("too-few", qualification.person_retry, annotator=person, pairs=1, by=None)
    assert "no other pair" in error.message
    qualification.person_advance(annotator=person, by=None)
    refused("advanced", qualification.person_retry, annotator=person, pairs=1, by=None)
    refused("advanced", qualification.person_advance, annotator=person, by=None)


def test_undoing_a_retry_takes_its_pairs_back_unless_one_was_started() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    for _ in range(2):
        with_gold(project)
    submit_all(person)
    step = qualification.person_retry(annotator=person, pairs=2, by=None)
    refused("decided-since", qualification.decision_undo, annotator=person, step=step.pk + 1, by=None)
    qualification.decision_undo(annotator=person, step=step.pk, by=None)
    assert Assignment.objects.filter(annotator=person).count() == 1
    assert status(person) == "too-few"
    again = qualification.person_retry(annotator=person, pairs=2, by=None)
    started = Assignment.objects.filter(annotator=person, status="open")[0]
    annotation_save(assignment=started, by=person.user, base=0, sent=AnnotationInput(spans=doc()))
    refused("in-progress", qualification.decision_undo, annotator=person, step=again.pk, by=None)


def test_undoing_a_retry_leaves_pairs_that_were_assigned_later() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    with_gold(project)
    submit_all(person)
    step = qualification.person_retry(annotator=person, pairs=1, by=None)
    later = assign(person, with_gold(project), order=Assignment.objects.get(retry=step).order + 1)
    qualification.decision_undo(annotator=person, step=step.pk, by=None)
    assert set(Assignment.objects.filter(annotator=person, status="open")) == {later}


def test_undoing_a_retry_leaves_what_someone_else_took_over_and_what_came_in_its_place() -> None:
    project = ruled()
    person, other = candidate(project, [with_gold(project)]), candidate(project)
    with_gold(project)
    submit_all(person)
    step = qualification.person_retry(annotator=person, pairs=1, by=None)
    taken = Assignment.objects.get(retry=step)
    assignments_move(project=project, ids=[taken.pk], to=other)
    instead = assign(person, with_gold(project), order=taken.order)
    qualification.decision_undo(annotator=person, step=step.pk, by=None)
    assert set(Assignment.objects.filter(status="open")) == {taken, instead}


def test_a_retry_whose_pairs_have_messages_is_not_undone() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    with_gold(project)
    submit_all(person)
    step = qualification.person_retry(annotator=person, pairs=1, by=None)
    (new,) = Assignment.objects.filter(annotator=person, status="open")
    thread_open(assignment=new, by=person.user, text="What is this?")
    error = refused("in-progress", qualification.decision_undo, annotator=person, step=step.pk, by=None)
    assert "messages about the new pairs" in error.message and Thread.objects.count() == 1


def test_pairs_whose_texts_the_person_has_seen_are_not_left_for_a_retry() -> None:
    project = ruled()
    seen, shown, free = with_gold(project), with_gold(project), with_gold(project)
    person = candidate(project, [seen])
    with_gold(project, a=seen.b, b=seen.a)  # the same texts, swapped
    person.references_seen.create(pair=shown)
    rule = project_rule(project)
    assert rule is not None
    assert retry_supply(person, rule).units == [(free.pk,)]


def test_a_retry_in_both_directions_takes_pairs_with_their_mirrors() -> None:
    project = ruled(both_directions=True, least_pairs=1)
    person = candidate(project)
    one, alone = with_gold(project), with_gold(project)
    mirror = with_gold(project, a=one.b, b=one.a, mirror=one)
    one.mirror = mirror
    one.save()
    rule = project_rule(project)
    assert rule is not None
    assert retry_supply(person, rule).units == [(one.pk, mirror.pk)]
    step = qualification.person_retry(annotator=person, pairs=1, by=None)
    assert step.details["pairs"] == 2
    assert not Assignment.objects.filter(pair=alone).exists()
