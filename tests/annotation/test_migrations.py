"""How migrations convert the rows of an older database."""

from __future__ import annotations

import importlib
from datetime import date, timedelta

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from annotation.models import Annotator, Assignment, User
from annotation.models.time import WorkDay
from annotation.models.webhooks import Webhook
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from annotation.services.people import person_add, person_end_access
from annotation.services.qualification import person_retry
from tests.annotation.qualified import assign, candidate, ruled, submit_all, with_gold
from tests.annotation.work import doc
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_memberships_whose_access_ended_earlier_know_their_account() -> None:
    ended, user = AnnotatorFactory(), UserFactory()
    ended.user, owner = None, ended.user
    ended.save()
    returned = AnnotatorFactory(user=user)
    returned.user = None
    returned.save()
    AnnotatorFactory(project=returned.project, user=user, alias="second")
    imported = AnnotatorFactory(user=None)
    importlib.import_module("annotation.migrations.0005_former_log_ins_from_history").from_history(apps, None)
    former = dict(Annotator.objects.values_list("pk", "former_user"))
    assert former[ended.pk] == owner.pk
    assert former[returned.pk] is None and former[imported.pk] is None


def test_accounts_know_the_project_in_which_they_were_created() -> None:
    made = person_add(project=ProjectFactory(), username="made.here").annotator
    older = AnnotatorFactory()
    User.objects.filter(pk=older.user.pk).update(date_joined=older.user.date_joined - timedelta(minutes=1))
    alone = UserFactory()
    User.objects.update(made_in=None)
    importlib.import_module("annotation.migrations.0019_accounts_from_history").from_history(apps, None)
    found = dict(User.objects.values_list("pk", "made_in"))
    assert found == {made.user_id: made.project_id, older.user.pk: None, alone.pk: None}


def test_pairs_of_earlier_retries_name_them() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    with_gold(project)
    submit_all(person)
    step = person_retry(annotator=person, pairs=1, by=None)
    last = Assignment.objects.get(retry=step)
    later = assign(person, with_gold(project), order=last.order + 1)
    Assignment.objects.update(retry=None)
    importlib.import_module("annotation.migrations.0032_assignments_of_earlier_retries").from_orders(apps, None)
    assert list(Assignment.objects.exclude(retry=None)) == [last] != [later]


def test_earlier_time_is_on_the_day_on_which_a_pair_was_last_saved() -> None:
    here, imported = AnnotatorFactory(), AnnotatorFactory(user=None)
    former = AnnotatorFactory(project=here.project)
    days = {here: [(10, 60), (10, 30), (3, 45)], former: [(5, 20)], imported: [(7, 500)]}
    now = timezone.now()
    for person, work in days.items():
        for before, seconds in work:
            assignment = AssignmentFactory(pair=PairFactory(project=person.project), annotator=person)
            made = annotation_save(
                assignment=assignment, by=None, base=0, sent=AnnotationInput(spans=doc(), active_seconds=seconds)
            )
            made.revisions.create(number=0, spans={})  # an earlier one
            made.revisions.filter(number=0).update(made=now - timedelta(days=before + 50))
            made.revisions.filter(number=1).update(made=now - timedelta(days=before))
    person_end_access(annotator=former)
    WorkDay.objects.all().delete()
    importlib.import_module("annotation.migrations.0023_work_days_from_revisions").from_revisions(apps, None)
    found = {(row.annotator_id, row.day): row.seconds for row in WorkDay.objects.all()}

    def day(before: int) -> date:
        return timezone.localdate(now - timedelta(days=before))

    assert found == {(here.pk, day(10)): 90, (here.pk, day(3)): 45, (former.pk, day(5)): 20}


@pytest.mark.django_db(transaction=True)
def test_webhooks_keep_what_was_stored_under_earlier_names() -> None:
    project, now = ProjectFactory(), timezone.now()
    executor = MigrationExecutor(connection)
    executor.migrate([("annotation", "0039_time_corrections")])
    try:
        earlier = executor.loader.project_state([("annotation", "0039_time_corrections")]).apps
        earlier.get_model("annotation", "Webhook").objects.create(
            project_id=project.pk,
            url="https://example.org/",
            former=[["n", "2026-01-01"]],
            served=now,
            broken=now,
            told=True,
        )
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
    hook = Webhook.objects.get()
    assert (hook.earlier_nonces, hook.leads_notified) == ([["n", "2026-01-01"]], True)
    assert hook.last_sent == hook.disabled_at == now
