"""The checklist of a new project, from its page: each step's state, and no list once pairs are submitted."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Assignment, Role, Status
from annotation.models.people import ReadingSkill
from annotation.selectors.checklist import Checklist, StepName, project_checklist
from annotation.services.annotations import annotation_reopen, annotation_submit
from annotation.services.guidelines import guideline_write
from annotation.services.highlights import HighlightInput, highlights_write
from annotation.services.projects import project_create
from annotation.text.schemes import PRESETS
from tests.annotation.work import client_of
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, UserFactory

pytestmark = pytest.mark.django_db


def done(found: Checklist) -> list[str]:
    return [step.name.value for step in found.steps if step.finished]


def test_each_step_is_done_in_turn() -> None:
    project = project_create(name="Towns", scheme=PRESETS["graded"].to_json())
    assert done(project_checklist(project)) == ["scheme"]
    pair = PairFactory(project=project)
    person = AnnotatorFactory(project=project, role=Role.ANNOTATOR)
    found = project_checklist(project)
    assert done(found) == ["scheme", "texts"]
    people = found.steps[2]
    assert (people.count, people.lacking, found.next) == (1, 1, people)
    ReadingSkill.objects.create(annotator=person, language="en", level="C1")
    assert done(project_checklist(project)) == ["scheme", "texts", "people"]
    guideline_write(project=project, text="Mark.", base=0)
    assignment: Assignment = AssignmentFactory(pair=pair, annotator=person)
    found = project_checklist(project)
    assert done(found) == ["scheme", "texts", "people", "guidelines", "assignments"]
    assert (found.remaining, found.running, found.next and found.next.name) == (1, False, StepName.SUBMITTED)
    highlights_write(
        run="r", method="m", highlights=[HighlightInput(pair, [0.0] * len(pair.a.tokens), [0.0] * len(pair.b.tokens))]
    )
    assert "prelabels" in done(project_checklist(project))
    assignment.status = Status.DONE
    assignment.save()
    found = project_checklist(project)
    assert found.running and found.remaining == 0 and found.next is None


def test_the_page_shows_it_to_leads_until_a_pair_is_submitted() -> None:
    user = UserFactory()
    project = project_create(name="Towns", scheme=PRESETS["graded"].to_json(), lead=user)
    client, address = client_of(user), reverse("project", args=(project.slug,))
    page = client.get(address).content.decode()
    assert "Before annotation can start" in page and "5 steps remain." in page
    for name in ("project-scheme", "import", "people", "guidelines-edit", "plan", "prelabels", "monitor"):
        assert reverse(name, args=(project.slug,)) in page.split("Before annotation can start")[1], name
    person = AnnotatorFactory(project=project)
    assert person.user is not None
    AssignmentFactory(pair=PairFactory(project=project), annotator=person, status=Status.DONE)
    assert "Before annotation can start" not in client.get(address).content.decode()
    assert "Before annotation can start" not in client_of(person.user).get(address).content.decode()


def test_the_page_says_how_many_people_are_without_languages() -> None:
    user = UserFactory()
    project = project_create(name="Towns", scheme=PRESETS["graded"].to_json(), lead=user)
    client, address = client_of(user), reverse("project", args=(project.slug,))
    for said in ("1 annotator, invitations included , 1 person without languages", "2 people without languages"):
        AnnotatorFactory(project=project, role=Role.ANNOTATOR)
        page = " ".join(client.get(address).content.decode().split())
        assert said.replace(" ,", ",") in page.replace(" ,", ",")


def test_a_project_grows_and_its_queries_do_not(django_assert_num_queries: object) -> None:
    project = project_create(name="Towns", scheme=PRESETS["graded"].to_json())
    for size in (0, 5):
        for _ in range(size):
            AssignmentFactory(pair=PairFactory(project=project), annotator=AnnotatorFactory(project=project))
        with django_assert_num_queries(7):  # type: ignore[operator]
            project_checklist(project)
    work = AssignmentFactory(pair=PairFactory(project=project), annotator=AnnotatorFactory(project=project))
    annotation_submit(assignment=work, by=None, base=0, verdict="submitted")
    with django_assert_num_queries(6):  # type: ignore[operator]
        assert project_checklist(project).running
    annotation_reopen(assignment=work, by=None)
    assert project_checklist(project).running, "what a lead reopened was submitted once"
