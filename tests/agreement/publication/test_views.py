"""The page of publications: leads alone, what is asked for, and the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from agreement.models import GoldVersion, Publication, Withdrawal
from agreement.publication.services import publications as service
from annotation.models import Annotation, JobStatus, Project, Source, Worker
from annotation.vocabulary import Verdict
from annotation.workers import record_presence
from tests.agreement.access import member, statuses
from tests.agreement.card_facts import state_card_facts
from tests.factories import AssignmentFactory, PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db
LEADS = {"stranger": 404, "annotator": 403, "adjudicator": 403, "lead": 200, "nobody": 302}
ASKED = {"format": "hub", "licence": "cc-by-4.0", "description": "Two towns."}


@pytest.fixture
def project(settings: object, tmp_path: Path) -> Project:
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    made: Project = ProjectFactory(slug="towns")
    PairFactory(project=made)
    return state_card_facts(made)


def address(project: Project, *rest: object) -> str:
    return reverse("publication" if rest else "publish", args=[project.slug, *rest])


def test_access(project: Project) -> None:
    assert statuses(project, address(project)) == LEADS
    member(project, "lead").post(address(project), ASKED)
    assert statuses(project, address(project, 1)) == LEADS
    assert statuses(project, address(project, 9)) == {**LEADS, "lead": 404}
    assert statuses(project, address(project), "post") == {**LEADS, "lead": 422, "nobody": 401}


def test_a_publication_is_made_and_fetched(project: Project) -> None:
    client = member(project, "lead")
    assert client.post(address(project), ASKED).status_code == 302
    page = client.get(address(project)).content.decode()
    assert "towns-1.zip" in page and "<td>CC BY 4.0</td>" in page
    assert "Two towns.</textarea>" in page, "the last description is there to be used again"
    fetched = client.get(address(project, 1))
    assert fetched["Content-Disposition"] == 'attachment; filename="towns-1.zip"'
    assert b"".join(fetched.streaming_content)[:2] == b"PK"  # type: ignore[attr-defined]


def test_imported_gold_that_no_version_holds_is_not_published_and_counted(project: Project) -> None:
    client = member(project, "lead")
    PairFactory(project=project)
    first, second = project.pairs.all()
    for pair in (first, second):
        Annotation.objects.create(pair=pair, source=Source.GOLD, verdict=Verdict.SUBMITTED, gold_version=0)
    page = client.get(address(project)).content.decode()
    assert "2 with imported gold." in page and "only imported gold" not in page
    version = GoldVersion.objects.create(project=project, number=1, rule="majority", phase="main")
    Annotation.objects.create(pair=first, source=Source.GOLD, verdict=Verdict.SUBMITTED, gold_version=version.number)
    page = " ".join(client.get(address(project)).content.decode().split())
    assert "1 with <b>gold version 1</b>." in page
    assert "1 pair has only imported gold and is published without it" in page
    work = AssignmentFactory(pair=first, annotator__project=project)
    Annotation.objects.create(pair=first, assignment=work, source=Source.HUMAN, verdict=Verdict.SUBMITTED)
    Withdrawal.objects.create(annotator=work.annotator)
    assert "0 with <b>gold version 1</b>." in " ".join(client.get(address(project)).content.decode().split())


def test_splits_are_drawn_as_asked_and_refused_beside_their_field(project: Project) -> None:
    client = member(project, "lead")
    refused = client.post(address(project), ASKED | {"splits": "train:80"})
    assert refused.status_code == 422 and "“train:80” does not give a split and its share." in refused.content.decode()
    client.post(address(project), ASKED | {"splits": "train=100", "seed": "0"})
    made = Publication.objects.get()
    assert (made.splits, made.seed, made.status) == ("train=100", 0, JobStatus.DONE)
    page = client.get(address(project)).content.decode()
    assert 'value="train=100"' in page and 'value="0"' in page


@pytest.mark.parametrize("large", [False, True])
def test_a_format_that_cannot_hold_the_project_is_said_in_the_form(
    project: Project, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:  # no worker is asked in vain
        monkeypatch.setattr("agreement.publication.services.publications.MAX_SYNC_PAIRS", 0)
    project.scheme = {**project.scheme, "labels": [{"key": "x", "name": "X"}], "default": "same"}
    project.save()
    page = member(project, "lead").post(address(project), ASKED | {"format": "rsd"})
    assert page.status_code == 422 and "this scheme has others" in page.content.decode()
    assert not Publication.objects.exists()
    assert not Publication.objects.exists()


def test_a_large_one_is_awaited_and_workers_are_notified(
    project: Project, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", 0)
    notified: list[str] = []
    monkeypatch.setattr(service, "notify", notified.append)
    client = member(project, "lead")
    with django_capture_on_commit_callbacks(execute=True):
        client.post(address(project), ASKED)
    page = client.get(address(project)).content.decode()
    assert "0 of 1 pairs" in page and 'hx-trigger="every 2s"' in page and notified == ["publications"]
    assert f'formaction="{reverse("publication-delete", args=[project.slug, 1])}"' in page, "it can be cancelled"
    assert client.get(address(project, 1)).status_code == 409
    no_worker = "No worker is running, so nothing will happen yet. Start one with script/worker."
    assert no_worker in page
    record_presence(["cpu"])
    assert no_worker not in client.get(address(project)).content.decode()
    Worker.objects.all().delete()
    service.publications_run()
    part = client.get(address(project), headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<div id="publications"') and "hx-trigger" not in part
    assert no_worker not in part
    assert Publication.objects.get().status == JobStatus.DONE


def test_a_failed_one_says_a_sentence_and_has_buttons(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(**_: object) -> None:
        raise TypeError("unexpected keyword argument 'languages'")

    client = member(project, "lead")
    with monkeypatch.context() as broken:
        broken.setattr(service, "export", crash)
        assert client.post(address(project), ASKED).status_code == 302
    page = client.get(address(project)).content.decode()
    assert "Failed: Stopped because of an internal error." in page and "TypeError" not in page
    for name in ("publication-retry", "publication-delete"):
        where = reverse(name, args=[project.slug, 1])
        assert f'formaction="{where}"' in page
        assert client.get(where).status_code == 405
    assert client.post(reverse("publication-retry", args=[project.slug, 1])).status_code == 302
    assert Publication.objects.get().status == JobStatus.DONE
    assert client.post(reverse("publication-delete", args=[project.slug, 1])).status_code == 409
    Publication.objects.update(status=JobStatus.FAILED)
    others = {"stranger": 404, "annotator": 403, "adjudicator": 403, "nobody": 401}
    for name in ("publication-retry", "publication-delete"):
        found = statuses(project, reverse(name, args=[project.slug, 1]), "post")
        assert {who: found[who] for who in others} == others
        Publication.objects.update(status=JobStatus.FAILED)
    assert not Publication.objects.exists()
