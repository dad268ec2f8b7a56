"""A plan is applied as it was previewed, for unassigned pairs."""

import pytest

from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, Assignment, Project
from annotation.planning.plans import PlanSettings
from annotation.services.plans import plan_apply, plan_preview
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def project_of(pairs: int, people: int, **project: object) -> tuple[Project, list[Annotator]]:
    made: Project = ProjectFactory(**project)
    PairFactory.create_batch(pairs, project=made)
    return made, list(AnnotatorFactory.create_batch(people, project=made))


def test_a_preview_writes_nothing_and_applying_it_assigns_exactly_that() -> None:
    project, people = project_of(9, 2)
    settings = PlanSettings(3, trial=1, overlap=2)
    seen = plan_preview(project=project, annotators=people, settings=settings)
    assert not Assignment.objects.exists()
    plan_apply(project=project, annotators=people, settings=settings, digest=seen.digest)
    rows = Assignment.objects.values_list("pair", "annotator", "phase", "order")
    assert sorted(rows) == sorted((each.pair, each.annotator, each.phase, each.order) for each in seen.planned)


def test_a_plan_that_changed_since_its_preview_is_not_applied() -> None:
    project, people = project_of(4, 2)
    seen = plan_preview(project=project, annotators=people, settings=PlanSettings())
    PairFactory(project=project)
    with pytest.raises(Conflict):
        plan_apply(project=project, annotators=people, settings=PlanSettings(), digest=seen.digest)
    assert not Assignment.objects.exists()


def test_a_second_plan_is_for_the_remaining_pairs_and_comes_after() -> None:
    project, people = project_of(2, 1)
    first = AssignmentFactory(pair=project.pairs.first(), annotator=people[0], order=5)
    seen = plan_preview(project=project, annotators=people, settings=PlanSettings())
    plan_apply(project=project, annotators=people, settings=PlanSettings(), digest=seen.digest)
    assert [row.order for row in Assignment.objects.exclude(pk=first.pk)] == [6]


def test_mirrors_follow_each_other() -> None:
    project, people = project_of(6, 2)
    one, other = project.pairs.all()[1], project.pairs.all()[4]
    one.mirror, other.mirror = other, one
    one.save()
    other.save()
    plan = plan_preview(project=project, annotators=people, settings=PlanSettings())
    assigned = {each.pair: (each.annotator, each.order) for each in plan.planned}
    assert assigned[one.pk][0] == assigned[other.pk][0]
    assert abs(assigned[one.pk][1] - assigned[other.pk][1]) == 1


@pytest.mark.parametrize(
    ("settings", "where"),
    [
        (PlanSettings(qualification=1), "qualification"),
        (PlanSettings(trial=4), "trial"),
        (PlanSettings(overlap=4), "overlap"),
    ],
)
def test_requesting_too_much_names_the_field(settings: PlanSettings, where: str) -> None:
    project, people = project_of(3, 2)
    with pytest.raises(Invalid) as refusal:
        plan_preview(project=project, annotators=people, settings=settings)
    assert refusal.value.where == where


def test_if_everything_is_assigned_there_is_nothing_to_plan() -> None:
    assignment = AssignmentFactory()
    with pytest.raises(Invalid, match="already assigned"):
        plan_preview(project=assignment.pair.project, annotators=[assignment.annotator], settings=PlanSettings())


def test_a_share_of_the_assignments_shows_highlights_the_same_each_time() -> None:
    shown = []
    for _ in range(2):
        project, people = project_of(0, 0, slug="half", settings={"highlights_share": 50})
        for n in range(40):
            PairFactory(project=project, external_id=f"p{n}")
        people = [AnnotatorFactory(project=project, alias=alias) for alias in ("anna", "bruno")]
        settings = PlanSettings(overlap=40)
        seen = plan_preview(project=project, annotators=people, settings=settings)
        plan_apply(project=project, annotators=people, settings=settings, digest=seen.digest)
        rows = Assignment.objects.filter(highlights_shown=True)
        shown.append(set(rows.values_list("pair__external_id", "annotator__alias")))
        project.delete()
    assert shown[0] == shown[1]
    assert 25 < len(shown[0]) < 55
