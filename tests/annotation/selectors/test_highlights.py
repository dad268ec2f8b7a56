"""Whether annotators could see highlights while working: only if there were any, and the project showed them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Annotation, Assignment, Highlight, Project
from annotation.selectors.highlights import highlights_seen
from tests.agreement.work import pair, submit
from tests.factories import AnnotatorFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def seen(project: Project) -> list[bool]:
    found = Assignment.objects.filter(pair__project=project).annotate(seen=highlights_seen(project))
    return list(found.order_by("pk").values_list("seen", flat=True))


def test_a_highlight_counts_where_it_is_shown_and_there_in_time() -> None:
    project = ProjectFactory()
    on, other = pair(project), pair(project)
    for each in (on, other):
        for alias in ("A1", "A2"):
            submit(each, AnnotatorFactory(project=project, alias=f"{alias}-{each.pk}", user=None), [])
    Assignment.objects.filter(annotator__alias__startswith="A2").update(highlights_shown=False)
    assert seen(project) == [False] * 4, "no model has pre-labelled the pairs"
    for each in (on, other):
        Highlight.objects.create(pair=each, run="r1", method="m", scores_a=[], scores_b=[])
    assert seen(project) == [False] * 4, "what is written after the work was not seen"
    Highlight.objects.filter(pair=on).update(made=timezone.now() - timedelta(days=1))
    assert seen(project) == [True, False, False, False]
    Annotation.objects.update(changed=timezone.now() + timedelta(days=1))
    assert seen(project) == [True, False, True, False]


def test_a_run_that_the_project_never_showed_was_not_seen() -> None:
    project = ProjectFactory(settings={"highlights_run": ""})
    on = pair(project)
    submit(on, AnnotatorFactory(project=project, user=None), [])
    Highlight.objects.create(pair=on, run="r1", method="m", scores_a=[], scores_b=[])
    Annotation.objects.update(changed=timezone.now() + timedelta(days=1))
    assert seen(project) == [False]
    project.settings = {"highlights_run": "r1"}
    project.save()
    assert seen(project) == [True]
    project.settings = {"highlights_run": ""}
    project.save()
    assert seen(project) == [True], "it was shown for a while"
