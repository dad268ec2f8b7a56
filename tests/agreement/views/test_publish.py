"""The page of publications: leads alone, what is asked for, and the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse

from agreement import tasks
from agreement.models import Building, Publication
from agreement.services import publications as service
from annotation.models import Project
from tests.agreement.views.access import member, statuses
from tests.factories import PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db
LEADS = {"stranger": 404, "annotator": 403, "adjudicator": 403, "lead": 200, "nobody": 302}
ASKED = {"format": "hub", "licence": "cc-by-4.0", "description": "Two towns."}


@pytest.fixture
def project(settings: object, tmp_path: Path) -> Project:
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    made: Project = ProjectFactory(slug="towns")
    PairFactory(project=made)
    return made


def address(project: Project, *rest: object) -> str:
    return reverse("publication" if rest else "publish", args=[project.slug, *rest])


def test_access(project: Project) -> None:
    assert statuses(project, address(project)) == LEADS
    member(project, "lead").post(address(project), ASKED)
    assert statuses(project, address(project, 1)) == LEADS
    assert statuses(project, address(project, 9)) == {**LEADS, "lead": 404}
    assert statuses(project, address(project), "post") == {**LEADS, "lead": 422}


def test_a_publication_is_made_and_fetched(project: Project) -> None:
    client = member(project, "lead")
    assert client.post(address(project), ASKED).status_code == 302
    page = client.get(address(project)).content.decode()
    assert "towns-1.zip" in page and "CC BY 4.0" in page
    assert "Two towns.</textarea>" in page, "the last description is there to be used again"
    fetched = client.get(address(project, 1))
    assert fetched["Content-Disposition"] == 'attachment; filename="towns-1.zip"'
    assert b"".join(fetched.streaming_content)[:2] == b"PK"  # type: ignore[attr-defined]


def test_a_format_that_cannot_hold_the_project_is_said_in_the_form(project: Project) -> None:
    project.scheme = {**project.scheme, "labels": [{"key": "x", "name": "X"}], "default": "same"}
    project.save()
    page = member(project, "lead").post(address(project), ASKED | {"format": "rsd"})
    assert page.status_code == 422 and "this scheme has others" in page.content.decode()
    assert not Publication.objects.exists()


def test_a_large_one_is_awaited_and_the_bell_rung_again(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "AT_ONCE", 0)
    rung: list[bool] = []
    monkeypatch.setattr(tasks.publications, "apply_async", lambda **options: rung.append(True))
    client = member(project, "lead")
    client.post(address(project), ASKED)
    page = client.get(address(project)).content.decode()
    assert "0 of 1 pairs" in page and 'hx-trigger="every 2s"' in page and rung == [True]
    assert client.get(address(project, 1)).status_code == 409
    tasks.publications()
    part = client.get(address(project), headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<div id="publications"') and "hx-trigger" not in part
    assert Publication.objects.get().status == Building.DONE


def test_a_lost_broker_does_no_harm(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(**options: object) -> None:
        raise OSError("no broker")

    monkeypatch.setattr(service, "AT_ONCE", 0)
    monkeypatch.setattr(tasks.publications, "apply_async", lost)
    client = member(project, "lead")
    client.post(address(project), ASKED)
    assert client.get(address(project)).status_code == 200
