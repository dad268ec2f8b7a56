"""Leads and annotators at the same moment: one decision holds, and nobody waits for another for ever."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections, transaction

from annotation.errors import DomainError
from annotation.models import Annotator, Assignment
from annotation.qualification.rule import rule_revision
from annotation.selectors.qualification import Qualification, qualification_of
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.qualification import decision_undo, person_decide, person_retry, rule_save
from tests.annotation.qualified import REFERENCE, candidate, ruled, submit, submit_all, with_gold
from tests.annotation.work import doc

pytestmark = pytest.mark.django_db(transaction=True)


def together(*acts: Callable[[], object]) -> list[str]:
    """What came of acts that begin at the same moment: 'done', or the code of the refusal, in the order of the acts."""
    start, found = threading.Barrier(len(acts)), [""] * len(acts)

    def act(index: int) -> None:
        start.wait()
        try:
            acts[index]()
            found[index] = "done"
        except DomainError as refusal:
            found[index] = refusal.code
        finally:
            connections.close_all()

    threads = [threading.Thread(target=act, args=(index,)) for index in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return found


def qualification(person: Annotator) -> Qualification:
    found = qualification_of(Annotator.objects.select_related("project").get(pk=person.pk))
    assert found is not None
    return found


def decide(person: Annotator, action: str, **more: Any) -> Callable[[], object]:
    """A lead's decision on what the page shows now."""
    given = {"annotator": person, "action": action, "revision": qualification(person).revision, "by": None, **more}
    return lambda: person_decide(**given)


def test_of_several_decisions_at_once_one_holds_with_its_words() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    with_gold(project)
    submit_all(person)
    acts = [
        decide(person, action, words=f"lead {number}", pairs=1)
        for number, action in enumerate(("advance", "retry", "advance", "retry"))
    ]
    found = together(*acts)
    assert sorted(found) == ["decided-since"] * 3 + ["done"]
    winner = found.index("done")
    assert qualification(person).visible_message == f"lead {winner}" and len(qualification(person).steps) == 2
    assert Assignment.objects.filter(annotator=person).count() == (2 if winner % 2 else 1)


def test_of_words_at_once_none_are_replaced_unseen() -> None:
    person = candidate(ruled())
    found = together(*(decide(person, "words", words=f"lead {number}") for number in range(4)))
    assert sorted(found) == ["done"] + ["words-changed"] * 3
    assert qualification(person).visible_message == f"lead {found.index('done')}"


def test_a_retry_is_undone_or_started_but_not_both() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    with_gold(project)
    submit_all(person)
    step = person_retry(annotator=person, pairs=1, by=None)
    new = Assignment.objects.select_related("annotator__project", "pair").get(retry=step)
    undone, saved = together(
        lambda: decision_undo(annotator=person, step=step.pk, by=None),
        lambda: annotation_save(assignment=new, by=person.user, base=0, sent=AnnotationInput(spans=doc())),
    )
    assert (undone, saved) in (("done", "not-found"), ("in-progress", "done"))
    assert Assignment.objects.filter(pk=new.pk).exists() == (saved == "done")


def test_a_lead_and_the_rule_advance_someone_once() -> None:
    project = ruled(automatic=True)
    person = candidate(project, [with_gold(project), with_gold(project)])
    first, last = Assignment.objects.select_related("annotator__project", "pair").filter(annotator=person)
    submit(first, *REFERENCE)
    saved = annotation_save(assignment=last, by=person.user, base=0, sent=AnnotationInput(spans=doc(*REFERENCE)))
    lead, annotator = together(
        decide(person, "advance", words="Well done."),
        lambda: annotation_submit(assignment=last, by=person.user, base=saved.revision, verdict="submitted"),
    )
    assert annotator == "done" and lead in ("done", "decided-since")
    advanced = [step for step in qualification(person).steps if step.step == "advance"]
    assert [step.automatic for step in advanced] == [lead != "done"]


def test_retries_of_several_people_at_once_do_not_wait_for_each_other() -> None:
    project = ruled()
    people = [candidate(project, [with_gold(project)]) for _each in range(4)]
    for person in people:
        submit_all(person)
    assert together(*(decide(person, "retry", pairs=2) for person in people)) == ["done"] * 4
    assert Assignment.objects.filter(status="open").count() == 8


def test_a_lead_and_a_new_rule_advance_someone_once() -> None:
    project = ruled(least_pairs=1)
    people = [candidate(project, [with_gold(project)]) for _each in range(4)]
    for person in people:
        submit_all(person, *REFERENCE)
    current = qualification(people[0]).rule
    rule = {**current.to_json(), "automatic": True}
    found = together(
        lambda: rule_save(project=project, rule=rule, base=rule_revision(current)),
        *(decide(person, "advance") for person in people),
    )
    assert found[0] == "done" and set(found[1:]) <= {"done", "decided-since"}
    for person, came in zip(people, found[1:], strict=True):
        advanced = [step for step in qualification(person).steps if step.step == "advance"]
        assert [step.automatic for step in advanced] == [came != "done"]


def crossing(*, had_rule: bool, first: str) -> Annotator:
    """A rule that advances is saved while the last pair is submitted: one of both is held up before it commits.

    `first` has written and waits until the other one has started, and either waits for a lock or is through.
    """
    project = ruled(least_pairs=1)
    person = candidate(project, [with_gold(project)])
    (last,) = Assignment.objects.select_related("annotator__project", "pair").filter(annotator=person)
    saved = annotation_save(assignment=last, by=person.user, base=0, sent=AnnotationInput(spans=doc(*REFERENCE)))
    current = qualification(person).rule
    if not had_rule:
        rule_save(project=project, rule=None, base=rule_revision(current))
        last = Assignment.objects.select_related("annotator__project", "pair").get(pk=last.pk)
    rule = {**current.to_json(), "automatic": True}
    base = rule_revision(current) if had_rule else ""
    acts: dict[str, Callable[[], object]] = {
        "rule": lambda: rule_save(project=project, rule=rule, base=base),
        "submission": lambda: annotation_submit(
            assignment=last, by=person.user, base=saved.revision, verdict="submitted"
        ),
    }
    second = next(name for name in acts if name != first)
    written, started = threading.Event(), threading.Event()

    def held_up() -> None:
        with transaction.atomic():
            acts[first]()
            written.set()
            started.wait(10)
            time.sleep(0.5)  # for the other one to come to its lock, or to read what is not committed yet

    def other() -> None:
        written.wait(10)
        started.set()
        acts[second]()

    assert together(held_up, other) == ["done", "done"]
    return person


@pytest.mark.parametrize("first", ["rule", "submission"])
@pytest.mark.parametrize("had_rule", [True, False])
def test_of_a_rule_that_advances_and_the_last_submission_at_once_nobody_is_left_waiting(
    had_rule: bool, first: str
) -> None:
    person = crossing(had_rule=had_rule, first=first)
    assert qualification(person).status == "advanced"
    assert [step.automatic for step in qualification(person).steps if step.step == "advance"] == [True]
