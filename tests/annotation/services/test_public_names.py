"""Public names: numbers, which stay once someone's work is published."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from django.apps import apps

from agreement.models import Publication
from agreement.publication.export import export
from annotation.models import Annotator
from annotation.selectors.export_records import published_names
from annotation.services.person_renames import person_rename
from annotation.services.public_names import public_names_keep
from annotation.text.schemes import PRESETS
from tests.agreement.work import pair, submit
from tests.factories import AnnotatorFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def test_whoever_joins_after_a_publication_changes_no_public_name() -> None:
    project = ProjectFactory()
    lead, anna, ben = (AnnotatorFactory(project=project, alias=alias, user=None) for alias in ("Lea", "Anna", "Ben"))
    on = pair(project)
    for person in (anna, ben):
        submit(on, person, [])
    assert list(published_names(project).values()) == ["annotator1", "annotator2", "annotator3"]
    public_names_keep(project)
    late = [AnnotatorFactory(project=project, alias=f"annotator{n}", user=None) for n in (1, 2)]
    found = published_names(project)
    assert [found[each.pk] for each in (anna, ben)] == ["annotator2", "annotator3"], "as they were published"
    assert [found[each.pk] for each in late] == ["annotator1", "annotator5"], "the first is nobody's yet"
    assert found[lead.pk] == "annotator4", "whose work was never published"
    anna.refresh_from_db()
    person_rename(annotator=anna, alias="17")
    assert published_names(project)[anna.pk] == "annotator2"
    Annotator.objects.filter(pk=ben.pk).delete()
    public_names_keep(project)
    assert published_names(project)[anna.pk] == "annotator2"


def test_before_that_numbers_of_imported_work_come_first() -> None:
    project = ProjectFactory()
    anna, imported = (AnnotatorFactory(project=project, alias=alias, user=None) for alias in ("Anna", "annotator1"))
    assert published_names(project) == {anna.pk: "annotator2", imported.pk: "annotator1"}


def test_an_export_with_public_names_keeps_them(tmp_path: Path) -> None:
    project = ProjectFactory(scheme=PRESETS["graded"].to_json())
    person = AnnotatorFactory(project=project, alias="Anna", user=None)
    submit(pair(project), person, [])
    export(project=project, to="jsonl", out=tmp_path / "own.jsonl")
    person.refresh_from_db()
    assert person.published_as == ""
    export(project=project, to="hub", out=tmp_path / "set")
    person.refresh_from_db()
    assert person.published_as == "annotator1"


def test_those_of_earlier_publications_are_kept_from_now_on() -> None:
    project, other = ProjectFactory(), ProjectFactory()
    for each in (project, other):
        for alias in ("Anna", "annotator1", "7", "Lea"):
            person = AnnotatorFactory(project=each, alias=alias, user=None)
            if alias != "Lea":
                submit(pair(each), person, [])
    names = published_names(project)
    made = {"format": "hub"}
    Publication.objects.create(project=project, number=1, status="done", **made)
    Publication.objects.create(project=other, number=1, status="failed", **made)
    importlib.import_module("agreement.migrations.0019_names_of_earlier_publications").keep(apps, None)
    kept = dict(project.annotators.exclude(published_as="").values_list("pk", "published_as"))
    assert kept == {pk: name for pk, name in names.items() if name != "annotator3"}
    assert not other.annotators.exclude(published_as="").exists()
