"""A new name in the project: for the work as it is, in the gold's settings, and never someone else's."""

from __future__ import annotations

import pytest
from django.utils import timezone

from agreement.models import DryRun, GoldVersion
from annotation.errors import Conflict, Invalid
from annotation.models import Annotation, Annotator
from annotation.selectors.export_records import published_names
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from annotation.services.people import person_add, person_replace
from annotation.services.person_renames import person_rename
from tests.annotation.work import doc
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def test_a_new_name_is_wherever_the_old_one_was_and_published_names_stay() -> None:
    project = ProjectFactory()
    other = AnnotatorFactory(project=project, alias="Bruno")
    person = AnnotatorFactory(project=project, alias="Anna")
    before = published_names(project)
    started = AssignmentFactory(pair=PairFactory(project=project), annotator=other)
    annotation_save(assignment=started, by=None, base=0, sent=AnnotationInput(spans=doc()))
    person_replace(leaver=other, newcomer=person, by=None, end_access=False)
    settings = {"annotator": "Anna", "choices": {"pair-1": "Anna", "pair-2": "Bruno"}, "label": "Anna"}
    version = GoldVersion.objects.create(project=project, number=1, rule="pick", phase="main", parameters=settings)
    elsewhere = GoldVersion.objects.create(
        project=ProjectFactory(), number=1, rule="pick", phase="main", parameters=settings
    )
    DryRun.objects.create(project=project, rule="pick", parameters={"annotator": "Anna"}, requested=timezone.now())
    person_rename(annotator=person, alias=" Anna M. ")
    person.refresh_from_db()
    version.refresh_from_db()
    elsewhere.refresh_from_db()
    assert person.alias == "Anna M." and published_names(project) == before
    assert version.parameters == {
        "annotator": "Anna M.", "choices": {"pair-1": "Anna M.", "pair-2": "Bruno"}, "label": "Anna"
    }  # fmt: skip
    assert elsewhere.parameters == settings and not DryRun.objects.exists()
    assert Annotation.objects.get(assignment=started).reason == "Reassigned to Anna M."
    assert [row.alias for row in Annotator.history.filter(id=person.pk)] == ["Anna M.", "Anna"]


def test_a_name_that_someone_has_or_had_is_refused_and_ones_own_is_not() -> None:
    project = ProjectFactory()
    anna, bruno = (AnnotatorFactory(project=project, alias=alias) for alias in ("Anna", "Bruno"))
    person_rename(annotator=anna, alias="Dora")
    for alias in ("Bruno", "Anna"):
        if alias != "Bruno":
            with pytest.raises(Conflict):
                person_rename(annotator=bruno, alias=alias)
        else:
            assert person_rename(annotator=bruno, alias=alias).alias == "Bruno"
    with pytest.raises(Conflict, match="once called"):
        person_add(project=project, username="new", alias="Anna", password="correct horse battery")
    with pytest.raises(Conflict, match="already called"):
        person_rename(annotator=anna, alias="Bruno")
    assert person_rename(annotator=anna, alias="Anna").alias == "Anna", "back to one's own"
    for alias in ("", "x" * 81, "A\u200bB"):
        with pytest.raises(Invalid):
            person_rename(annotator=anna, alias=alias)


def test_published_names_never_change_by_a_new_name() -> None:
    project = ProjectFactory()
    number = AnnotatorFactory(project=project, alias="annotator5")
    person = AnnotatorFactory(project=project, alias="Anna")
    for who, alias in ((number, "Bruno"), (person, "7")):
        with pytest.raises(Conflict, match="published under different names"):
            person_rename(annotator=who, alias=alias)


def test_the_next_free_name_is_not_one_that_someone_had() -> None:
    project = ProjectFactory()
    first = person_add(project=project, username="one", password="correct horse battery").annotator
    person_rename(annotator=first, alias="Anna")
    assert person_add(project=project, username="two", password="correct horse battery").annotator.alias == "A2"
