"""Re-tests are assigned as they were previewed, after everything else, and are never reassigned."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.errors import Conflict, Invalid
from annotation.models import Annotation, Annotator, Assignment, Project
from annotation.planning.retests import RetestSettings
from annotation.services.plans import existing_assignments
from annotation.services.retests import retests_create, retests_preview
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db
ASKED: dict[str, Any] = {"phase": "main", "settings": RetestSettings()}


def worked(days: int, pairs: int = 3) -> tuple[Project, Annotator]:
    project: Project = ProjectFactory()
    person: Annotator = AnnotatorFactory(project=project)
    for order, pair in enumerate(PairFactory.create_batch(pairs, project=project)):
        assignment = AssignmentFactory(pair=pair, annotator=person, order=order, status="done", highlights_shown=False)
        Annotation.objects.create(assignment=assignment, pair=pair, source="human", verdict="submitted")
    Annotation.objects.update(changed=timezone.now() - timedelta(days=days))
    return project, person


def test_the_previewed_re_tests_are_assigned_empty_and_after_everything_else() -> None:
    project, person = worked(days=20)
    arguments: dict[str, Any] = {
        **ASKED,
        "project": project,
        "annotators": [person],
        "settings": RetestSettings(pairs=2),
    }
    seen = retests_preview(**arguments)
    assert Assignment.objects.count() == 3
    retests_create(**arguments, digest=seen.digest)
    again = Assignment.objects.filter(round=1).order_by("order")
    assert [row.pair_id for row in again] == [each.pair for each in seen.planned]
    assert [row.order for row in again] == [3, 4] and {row.status for row in again} == {"open"}
    assert not Annotation.objects.filter(assignment__round=1).exists()


def test_what_changed_since_the_preview_is_not_assigned() -> None:
    project, person = worked(days=20)
    with pytest.raises(Conflict):
        retests_create(project=project, phase="main", annotators=[person], settings=RetestSettings(), digest="another")
    assert not Assignment.objects.filter(round=1).exists()


def test_work_of_last_week_is_too_recent() -> None:
    project, person = worked(days=6)
    with pytest.raises(Invalid, match="that long ago"):
        retests_preview(project=project, phase="main", annotators=[person], settings=RetestSettings(days=14))


def test_a_rejected_pair_is_not_re_tested() -> None:
    project, person = worked(days=20, pairs=1)
    Annotation.objects.update(verdict="rejected")
    with pytest.raises(Invalid):
        retests_preview(project=project, phase="main", annotators=[person], settings=RetestSettings())


def test_a_re_test_is_not_reassigned() -> None:
    project, person = worked(days=20)
    arguments: dict[str, Any] = {**ASKED, "project": project, "annotators": [person]}
    retests_create(**arguments, digest=retests_preview(**arguments).digest)
    assert Assignment.objects.filter(round=1).count() == 3 and len(existing_assignments(project)) == 3
