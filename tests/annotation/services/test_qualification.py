"""Pass rules, what leads decide under them, and who may begin trial and main pairs."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.errors import Conflict, DomainError, Forbidden, Invalid
from annotation.message_models import Thread
from annotation.models import Annotator, Assignment, Phase, Project, Role
from annotation.qualification_models import QualificationStep
from annotation.qualifying.rule import KEY, rule_revision
from annotation.selectors.assignments import assignment_next
from annotation.selectors.qualification import project_rule, retry_units, standing_of
from annotation.services import qualification
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.archiving import project_archive
from annotation.services.assignments import assignments_move
from annotation.services.checks import Work
from annotation.services.projects import options_from, project_change
from annotation.services.threads import thread_open
from tests.annotation.qualified import REFERENCE, assign, candidate, ruled, submit, submit_all, with_gold
from tests.annotation.work import LIBRARY, doc, span
from tests.factories import PairFactory, ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db


def status(person: Annotator) -> str:
    found = standing_of(Annotator.objects.select_related("project").get(pk=person.pk))
    assert found is not None
    return found.status


def revision(project: Project) -> str:
    return rule_revision(project_rule(Project.objects.get(pk=project.pk)))


def refused(code: str, service: Any, **given: Any) -> DomainError:
    before = QualificationStep.objects.count(), Assignment.objects.count()
    with pytest.raises(DomainError) as error:
        service(**given)
    assert error.value.code == code
    assert (QualificationStep.objects.count(), Assignment.objects.count()) == before
    return error.value


def test_a_rule_is_saved_changed_and_removed_under_its_revision() -> None:
    project = ProjectFactory(settings={"gold_shown": True})
    saved = qualification.rule_save(project=project, rule={"least": 0.8}, base="")
    assert saved is not None and project_rule(Project.objects.get()) == saved
    refused("rule-changed", qualification.rule_save, project=project, rule={"least": 0.9}, base="")
    qualification.rule_save(project=project, rule={"least": 0.9}, base=revision(project))
    assert KEY in Project.objects.get().settings and Project.objects.get().settings["gold_shown"] is True
    assert qualification.rule_save(project=project, rule=None, base=revision(project)) is None
    assert Project.objects.get().settings == {"gold_shown": True}


def test_saving_an_unchanged_rule_adds_nothing_to_the_history() -> None:
    project = ruled()
    rule = project.settings[KEY]
    before = Project.history.count()
    qualification.rule_save(project=project, rule=rule, base=revision(project))
    assert Project.history.count() == before


def test_other_settings_leave_the_rule_alone() -> None:
    project = ruled()
    project_change(project=project, name="Towns", options=options_from(gold_shown=True))
    assert project_rule(Project.objects.get()) == project_rule(project) is not None


def test_a_rule_that_does_not_fit_the_scheme_is_refused() -> None:
    error = refused("rule", qualification.rule_save, project=ProjectFactory(), rule={"parts": {"new": 1}}, base="")
    assert isinstance(error, Invalid) and "The scheme has no “new”" in error.message


def test_an_archived_project_keeps_its_rule_and_decisions() -> None:
    project = ruled()
    person = candidate(project)
    project_archive(project=project, by=None)
    refused("archived", qualification.rule_save, project=project, rule=None, base=revision(project))
    refused("archived", qualification.person_advance, annotator=person, by=None)
    refused("archived", qualification.words_save, annotator=person, words="Hm.", by=None)


def test_until_advanced_only_qualification_pairs_are_offered() -> None:
    project = ruled()
    pair = with_gold(project)
    person = candidate(project, [PairFactory(project=project)], Phase.TRIAL)
    main = assign(person, PairFactory(project=project), Phase.MAIN)
    assert assignment_next(person, after=None) is None
    qualifying = assign(person, pair)
    assert assignment_next(person, after=None) == qualifying
    with pytest.raises(Forbidden) as error:
        annotation_save(assignment=main, by=person.user, base=0, work=Work(spans=doc()))
    assert error.value.code == "qualification"
    step = qualification.person_advance(annotator=person, by=UserFactory())
    following = assignment_next(person, after=None)
    assert following is not None and following.phase == Phase.TRIAL
    annotation_save(assignment=main, by=person.user, base=0, work=Work(spans=doc()))
    qualification.decision_undo(annotator=person, step=step.pk, by=None)
    # what was begun stays theirs, what was not waits again
    assert assignment_next(person, after=None) == main
    assert assignment_next(person, after=main) == qualifying
    assert assignment_next(person, after=qualifying) == main
    annotation_save(assignment=main, by=person.user, base=1, work=Work(spans=doc(span(LIBRARY))))


@pytest.mark.parametrize("role", [Role.LEAD, Role.ADJUDICATOR])
def test_leads_and_adjudicators_are_never_held_back(role: str) -> None:
    project = ruled()
    person = candidate(project, [PairFactory(project=project)], Phase.MAIN)
    person.role = role
    person.save()
    assert assignment_next(person, after=None) is not None


def test_without_a_rule_nobody_is_held_back_and_nothing_can_be_decided() -> None:
    project = ProjectFactory()
    person = candidate(project, [PairFactory(project=project)], Phase.MAIN)
    assert assignment_next(person, after=None) is not None
    refused("no-rule", qualification.person_advance, annotator=person, by=None)


def test_words_are_said_changed_and_taken_back() -> None:
    person = candidate(ruled())
    said = [
        qualification.words_save(annotator=person, words=words, by=None) is not None
        for words in ("  Mark numbers\r\ntoo. ", "Mark numbers\ntoo.", "Well done.", "")
    ]
    assert said == [True, False, True, True]
    standing = standing_of(person)
    assert standing is not None and standing.words is None
    refused("words", qualification.words_save, annotator=person, words="x" * 10_001, by=None)
    refused("words", qualification.words_save, annotator=person, words="a\0b", by=None)


def test_a_result_is_released_once_all_is_submitted() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project), with_gold(project)])
    refused("unfinished", qualification.result_release, annotator=person, by=None)
    submit_all(person, *REFERENCE)
    assert qualification.result_release(annotator=person, by=None) is not None
    assert qualification.result_release(annotator=person, by=None) is None


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
    standing = standing_of(person)
    assert standing is not None and (standing.result.value, standing.released) == (1.0, False)
    assert len(retry_units(person, standing.rule)) == 1


def test_a_retry_is_refused_if_no_pair_is_left_or_the_person_is_advanced() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    submit_all(person)
    error = refused("too-few", qualification.person_retry, annotator=person, pairs=1, by=None)
    assert "no other pair" in error.message
    qualification.person_advance(annotator=person, by=None)
    refused("advanced", qualification.person_retry, annotator=person, pairs=1, by=None)
    refused("advanced", qualification.person_advance, annotator=person, by=None)


def test_undoing_a_retry_takes_its_pairs_back_unless_one_was_begun() -> None:
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
    begun = Assignment.objects.filter(annotator=person, status="open")[0]
    annotation_save(assignment=begun, by=person.user, base=0, work=Work(spans=doc()))
    refused("begun", qualification.decision_undo, annotator=person, step=again.pk, by=None)


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
    error = refused("begun", qualification.decision_undo, annotator=person, step=step.pk, by=None)
    assert "messages about the new pairs" in error.message and Thread.objects.count() == 1


def test_pairs_whose_texts_the_person_has_seen_are_not_left_for_a_retry() -> None:
    project = ruled()
    seen, shown, free = with_gold(project), with_gold(project), with_gold(project)
    person = candidate(project, [seen])
    with_gold(project, a=seen.b, b=seen.a)  # the same texts, swapped
    person.references_seen.create(pair=shown)
    rule = project_rule(project)
    assert rule is not None
    assert retry_units(person, rule) == [(free.pk,)]


def test_a_retry_in_both_directions_takes_pairs_with_their_mirrors() -> None:
    project = ruled(both_directions=True, least_pairs=1)
    person = candidate(project)
    one, alone = with_gold(project), with_gold(project)
    mirror = with_gold(project, a=one.b, b=one.a, mirror=one)
    one.mirror = mirror
    one.save()
    rule = project_rule(project)
    assert rule is not None
    assert retry_units(person, rule) == [(one.pk, mirror.pk)]
    step = qualification.person_retry(annotator=person, pairs=1, by=None)
    assert step.details["pairs"] == 2
    assert not Assignment.objects.filter(pair=alone).exists()


def test_a_rule_that_advances_does_so_at_the_last_submission() -> None:
    project = ruled(automatic=True, release="at-once")
    person = candidate(project, [with_gold(project), with_gold(project)])
    first, second = Assignment.objects.filter(annotator=person)
    submit(first, *REFERENCE)
    assert status(person) == "in-progress"
    submit(second, *REFERENCE)
    assert status(person) == "advanced"
    step = QualificationStep.objects.get()
    assert (step.step, step.automatic, step.made_by, step.details) == (
        *("advance", True, None),
        {"value": 1.0, "counted": 2},
    )


def test_a_submission_locks_the_person_first_if_it_may_advance_them() -> None:
    """As reopening and leads' decisions do: in another order, two of these would wait for each other for ever."""
    for automatic, expected in ((True, "annotation_annotator"), (False, "annotation_assignment")):
        project = ruled(automatic=automatic, least_pairs=1)
        person = candidate(project, [with_gold(project)])
        work = Assignment.objects.select_related("annotator__project", "pair").get(annotator=person)
        with CaptureQueriesContext(connection) as asked:
            annotation_submit(assignment=work, by=person.user, base=0, verdict="submitted")
        read = [query["sql"] for query in asked if query["sql"].startswith("SELECT")]
        assert f'FROM "{expected}"' in read[0]


