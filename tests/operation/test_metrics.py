"""Metrics: who may read them, and that they count."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from agreement.models import Publication
from annotation.models import JobStatus, Role, Worker
from annotation.models.imports import Import
from annotation.text.spans import spans_document
from assist.models import Lot, LotStatus, Run
from tests.agreement.access import member
from tests.agreement.gold.home import home
from tests.agreement.work import spans_of
from tests.annotation.work import BIBLIOTHEK, LIBRARY, doc, house, span
from tests.factories import ProjectFactory
from tests.paths import ROOT

pytestmark = pytest.mark.django_db
TOKEN = "a long token for the monitoring"


def values(client: Client, **headers: str) -> dict[str, float]:
    response = client.get(reverse("metrics"), headers=headers)
    assert response.status_code == 200 and response["Content-Type"].startswith("text/plain")
    lines = [line.rpartition(" ") for line in response.content.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _space, value in lines}


def test_without_a_token_only_the_sites_owner_reads_them() -> None:
    at = house()
    address = reverse("metrics")
    for who in ("lead", "annotator", "adjudicator", "other", "stranger", "anonymous"):
        assert getattr(at, who).get(address).status_code == 404
    assert at.superuser.get(address).status_code == 200
    for given in ("Bearer", "Bearer ", "Bearer x", f"Basic {TOKEN}"):
        assert Client().get(address, headers={"authorization": given}).status_code == 404
    assert at.superuser.post(address).status_code == 405


def test_with_the_token_a_program_reads_them(settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    assert values(Client(), authorization=f"Bearer {TOKEN}")
    for given in (f"Bearer {TOKEN} ", f"Bearer {TOKEN[:-1]}", TOKEN, "Bearer ä"):
        assert Client().get(reverse("metrics"), headers={"authorization": given}).status_code == 404


def test_requests_saves_and_conflicts_are_counted() -> None:
    at = house()
    before = values(at.superuser)
    address = reverse("api-annotation", args=[at.assignment.pk])
    body = {"revision": 0, "spans": doc(span(LIBRARY, BIBLIOTHEK))}
    statuses = [at.annotator.put(address, body, content_type="application/json").status_code]
    body["spans"] = doc(span(LIBRARY))
    statuses.append(at.annotator.put(address, body, content_type="application/json").status_code)
    assert statuses == [200, 409]
    after = values(at.superuser)

    def more(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert more("diptych_saves_total") == more("diptych_save_conflicts_total") == 1
    assert more('diptych_requests_total{method="PUT",status="409",view="api-annotation"}') == 1
    assert more('diptych_request_seconds_count{view="api-annotation"}') == 2
    assert not [name for name in after if at.project.slug in name or "Bibliothek" in name]


def test_saves_of_gold_are_counted_too() -> None:
    at, owner = home(), house().superuser
    at.open()
    before = values(owner).get("diptych_saves_total", 0)
    address = reverse("api-manual-adjudication-annotation", args=[at.project.slug, at.pair.pk])
    body = {"revision": 0, "spans": spans_document(spans_of(at.pair, [("4", [0, 1], [0])]))}
    response = member(at.project, Role.ADJUDICATOR).put(address, body, content_type="application/json")
    assert response.status_code == 200
    assert values(owner)["diptych_saves_total"] == before + 1


def test_what_nobody_knows_makes_no_new_series() -> None:
    at = house()
    at.anonymous.get("/something/that/someone/typed/")
    at.anonymous.generic("BREW", reverse("login"))
    names = values(at.superuser)
    assert 'diptych_requests_total{method="GET",status="404",view="none"}' in names
    assert any('method="OTHER"' in name for name in names) and not any("BREW" in name for name in names)


def test_jobs_are_those_of_the_database() -> None:
    at = house()
    now = timezone.now()
    project = ProjectFactory()
    first = Import.objects.create(project=project, slug=project.slug)
    Import.objects.filter(pk=first.pk).update(requested=now - timedelta(hours=2))
    Import.objects.create(project=project, slug=project.slug)
    Import.objects.create(project=project, slug=project.slug, claimed_by="w", status=JobStatus.RUNNING)
    Import.objects.create(project=project, slug=project.slug, status=JobStatus.FAILED)
    Publication.objects.create(project=project, number=1, format="csv", status=JobStatus.FAILED)
    run = Run.objects.create(project=project, slug="r", method="m", status=JobStatus.RUNNING)
    ended = Run.objects.create(project=project, slug="e", method="m", status=JobStatus.CANCELLED, queue="gpu")
    Lot.objects.create(run=run, ordinal=0, pairs=list(range(30)), status=LotStatus.DONE, finished=now)
    Lot.objects.create(run=run, ordinal=1, pairs=[1], status=LotStatus.CLAIMED, claimed_by="w")
    Lot.objects.create(run=run, ordinal=2, pairs=[2])
    Lot.objects.create(run=ended, ordinal=0, pairs=[3])
    Worker.objects.create(name="w", queues=["cpu"], seen=now)
    found = values(at.superuser)

    def of(name: str, kind: str) -> float:
        return found[f'diptych_jobs_{name}{{kind="{kind}"}}']

    assert [of(name, "imports") for name in ("waiting", "running", "failed")] == [2, 1, 1]
    assert of("oldest_seconds", "imports") == pytest.approx(7200, abs=600)
    assert [of(name, "runs-cpu") for name in ("waiting", "running", "failed")] == [1, 1, 0]
    assert [of(name, "runs-gpu") for name in ("waiting", "running", "failed")] == [0, 0, 0]
    assert [of(name, "publications") for name in ("waiting", "running", "failed")] == [0, 0, 1]
    assert of("waiting", "reports") == 0
    assert found["diptych_run_pairs_per_minute"] == 6
    assert found["diptych_workers"] == 1 and found["diptych_data_free_bytes"] > 0


PROCESS = """
import django; django.setup()
from operation import metrics
metrics.count("home", "GET", 200, 0.5)
if {shown}:
    metrics.Jobs.collect = lambda self: iter(())
    print(metrics.exposition().decode())
"""


def test_several_processes_are_added_up(tmp_path: Path) -> None:
    variables = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "DIPTYCH_DATA": str(tmp_path / "data")}
    environment = {**os.environ, **variables, "DJANGO_SETTINGS_MODULE": "config.settings"}
    said = ""
    for shown in (False, True):
        command = [sys.executable, "-c", PROCESS.format(shown=shown)]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        said = done.stdout
    assert re.search(r'^diptych_requests_total\{method="GET",status="200",view="home"\} 2\.0$', said, re.M)
    assert 'diptych_request_seconds_sum{view="home"} 1.0' in said


def test_a_request_that_can_not_be_counted_is_answered(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("operation.metrics.count", full)
    assert client.get(reverse("login")).status_code == 200
    assert "a request was not counted" in caplog.text
