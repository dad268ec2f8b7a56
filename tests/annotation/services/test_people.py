"""People come in, change roles, take over and go; no project is left without a lead."""

import pytest

from annotation.errors import Conflict, Forbidden, Invalid
from annotation.models import Annotator, Assignment, Project, Role, Status, User
from annotation.planning import PlanSettings
from annotation.services.annotations import annotation_save
from annotation.services.checks import Work
from annotation.services.people import (
    person_add,
    person_bring_in,
    person_end_access,
    person_replace,
    person_role_set,
)
from annotation.services.plans import plan_make, plan_preview
from tests.annotation.work import LIBRARY, doc, span
from tests.factories import AnnotatorFactory, PairFactory, ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db


def planned(pairs: int, people: int, settings: PlanSettings) -> tuple[Project, list[Annotator]]:
    project: Project = ProjectFactory()
    PairFactory.create_batch(pairs, project=project)
    annotators: list[Annotator] = AnnotatorFactory.create_batch(people, project=project)
    seen = plan_preview(project=project, annotators=annotators, settings=settings)
    plan_make(project=project, annotators=annotators, settings=settings, digest=seen.digest)
    return project, annotators


def test_a_newcomer_gets_a_log_in_with_a_password_that_opens() -> None:
    person = person_add(project=ProjectFactory(), username="dora")
    user = User.objects.get(username="dora")
    assert person.password is not None and user.check_password(person.password)
    assert (person.annotator.alias, person.annotator.role) == ("A1", Role.ANNOTATOR)


def test_a_known_log_in_comes_in_as_it_is() -> None:
    UserFactory(username="dora")
    person = person_add(project=ProjectFactory(), username="dora", alias="D", role=Role.ADJUDICATOR)
    assert (person.password, person.annotator.alias, person.annotator.role) == (None, "D", Role.ADJUDICATOR)


def test_free_names_are_counted_on() -> None:
    project = ProjectFactory()
    AnnotatorFactory(project=project, alias="A1")
    assert person_add(project=project, username="dora").annotator.alias == "A2"


@pytest.mark.parametrize(
    ("given", "kind", "where"),
    [
        ({"username": "anna"}, Conflict, "username"),
        ({"username": "dora", "alias": "A1"}, Conflict, "alias"),
        ({"username": "dora", "role": "king"}, Invalid, "role"),
        ({"username": "do ra"}, Invalid, "username"),
        ({"username": "dora", "password": "short"}, Invalid, "username"),
    ],
)
def test_a_name_that_cannot_be_or_is_taken_changes_nothing(
    given: dict[str, str], kind: type[Conflict], where: str
) -> None:
    project = ProjectFactory()
    AnnotatorFactory(project=project, user=UserFactory(username="anna"), alias="A1")
    with pytest.raises(kind) as refusal:
        person_add(project=project, **given)
    assert refusal.value.where == where
    assert (Annotator.objects.count(), User.objects.count()) == (1, 1)


def test_the_last_lead_stays_one() -> None:
    lead = AnnotatorFactory(role=Role.LEAD)
    for attempt in (
        lambda: person_role_set(annotator=lead, role=Role.ANNOTATOR),
        lambda: person_end_access(annotator=lead),
    ):
        with pytest.raises(Forbidden, match="Nobody else"):
            attempt()
    AnnotatorFactory(project=lead.project, role=Role.LEAD)
    person_role_set(annotator=lead, role=Role.ADJUDICATOR)
    lead.refresh_from_db()
    assert lead.role == Role.ADJUDICATOR


def test_a_change_of_role_is_remembered() -> None:
    person = AnnotatorFactory()
    person_role_set(annotator=person, role=Role.ADJUDICATOR)
    assert [row.role for row in person.history.order_by("history_id")] == ["annotator", "adjudicator"]


def test_who_comes_in_mid_way_gets_what_all_share_and_a_third_of_the_rest() -> None:
    project, people = planned(16, 2, PlanSettings(2, trial=2, overlap=2))
    newcomer = AnnotatorFactory(project=project)
    change = person_bring_in(annotator=newcomer, seed=5)
    rows = Assignment.objects.filter(annotator=newcomer)
    assert (len(change.new), len(change.moved)) == (4, 4)
    assert sorted(rows.values_list("phase", flat=True)) == ["main"] * 6 + ["trial"] * 2
    singles = [Assignment.objects.filter(annotator=person, phase="main").count() for person in people]
    assert singles == [6, 6]
    assert len(set(rows.values_list("order", flat=True))) == 8


def test_where_nothing_is_to_be_given_it_is_said() -> None:
    _, people = planned(2, 1, PlanSettings())
    with pytest.raises(Conflict, match="nothing to give"):
        person_bring_in(annotator=people[0], seed=1)


def test_who_leaves_hands_over_what_they_did_not_finish() -> None:
    project, (leaver, _other) = planned(6, 2, PlanSettings(2))
    newcomer = AnnotatorFactory(project=project, alias="N")
    begun, untouched = Assignment.objects.filter(annotator=leaver).order_by("order")[:2]
    annotation_save(assignment=begun, by=None, base=0, work=Work(spans=doc(span(LIBRARY))))
    change = person_replace(leaver=leaver, newcomer=newcomer, by=None, end_access=True)
    begun.refresh_from_db()
    untouched.refresh_from_db()
    leaver.refresh_from_db()
    assert (begun.annotator, begun.status, begun.annotation.reason) == (leaver, Status.SKIPPED, "Handed over to N")
    assert begun.annotation.span_count == 1
    assert (untouched.annotator, leaver.user) == (newcomer, None)
    assert (len(change.moved), len(change.new)) == (2, 1)
    assert Assignment.objects.filter(annotator=newcomer, pair=begun.pair, status=Status.OPEN).exists()


def test_nobody_takes_over_from_themselves_or_from_another_project() -> None:
    person = AnnotatorFactory()
    for newcomer in (person, AnnotatorFactory()):
        with pytest.raises(Invalid):
            person_replace(leaver=person, newcomer=newcomer, by=None, end_access=False)
