"""Pass rules, what leads decide under them, and who may begin trial and main pairs."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.errors import Conflict, Forbidden, Invalid
from annotation.models import Assignment, Phase, Project, Role
from annotation.models.qualification import QualificationStep
from annotation.qualification.rule import KEY, rule_revision
from annotation.selectors.assignments import assignment_next
from annotation.selectors.qualification import project_rule, qualification_of
from annotation.services import qualification
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.archiving import project_archive
from annotation.services.projects import options_from, project_change
from tests.annotation.qualified import (
    REFERENCE,
    assign,
    candidate,
    refused,
    ruled,
    status,
    submit,
    submit_all,
    with_gold,
    words_save,
)
from tests.annotation.work import LIBRARY, doc, span
from tests.factories import PairFactory, ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db


def revision(project: Project) -> str:
    return rule_revision(project_rule(Project.objects.get(pk=project.pk)))


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
    refused("archived", words_save, annotator=person, words="Hm.", by=None)


def test_until_advanced_only_qualification_pairs_are_offered() -> None:
    project = ruled()
    pair = with_gold(project)
    person = candidate(project, [PairFactory(project=project)], Phase.TRIAL)
    main = assign(person, PairFactory(project=project), Phase.MAIN)
    assert assignment_next(person, after=None) is None
    qualifying = assign(person, pair)
    assert assignment_next(person, after=None) == qualifying
    with pytest.raises(Forbidden) as error:
        annotation_save(assignment=main, by=person.user, base=0, sent=AnnotationInput(spans=doc()))
    assert error.value.code == "qualification"
    step = qualification.person_advance(annotator=person, by=UserFactory())
    following = assignment_next(person, after=None)
    assert following is not None and following.phase == Phase.TRIAL
    annotation_save(assignment=main, by=person.user, base=0, sent=AnnotationInput(spans=doc()))
    qualification.decision_undo(annotator=person, step=step.pk, by=None)
    # what was started stays theirs, what was not waits again
    assert assignment_next(person, after=None) == main
    assert assignment_next(person, after=main) == qualifying
    assert assignment_next(person, after=qualifying) == main
    annotation_save(assignment=main, by=person.user, base=1, sent=AnnotationInput(spans=doc(span(LIBRARY))))


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
        words_save(annotator=person, words=words, by=None) is not None
        for words in ("  Mark numbers\r\ntoo. ", "Mark numbers\ntoo.", "Well done.", "")
    ]
    assert said == [True, False, True, True]
    found = qualification_of(person)
    assert found is not None and found.words is None
    refused("words", words_save, annotator=person, words="x" * 10_001, by=None)
    with pytest.raises(Invalid, match="The message contains characters that can't be stored"):
        words_save(annotator=person, words="a\0b", by=None)


def test_a_result_is_released_once_all_is_submitted() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project), with_gold(project)])
    refused("unfinished", qualification.result_release, annotator=person, by=None)
    submit_all(person, *REFERENCE)
    assert qualification.result_release(annotator=person, by=None) is not None
    assert qualification.result_release(annotator=person, by=None) is None


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


def test_a_submission_of_a_qualification_pair_locks_the_person_first() -> None:
    """As reopening and leads' decisions do: in another order, two of these would wait for each other for ever.

    Whatever the rule is: a new one, saved meanwhile, waits for this submission, or this submission for it.
    """
    for phase, expected in (("qualification", "annotation_annotator"), ("trial", "annotation_assignment")):
        project = ruled(least_pairs=1)
        person = candidate(project, [with_gold(project)])
        qualification.person_advance(annotator=person, by=None)
        Assignment.objects.filter(annotator=person).update(phase=phase)
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
    assert (status(passed), status(not_yet)) == ("advanced", "not-started")


def test_conflicts_name_the_person() -> None:
    person = candidate(ruled())
    qualification.person_advance(annotator=person, by=None)
    with pytest.raises(Conflict) as error:
        qualification.person_advance(annotator=person, by=None)
    assert error.value.where == person.alias
