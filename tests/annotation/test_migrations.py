"""How migrations convert the rows of an older database."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps

from annotation.models import Annotator
from tests.factories import AnnotatorFactory, UserFactory

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