def test_a_rule_that_advances_leaves_all_others_to_the_lead() -> None:
    project = ruled(automatic=True)
    poor = candidate(project, [with_gold(project), with_gold(project)])
    submit_all(poor)
    rejecting = candidate(project, [with_gold(project), with_gold(project), with_gold(project)])
    for number, each in enumerate(Assignment.objects.filter(annotator=rejecting)):
        submit(each, *REFERENCE, verdict="submitted" if number else "rejected")
    assert (status(poor), status(rejecting)) == ("not-passed", "passed")
    assert not QualificationStep.objects.exists()


def test_saving_a_rule_that_advances_advances_those_who_pass_already() -> None:
    project = ruled()
    passed, not_yet = (candidate(project, [with_gold(project), with_gold(project)]) for _ in range(2))
    submit_all(passed, *REFERENCE)
    rule = {**project.settings[KEY], "automatic": True}
    qualification.rule_save(project=project, rule=rule, base=revision(project))
    assert (status(passed), status(not_yet)) == ("advanced", "not-begun")


def test_conflicts_name_the_person() -> None:
    person = candidate(ruled())
    qualification.person_advance(annotator=person, by=None)
    with pytest.raises(Conflict) as error:
        qualification.person_advance(annotator=person, by=None)
    assert error.value.where == person.alias
