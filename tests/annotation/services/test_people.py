"""People are added, change roles, take over pairs and lose access; no project is left without a lead."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.errors import Conflict, DomainError, Forbidden, Invalid
from annotation.formats.record import AnnotationRecord, PairRecord, ParsedSource, TextRecord
from annotation.models import Annotator, Assignment, Project, ReferenceView, Role, Status, User
from annotation.planning.plans import PlanSettings
from annotation.project_options import ProjectOptions
from annotation.selectors.assignments import assignment_position_and_limits
from annotation.selectors.progress import project_counts, project_progress
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from annotation.services.imports import import_pairs
from annotation.services.people import (
    person_add,
    person_assign_share,
    person_end_access,
    person_replace,
    person_replace_preview,
    person_restore_access,
    person_role_set,
)
from annotation.services.plans import plan_apply, plan_preview
from annotation.services.projects import preset, project_change, project_create
from tests.annotation.work import LIBRARY, doc, span
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db


def planned(pairs: int, people: int, settings: PlanSettings) -> tuple[Project, list[Annotator]]:
    project: Project = ProjectFactory()
    PairFactory.create_batch(pairs, project=project)
    annotators: list[Annotator] = AnnotatorFactory.create_batch(people, project=project)
    seen = plan_preview(project=project, annotators=annotators, settings=settings)
    plan_apply(project=project, annotators=annotators, settings=settings, digest=seen.digest)
    return project, annotators


def test_a_new_person_gets_an_account_with_a_working_password() -> None:
    person = person_add(project=ProjectFactory(), username="dora")
    user = User.objects.get(username="dora")
    assert person.password is not None and user.check_password(person.password)
    assert (person.annotator.alias, person.annotator.role) == ("A1", Role.ANNOTATOR)


def test_an_existing_account_is_added_unchanged() -> None:
    UserFactory(username="dora")
    person = person_add(project=ProjectFactory(), username="dora", alias="D", role=Role.ADJUDICATOR)
    assert (person.password, person.annotator.alias, person.annotator.role) == (None, "D", Role.ADJUDICATOR)


def test_free_aliases_are_numbered() -> None:
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
def test_an_invalid_or_taken_name_changes_nothing(given: dict[str, Any], kind: type[Conflict], where: str) -> None:
    project = ProjectFactory()
    AnnotatorFactory(project=project, user=UserFactory(username="anna"), alias="A1")
    with pytest.raises(kind) as refusal:
        person_add(project=project, **given)
    assert refusal.value.where == where
    assert (Annotator.objects.count(), User.objects.count()) == (1, 1)


def test_a_username_that_is_taken_at_the_same_moment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(User, "set_password", lambda user, _password: User.objects.create(username=user.username))
    with pytest.raises(Conflict, match="already an account") as refusal:
        person_add(project=ProjectFactory(), username="dora")
    assert refusal.value.where == "username" and not Annotator.objects.exists()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_the_project_is_locked_while_a_free_alias_is_chosen() -> None:
    project = ProjectFactory()
    with CaptureQueriesContext(connection) as queries:
        person_add(project=project, username="dora")
    assert any("annotation_project" in each["sql"] and "FOR UPDATE" in each["sql"] for each in queries)


def test_the_last_lead_stays_lead() -> None:
    lead = AnnotatorFactory(role=Role.LEAD)
    for attempt in (
        lambda: person_role_set(annotator=lead, role=Role.ANNOTATOR),
        lambda: person_end_access(annotator=lead),
    ):
        with pytest.raises(Forbidden, match="no other lead"):
            attempt()
    AnnotatorFactory(project=lead.project, role=Role.LEAD)
    person_role_set(annotator=lead, role=Role.ADJUDICATOR)
    lead.refresh_from_db()
    assert lead.role == Role.ADJUDICATOR


def test_a_change_of_role_is_in_the_history() -> None:
    person = AnnotatorFactory()
    person_role_set(annotator=person, role=Role.ADJUDICATOR)
    assert [row.role for row in person.history.order_by("history_id")] == ["annotator", "adjudicator"]


def test_a_person_who_joins_mid_way_gets_what_all_share_and_a_third_of_the_rest() -> None:
    project, people = planned(16, 2, PlanSettings(2, trial=2, overlap=2))
    newcomer = AnnotatorFactory(project=project)
    change = person_assign_share(annotator=newcomer, seed=5)
    rows = Assignment.objects.filter(annotator=newcomer)
    assert (len(change.new), len(change.moved)) == (4, 4)
    assert sorted(rows.values_list("phase", flat=True)) == ["main"] * 6 + ["trial"] * 2
    singles = [Assignment.objects.filter(annotator=person, phase="main").count() for person in people]
    assert singles == [6, 6]
    assert len(set(rows.values_list("order", flat=True))) == 8


@pytest.mark.parametrize("change", [{"role": Role.ADJUDICATOR}, {"user": None}], ids=["adjudicator", "left"])
def test_only_annotators_with_access_are_assigned_a_share(change: dict[str, Any]) -> None:
    project, _ = planned(16, 2, PlanSettings(2, trial=2, overlap=2))
    person = AnnotatorFactory(project=project)
    Annotator.objects.filter(pk=person.pk).update(**change)
    with pytest.raises(Invalid, match="can't be assigned pairs"):
        person_assign_share(annotator=person, seed=5)
    assert not Assignment.objects.filter(annotator=person).exists()


def test_if_there_is_nothing_to_assign_it_is_refused() -> None:
    _, people = planned(2, 1, PlanSettings())
    with pytest.raises(Conflict, match="no pairs to assign"):
        person_assign_share(annotator=people[0], seed=1)


def test_unfinished_work_of_a_leaver_is_reassigned() -> None:
    project, (leaver, _other) = planned(6, 2, PlanSettings(2))
    newcomer = AnnotatorFactory(project=project, alias="N")
    started, untouched = Assignment.objects.filter(annotator=leaver).order_by("order")[:2]
    annotation_save(assignment=started, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY))))
    change = person_replace(leaver=leaver, newcomer=newcomer, by=None, end_access=True)
    started.refresh_from_db()
    untouched.refresh_from_db()
    leaver.refresh_from_db()
    assert (started.annotator, started.status, started.annotation.reason) == (
        leaver,
        Status.REASSIGNED,
        "Reassigned to N",
    )
    assert started.annotation.span_count == 1
    assert (untouched.annotator, leaver.user) == (newcomer, None)
    assert (len(change.moves), len(change.started)) == (2, 1)
    assert Assignment.objects.filter(annotator=newcomer, pair=started.pair, status=Status.OPEN).exists()


def test_no_one_takes_over_from_themselves_or_from_another_project() -> None:
    person = AnnotatorFactory()
    for newcomer in (person, AnnotatorFactory()):
        with pytest.raises(Invalid):
            person_replace(leaver=person, newcomer=newcomer, by=None, end_access=False)


def test_only_unfinished_work_of_the_leaver_is_reassigned() -> None:
    project, (leaver, other) = planned(10, 2, PlanSettings(2, trial=2))
    Assignment.objects.filter(annotator=leaver).exclude(phase="main").update(status=Status.DONE)
    newcomer = AnnotatorFactory(project=project)
    seen = person_replace_preview(leaver=leaver, newcomer=newcomer)
    assert Assignment.objects.filter(annotator=newcomer).count() == 0, "nothing is written yet"
    person_replace(leaver=leaver, newcomer=newcomer, by=None, end_access=False)
    phases = list(Assignment.objects.filter(annotator=newcomer).values_list("phase", flat=True))
    assert phases == ["main"] * 4 and seen.phases() == {"main": 4}
    assert Assignment.objects.filter(annotator=other).count() == 6


def test_pairs_that_the_newcomer_has_already_stay_with_the_leaver() -> None:
    _project, (leaver, newcomer) = planned(4, 2, PlanSettings(2, overlap=2))
    shared = Assignment.objects.filter(annotator=leaver, pair__assignments__annotator=newcomer).order_by("order")
    started, untouched = shared
    annotation_save(assignment=started, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY))))
    retest = AssignmentFactory(pair=started.pair, annotator=leaver, round=1)
    found = person_replace(leaver=leaver, newcomer=newcomer, by=None, end_access=False)
    assert (len(found.moves), found.started, found.already_assigned) == (1, [], [started, untouched])
    assert found.retests == [retest]
    for row, status in ((started, Status.STARTED), (untouched, Status.OPEN), (retest, Status.OPEN)):
        row.refresh_from_db()
        assert (row.annotator, row.status) == (leaver, status)
    assert started.annotation.verdict == ""


def test_a_pair_whose_reference_the_newcomer_has_seen_is_not_counted_as_moved() -> None:
    project, (leaver,) = planned(2, 1, PlanSettings())
    newcomer = AnnotatorFactory(project=project)
    first, second = Assignment.objects.filter(annotator=leaver).order_by("order")
    ReferenceView.objects.create(annotator=newcomer, pair=first.pair)
    found = person_replace(leaver=leaver, newcomer=newcomer, by=None, end_access=False)
    assert (found.moves, found.reference_seen) == ([second], [first])
    assert list(Assignment.objects.filter(annotator=newcomer)) == [second]


def test_reassigned_work_counts_for_the_leaver_only_in_time() -> None:
    project, (leaver,) = planned(2, 1, PlanSettings())
    newcomer = AnnotatorFactory(project=project)
    started = Assignment.objects.filter(annotator=leaver).order_by("order")[0]
    annotation_save(
        assignment=started, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY)), active_seconds=60)
    )
    person_replace(leaver=leaver, newcomer=newcomer, by=None, end_access=False)
    old, new = (progress.total for progress in project_progress(project))
    assert (old.assigned, old.finished, old.remaining, old.started, old.seconds) == (0, 0, 0, 0, 60)
    assert (new.assigned, new.finished, new.remaining) == (2, 0, 2)
    assert [progress.labels.total() for progress in project_progress(project)] == [0, 0]
    counted = project_counts([project])[project.pk]
    assert (counted.assigned, counted.finished) == (2, 0)
    started.refresh_from_db()
    mine = Assignment.objects.get(annotator=newcomer, pair=started.pair)
    assert assignment_position_and_limits(mine, ProjectOptions())[0].of == 2
    with pytest.raises(Conflict, match="None of"):
        person_replace(leaver=leaver, newcomer=newcomer, by=None, end_access=True)


@pytest.mark.parametrize("role", [Role.LEAD, Role.ADJUDICATOR])
def test_only_an_annotator_takes_over(role: str) -> None:
    _project, (leaver,) = planned(2, 1, PlanSettings())
    newcomer = AnnotatorFactory(project=leaver.project, role=role)
    with pytest.raises(Invalid, match="can't be assigned pairs"):
        person_replace(leaver=leaver, newcomer=newcomer, by=None, end_access=False)
    gone = AnnotatorFactory(project=leaver.project, user=None)
    with pytest.raises(Invalid, match="can't be assigned pairs"):
        person_replace(leaver=leaver, newcomer=gone, by=None, end_access=False)
    assert Assignment.objects.filter(annotator=leaver, status=Status.OPEN).count() == 2


def ended(alias: str = "A7", role: str = Role.ANNOTATOR) -> tuple[Annotator, User]:
    person = AnnotatorFactory(alias=alias, role=role)
    user = person.user
    assert user is not None
    return person_end_access(annotator=person), user


def test_a_person_who_is_added_again_has_the_same_alias_and_work() -> None:
    membership, user = ended()
    assignment = AssignmentFactory(pair=PairFactory(project=membership.project), annotator=membership)
    back = person_add(project=membership.project, username=user.username, role=Role.ADJUDICATOR)
    assert (back.annotator.pk, back.annotator.alias, back.returned, back.password) == (membership.pk, "A7", True, None)
    assert back.annotator.role == Role.ADJUDICATOR, "the role is the one that is given now"
    assert list(back.annotator.assignments.all()) == [assignment]
    assert Annotator.objects.filter(project=membership.project).count() == 1


def test_no_one_is_added_again_under_another_alias() -> None:
    membership, user = ended()
    with pytest.raises(Conflict, match="A7"):
        person_add(project=membership.project, username=user.username, alias="B9")
    assert person_add(project=membership.project, username=user.username, alias="A7").returned


def test_access_is_restored_once_and_only_after_it_was_ended() -> None:
    membership, user = ended()
    assert person_restore_access(annotator=membership).user == user
    for person, reason in ((membership, "still has access"), (AnnotatorFactory(user=None), "has no access")):
        with pytest.raises(Conflict, match=reason):
            person_restore_access(annotator=person)
    membership = person_end_access(annotator=membership)
    with pytest.raises(Conflict, match="no access"):
        person_end_access(annotator=membership)
    Annotator.objects.create(project=membership.project, user=user, alias="second")
    with pytest.raises(Conflict, match="second"):
        person_restore_access(annotator=membership)


def test_an_import_adds_work_to_an_ended_membership_and_creates_no_second_one() -> None:
    membership, user = ended()
    pair = PairFactory(project=membership.project)
    record = PairRecord(
        id=pair.external_id,
        a=TextRecord(pair.a.language, pair.a.content),
        b=TextRecord(pair.b.language, pair.b.content),
        annotations=[AnnotationRecord("A7", phase="main", verdict="submitted")],
    )
    import_pairs(slug=membership.project.slug, parsed=ParsedSource([record], membership.project.labels))
    assert list(Annotator.objects.filter(project=membership.project)) == [membership]
    assert person_add(project=membership.project, username=user.username).annotator.assignments.count() == 1


def test_pairs_of_a_person_without_access_can_be_reassigned() -> None:
    membership, _user = ended()
    AssignmentFactory(pair=PairFactory(project=membership.project), annotator=membership)
    newcomer = AnnotatorFactory(project=membership.project)
    assert len(person_replace(leaver=membership, newcomer=newcomer, by=None, end_access=True).moves) == 1


@pytest.mark.parametrize(("typed", "kept"), [("ａｎｎａ", "anna"), ("ﬁ", "fi")])
def test_a_username_is_stored_as_the_log_in_form_reads_it(client: Client, typed: str, kept: str) -> None:
    made = person_add(project=ProjectFactory(), username=typed, password="correct horse battery")
    assert made.annotator.user is not None and made.annotator.user.username == kept
    body = {"username": typed, "password": "correct horse battery"}
    assert client.post("/login/", body).status_code == 302
    assert person_add(project=ProjectFactory(), username=typed).annotator.user == made.annotator.user


INVISIBLE = ["a\u200bnna", "\u200b", "\u202eanna", "a\x1b[31m", "a\nb", "\ufeffanna"]
INVISIBLE += ["\u3164", "\u2800", "\ufe0f", "a\u034fnna", "anna\ufe0f", "a\u200dnna", "\u115f\u1160", "\uffa0"]
INVISIBLE += ["\u200canna", "anna\u200c", "می\u200c", "a\U000e0100", "👩\u200d", "\u200d👩"]


@pytest.mark.parametrize("name", INVISIBLE)
def test_a_name_with_an_invisible_character_is_refused(name: str) -> None:
    project = ProjectFactory()
    with pytest.raises(Invalid, match="invisible character") as refused:
        person_add(project=project, username="dora", alias=name)
    assert refused.value.where == "alias"
    for make in (
        lambda: project_create(name=f"Letters {name} end", scheme=preset("graded")),
        lambda: project_change(project=project, name=f"Letters {name} end", options=ProjectOptions()),
    ):
        with pytest.raises(Invalid, match="invisible character") as refused:
            make()
        assert refused.value.where == "name"


@pytest.mark.parametrize(
    "name",
    ["علی\u200cرضا", "क्\u200dषमा", "👩\u200d👩\u200d👧", "👩🏽\u200d🔬", "❤\ufe0f\u200d🔥 Anna", "Zoë", "José", "金子"],
)
def test_what_a_script_writes_with_joiners_is_a_name(name: str) -> None:
    project = ProjectFactory()
    assert person_add(project=project, username="dora", alias=name).annotator.alias == name
    assert project_create(name=f"Letters {name}", scheme=preset("graded")).name == f"Letters {name}"


def test_marks_alone_are_no_name() -> None:
    with pytest.raises(Invalid, match="at least one visible character") as refused:
        person_add(project=ProjectFactory(), username="dora", alias="\u0301")
    assert refused.value.where == "alias"


@pytest.mark.parametrize("username", ["anna\u3164", "\u3164", "an\u115fna"])
def test_a_username_has_no_invisible_character(username: str) -> None:
    with pytest.raises(Invalid, match="invisible character") as refused:
        person_add(project=ProjectFactory(), username=username)
    assert refused.value.where == "username" and not User.objects.exists()


@pytest.mark.parametrize("username", ["ANNA", "Anna", "ＡＮＮＡ"])
def test_a_username_that_looks_like_another_is_refused(username: str) -> None:
    UserFactory(username="anna")
    project = ProjectFactory()
    with pytest.raises(Conflict, match="looks the same as the existing username “anna”") as refused:
        person_add(project=project, username=username)
    assert refused.value.where == "username" and User.objects.count() == 1
    assert person_add(project=project, username="ａnna").annotator.user == User.objects.get(), "NFKC, as in the log-in"


@pytest.mark.parametrize(("existing", "username"), [("coco", "сосо"), ("ВОТ", "BOT"), ("Ivan", "ινan"), ("оn", "oN")])
def test_a_username_in_another_script_that_looks_like_an_existing_one_is_refused(existing: str, username: str) -> None:
    UserFactory(username=existing)
    with pytest.raises(DomainError):
        person_add(project=ProjectFactory(), username=username)
    assert User.objects.count() == 1
    assert person_add(project=ProjectFactory(), username=existing).annotator.user == User.objects.get()


@pytest.mark.parametrize("username", ["аnna", "annα", "pаul", "ivanовa"])
def test_a_username_that_mixes_scripts_is_refused(username: str) -> None:
    with pytest.raises(Invalid, match="mixes letters of several scripts") as refused:
        person_add(project=ProjectFactory(), username=username)
    assert refused.value.where == "username" and not User.objects.exists()


@pytest.mark.parametrize(
    "username", ["анна.2", "κώστας", "金子", "さくら花", "ソラーX", "김철수", "نور", "José", "a@b.c"]
)
def test_a_username_in_one_script_is_accepted(username: str) -> None:
    UserFactory(username="anna")
    user = person_add(project=ProjectFactory(), username=username).annotator.user
    assert user is not None and user.username == username
