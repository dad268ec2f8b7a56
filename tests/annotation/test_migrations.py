"""How migrations convert the rows of an older database."""

from __future__ import annotations

import importlib
from datetime import timedelta

import pytest
from django.apps import apps

from annotation.models import Annotator, User
from annotation.services.people import person_add
from tests.factories import AnnotatorFactory, ProjectFactory, UserFactory

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
