"""The page of the site's owner: only they see it, and it says what runs, waits and failed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from agreement.models import CachedReport
from annotation.models import JobStatus, Worker
from annotation.models.imports import Import
from annotation.site_version import site_version
from annotation.workers import record_presence
from assist.models import Run
from operation import health
from tests.annotation.work import house
from tests.factories import ProjectFactory

pytestmark = pytest.mark.django_db
ADDRESS = "/server/"


def test_only_the_sites_owner_learns_of_it() -> None:
    at = house()
    for who in ("lead", "annotator", "adjudicator", "other", "stranger"):
        assert getattr(at, who).get(ADDRESS).status_code == 404
    assert at.anonymous.get(ADDRESS)["Location"].startswith(reverse("login"))
    assert at.superuser.get(ADDRESS).status_code == 200
    assert reverse("server") in at.superuser.get(reverse("home")).content.decode()
    assert reverse("server") not in at.lead.get(reverse("home")).content.decode()


def test_it_says_what_runs_waits_and_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    at = house()
    project = ProjectFactory(name="Towns & <cities>")
    record_presence(["cpu", "gpu"])
    Worker.objects.create(name="silent-one", queues=["cpu"], seen=timezone.now() - timedelta(hours=1))
    Import.objects.create(project=project, slug=project.slug)
    Import.objects.create(project=None, slug="new", status=JobStatus.FAILED, problem="the disk was full")
    Run.objects.create(project=project, slug="r1", method="m", status=JobStatus.FAILED, error="no such model")
    CachedReport.objects.create(project=project, view="phase=main", failed="f", problem="too little work")
    said = " ".join(at.superuser.get(ADDRESS).content.decode().split())
    for text in (
        *("<b>1 worker</b> is running.", "1 job is waiting.", "cpu, gpu", "silent-one", "are free."),
        *("the disk was full", "no such model", "too little work", "Towns &amp; &lt;cities&gt;", site_version()),
    ):
        assert text in said, text
    assert "not up to date" not in said
    monkeypatch.setattr("operation.views.pending_migrations", lambda: ["annotation.0099_more"])
    assert "annotation.0099_more" in at.superuser.get(ADDRESS).content.decode()


def test_an_idle_site_says_so() -> None:
    said = house().superuser.get(ADDRESS).content.decode()
    for text in ("<b>0 workers</b> are running.", "No job has failed.", "No worker has run", "Start a worker"):
        assert text in said
    assert health.pending_migrations() == []
