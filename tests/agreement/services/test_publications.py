"""Publications: small ones at once, large ones by any worker, and none lost with a worker that died."""

from __future__ import annotations

import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from agreement.card import Terms
from agreement.forms import FORMATS as CHOICES
from agreement.models import Building, Publication
from agreement.services import publications as service
from agreement.services.publications import publication_file, publication_request, publications_work
from annotation.errors import Conflict, Invalid
from annotation.formats import FORMATS
from annotation.models import Project
from annotation.services.gold import gold_write
from tests.factories import PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data(settings: object, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    return tmp_path


@pytest.fixture
def project() -> Project:
    made: Project = ProjectFactory(slug="towns")
    gold_write(pair=PairFactory(project=made), version=0, spans=[], provenance={})
    return made


def ask(project: Project, to: str = "hub") -> Publication:
    return publication_request(project=project, to=to, terms=Terms("cc0-1.0", "Two towns."), by=None)


def test_a_small_one_is_there_at_once(project: Project) -> None:
    made = ask(project)
    assert (made.number, made.status, made.gold, made.done, made.total) == (1, Building.DONE, 0, 1, 1)
    with zipfile.ZipFile(publication_file(made)) as archive:
        names = archive.namelist()
        assert {"towns-1/README.md", "towns-1/diptych.json"} < set(names)
        assert "Two towns." in archive.read("towns-1/README.md").decode()
    assert ask(project, "jsonl").number == 2


def test_every_format_can_be_chosen() -> None:
    assert [name for name, _ in CHOICES] == sorted(FORMATS, key=[name for name, _ in CHOICES].index)


def test_what_cannot_be_is_refused_and_leaves_no_row(project: Project) -> None:
    with pytest.raises(Invalid, match="no format"):
        ask(project, "pdf")
    with pytest.raises(Invalid, match="no pairs"):
        ask(ProjectFactory())
    project.scheme = {**project.scheme, "labels": [{"key": "x", "name": "X"}], "default": "same"}
    project.save()
    with pytest.raises(Invalid, match="grades"):
        ask(project, "rsd")
    assert not Publication.objects.exists()


def test_a_large_one_waits_for_a_worker(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "AT_ONCE", 0)
    made = ask(project, "csv")
    assert made.status == Building.QUEUED
    with pytest.raises(Conflict, match="not ready"):
        publication_file(made)
    assert publications_work() == 1
    made.refresh_from_db()
    assert (made.status, made.file) == (Building.DONE, "towns-1.zip")
    assert publications_work() == 0


def test_a_dead_workers_is_taken_over_and_a_living_ones_is_not(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "AT_ONCE", 0)
    rows = Publication.objects.filter(pk=ask(project).pk)
    rows.update(status=Building.RUNNING, claimed=timezone.now())
    assert publications_work() == 0
    rows.update(claimed=timezone.now() - timedelta(minutes=6))
    assert publications_work() == 1
    assert rows.get().status == Building.DONE


def test_one_that_fails_says_why_and_does_not_stop_the_rest(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "AT_ONCE", 0)
    bad, good = ask(project, "rsd"), ask(project)
    Publication.objects.filter(pk=bad.pk).update(format="xparade", gold=None)
    monkeypatch.setitem(FORMATS, "xparade", None)
    assert publications_work() == 2
    bad.refresh_from_db()
    good.refresh_from_db()
    assert (bad.status, good.status) == (Building.FAILED, Building.DONE)
    assert bad.problem.startswith("AttributeError")
    assert [path.name for path in service.publications_folder().iterdir()] == [good.file]
