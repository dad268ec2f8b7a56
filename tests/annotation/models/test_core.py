"""Database constraints refuse what no service may write."""

import pytest
from django.db import IntegrityError

from annotation.models import Annotation, Source
from tests.factories import AssignmentFactory

pytestmark = pytest.mark.django_db


def test_gold_without_a_version_is_refused() -> None:
    pair = AssignmentFactory().pair
    with pytest.raises(IntegrityError):
        Annotation.objects.create(source=Source.GOLD, pair=pair)


def test_human_work_needs_an_assignment_and_has_no_gold_version() -> None:
    assignment = AssignmentFactory()
    with pytest.raises(IntegrityError):
        Annotation.objects.create(source=Source.HUMAN, pair=assignment.pair, assignment=assignment, gold_version=1)
