"""Changes of a plan as they are written: what was started stays as it is, and the queues are in order."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, Assignment, Phase, Project, Status
from annotation.models.lifecycle import ProjectEvent, ProjectEventType
from annotation.models.messages import Thread
from annotation.planning.plans import PlanSettings
from annotation.selectors.pairs import project_size
from annotation.selectors.plans import plan_table
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.people import person_replace
from annotation.services.plan_changes import current_plan_settings, plan_change_apply, plan_change_preview
from annotation.services.plans import existing_assignments, plan_apply, plan_preview
from tests.annotation.services.test_plans import project_of
from tests.annotation.work import doc
from tests.annotation.writes import gold_write
from tests.factories import AnnotatorFactory, PairFactory, UserFactory

pytestmark = pytest.mark.django_db


def planned(pairs: int, people: int, settings: PlanSettings) -> tuple[Project, list[Annotator]]:
    project, chosen = project_of(pairs, people)
    shown = plan_preview(project=project, annotators=chosen, settings=settings)
    plan_apply(project=project, annotators=chosen, settings=settings, digest=shown.digest)
    return project, chosen


def change(project: Project, people: list[Annotator], **settings: Any) -> Any:
    wanted: dict[str, Any] = {"project": project, "annotators": people, "settings": PlanSettings(**settings)}
    shown = plan_change_preview(**wanted)
    return plan_change_apply(**wanted, digest=shown.digest)


def rows(project: Project) -> list[tuple[Any, ...]]:
    found = Assignment.objects.filter(pair__project=project).order_by("pk")
    return list(found.values_list("pk", "pair", "annotator", "phase", "order", "status", "highlights_shown"))


def begin(assignment: Assignment, *, submit: bool) -> None:
    annotation_save(assignment=assignment, by=None, base=0, sent=AnnotationInput(spans=doc()))
    if submit:
        annotation_submit(assignment=assignment, by=None, base=1, verdict="submitted")


def test_someone_joins_a_larger_overlap_is_shared_and_started_pairs_stay() -> None:
    project, people = planned(12, 2, PlanSettings(trial=2, overlap=2))
    for person in people:
        first, second, *_ = Assignment.objects.filter(annotator=person).order_by("order")
        begin(first, submit=True)
        begin(second, submit=False)
    before = {row[0]: row for row in rows(project) if row[5] != Status.OPEN}
    third: Annotator = AnnotatorFactory(project=project)
    made = change(project, [*people, third], trial=2, overlap=4)
    after = {row[0]: row for row in rows(project)}
    assert all(after[pk] == row for pk, row in before.items())
    work = Assignment.objects.filter(pair__project=project)
    shared = [pair.pk for pair in project.pairs.all() if work.filter(pair=pair, phase="main").count() == 3]
    assert len(shared) == 4 and set(shared) == made.shared
    assert work.filter(annotator=third, phase="trial").count() == 2
    loads = [work.filter(annotator=person, status__in=("open", "started")).count() for person in (*people, third)]
    assert max(loads) - min(loads) <= 1 and sum(loads) == 4 * 3 + 6 + 6 - 2
    for pk in [person.pk for person in people] + [third.pk]:
        queue = list(work.filter(annotator=pk).order_by("order").values_list("phase", "order"))
        assert [phase for phase, _order in queue] == sorted((phase for phase, _order in queue), reverse=True)
        assert len({order for _phase, order in queue}) == len(queue)
    event = ProjectEvent.objects.get(project=project, what=ProjectEventType.REPLANNED)
    assert event.details["assignments"] == len(made.planned) and event.details["withdrawn"] == len(made.withdrawn)


def test_changing_to_what_is_assigned_is_shown_as_no_change_and_not_applied() -> None:
    project, people = planned(10, 2, PlanSettings(trial=2, overlap=3))
    now = current_plan_settings(project=project)
    assert (now.trial, now.overlap, now.overlap_people) == (2, 3, 0)
    shown = plan_change_preview(project=project, annotators=people, settings=now)
    assert (shown.withdrawn, shown.planned) == ([], [])
    before = rows(project)
    with pytest.raises(Conflict, match="already match this plan"):
        change(project, people, trial=2, overlap=3)
    assert rows(project) == before


def test_a_change_that_is_not_the_one_shown_is_not_applied() -> None:
    project, people = planned(8, 2, PlanSettings())
    wanted: dict[str, Any] = {"project": project, "annotators": people, "settings": PlanSettings(overlap=4)}
    shown = plan_change_preview(**wanted)
    open_one = next(pk for pk in shown.positions)
    begin(Assignment.objects.get(pk=open_one), submit=False)
    before = rows(project)
    with pytest.raises(Conflict, match="changed since"):
        plan_change_apply(**wanted, digest=shown.digest)
    assert rows(project) == before


def test_what_has_messages_is_left_to_its_annotator() -> None:
    project, people = planned(4, 2, PlanSettings())
    discussed = Assignment.objects.filter(annotator=people[1]).order_by("order")[0]
    Thread.objects.create(assignment=discussed, changed=timezone.now(), waiting_for="lead")
    change(project, people[:1])
    left = Assignment.objects.filter(annotator=people[1])
    assert [row.pk for row in left] == [discussed.pk]
    assert Assignment.objects.filter(annotator=people[0]).count() == 3


def test_unassigned_pairs_are_assigned_too_and_re_tests_stay() -> None:
    project, people = planned(4, 2, PlanSettings())
    done = Assignment.objects.filter(annotator=people[0]).order_by("order")[0]
    begin(done, submit=True)
    again = Assignment.objects.create(pair=done.pair, annotator=people[0], phase="main", round=1, order=50)
    PairFactory.create_batch(3, project=project)
    change(project, people)
    again.refresh_from_db()
    assert (again.order, again.status) == (50, Status.OPEN)
    assert all(pair.assignments.filter(round=0).count() == 1 for pair in project.pairs.all())


def test_a_pair_that_was_taken_from_everyone_is_unassigned_and_can_be_planned_again() -> None:
    project, people = planned(6, 1, PlanSettings())
    second = AnnotatorFactory(project=project, user=UserFactory())
    first = Assignment.objects.filter(annotator=people[0]).order_by("order")[0]
    begin(first, submit=False)
    person_replace(leaver=people[0], newcomer=second, by=None, end_access=False)
    made = change(project, people)
    assert made.unassignable == {first.pair_id}
    assert project_size(project).unassigned == 1
    wanted: dict[str, Any] = {"project": project, "settings": PlanSettings()}
    with pytest.raises(Invalid, match="None of the selected people may annotate"):
        plan_preview(annotators=people, **wanted)
    shown = plan_preview(annotators=[*people, second], **wanted)
    assert [(each.pair, each.annotator) for each in shown.planned] == [(first.pair_id, second.pk)]


def test_nobody_is_planned_for_whose_reference_they_know() -> None:
    project, people = project_of(1, 2)
    known = project.pairs.get()
    gold_write(pair=known, version=0, spans=[], provenance={})
    shown = plan_preview(project=project, annotators=people[:1], settings=PlanSettings(qualification=1))
    plan_apply(project=project, annotators=people[:1], settings=PlanSettings(qualification=1), digest=shown.digest)
    begin(Assignment.objects.get(), submit=True)
    twin = PairFactory(project=project, a=known.a, b=known.b)
    shown = plan_preview(project=project, annotators=people, settings=PlanSettings())
    assert [(each.pair, each.annotator) for each in shown.planned] == [(twin.pk, people[1].pk)]


def test_what_cannot_be_had_is_refused_at_its_field() -> None:
    project, people = planned(4, 2, PlanSettings())
    for settings, where in ((PlanSettings(trial=5), "trial"), (PlanSettings(overlap=9), "overlap")):
        with pytest.raises(Invalid) as refused:
            plan_change_preview(project=project, annotators=people, settings=settings)
        assert refused.value.where == where
    with pytest.raises(Invalid, match="at least one person"):
        plan_change_preview(project=project, annotators=[], settings=PlanSettings())


def test_the_expected_time_is_that_of_finished_pairs_or_what_the_lead_expects() -> None:
    project, people = planned(6, 2, PlanSettings(overlap=2))
    plan: dict[str, Any] = {
        "project": project,
        "chosen": people,
        "existing": existing_assignments(project),
        "planned": [],
    }
    assert plan_table(**plan).seconds is None
    expected = plan_table(**plan, seconds_per_pair=90.0)
    assert (expected.seconds, expected.measured) == (8 * 90, False)
    first = Assignment.objects.filter(annotator=people[0], phase=Phase.MAIN).order_by("order")[0]
    begin(first, submit=True)
    first.annotation.__class__.objects.filter(assignment=first).update(active_seconds=120)
    plan["existing"] = existing_assignments(project)
    measured = plan_table(**plan, seconds_per_pair=90.0)
    assert (measured.seconds, measured.measured) == (7 * 120, True)
    assert [(row.share.finished, row.share.total) for row in measured.rows] == [(1, 3), (0, 4)]
    assert measured.common == {(people[0].pk, people[1].pk): 2}
