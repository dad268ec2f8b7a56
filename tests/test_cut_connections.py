"""A broken database connection delays a worker only briefly: every kind of job, its heartbeat, and polling continue."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.handlers.wsgi import WSGIHandler
from django.db import connection
from django.test import RequestFactory
from pytest_django.fixtures import Settings

from agreement.models import CachedReport, Publication
from agreement.publication.card import Terms
from agreement.publication.services import publications
from agreement.report.jobs import REPORTS
from agreement.report.page import body_of
from agreement.report.scope import Scope
from agreement.report.services import reports
from annotation.models import Highlight, JobStatus
from annotation.models.imports import Import
from annotation.polling import repeat
from annotation.services import imports as imports_module
from annotation.services.claims import Heartbeat, claim_next
from annotation.services.import_jobs import import_request, imports_run
from annotation.services.jobs import jobs_run
from assist.models import Lot, Queue, Run
from assist.runs import processing, services
from tests.agreement.work import pair, project, submit
from tests.annotation.formats.samples import pair as sample
from tests.assist.fake import Fake, fakes_registered
from tests.factories import PairFactory, ProjectFactory, UserFactory

imports: Any = imports_module
pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def needs_postgres(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """These run in the second pass of script/test, on PostgreSQL: SQLite has no connection to cut."""
    if connection.vendor != "postgresql":
        pytest.skip("runs where the tests' database is PostgreSQL (script/test does so in its second pass)")
    settings.DATA_DIR = tmp_path
    settings.JOB_LEASE_SECONDS = 0.6
    monkeypatch.setattr(publications, "MAX_SYNC_PAIRS", 0)
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    with fakes_registered():
        yield


def cut() -> None:
    """Close every connection to the tests' database except this one."""
    given = connection.settings_dict
    address = {"host": given["HOST"], "port": given["PORT"] or 5432, "user": given["USER"], "dbname": given["NAME"]}
    with psycopg.connect(**address, password=given["PASSWORD"] or None, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
            [given["NAME"]],
        )


def once(monkeypatch: pytest.MonkeyPatch, where: Any, name: str) -> list[bool]:
    """Cut the connections when a function is called for the first time."""
    whole, calls = getattr(where, name), []

    def cutting(*arguments: Any, **options: Any) -> Any:
        calls.append(True)
        if len(calls) == 1:
            cut()
        return whole(*arguments, **options)

    monkeypatch.setattr(where, name, cutting)
    return calls


def poll_until(action: Callable[[], object], happens: Callable[[], bool]) -> None:
    """Poll as a worker does, for at most a minute, until the condition holds."""
    stopping = threading.Event()
    until = time.monotonic() + 60

    def one() -> None:
        action()
        if happens() or time.monotonic() > until:
            stopping.set()

    repeat(0.01, one, stopping)
    assert happens()


def test_a_heartbeat_goes_on(settings: Settings) -> None:
    Publication.objects.create(project=PairFactory().project, number=1, format="csv")
    job = claim_next(publications.PUBLICATIONS.unfinished(), give_up=lambda job: False)
    assert job is not None
    with Heartbeat(job):
        for _ in range(2):
            time.sleep(settings.JOB_LEASE_SECONDS / 2)
            cut()
            connection.close()
            before = Publication.objects.get(pk=job.pk).heartbeat
            for _ in range(600):
                if Publication.objects.get(pk=job.pk).heartbeat != before:
                    break
                time.sleep(0.05)
            else:
                pytest.fail("the claim was never renewed after the connection was cut")


def test_a_report_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    made, (one, two) = project()
    on = pair(made)
    submit(on, one, [("3", [0], [0])])
    submit(on, two, [("3", [0], [0])])
    reports.report_request(project=made, scope=Scope(), body_of=body_of)
    calls = once(monkeypatch, reports, "agreement_report")
    poll_until(lambda: jobs_run(REPORTS), lambda: CachedReport.objects.get().body is not None)
    assert len(calls) == 3, "cut off, then the page's report and that of the downloads, which has other names"


def test_a_publication_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    publications.publication_request(project=PairFactory().project, to="csv", terms=Terms(), by=None)
    calls = once(monkeypatch, publications, "export")
    poll_until(publications.publications_run, lambda: Publication.objects.get().status == JobStatus.DONE)
    assert len(calls) == 2
    assert b"".join(publications.publication_file(Publication.objects.get()))[:2] == b"PK"


def test_an_import_is_done_however_often_it_is_cut(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.JOB_ATTEMPTS = 2
    made = ProjectFactory()
    file = SimpleUploadedFile("pairs.jsonl", json.dumps(sample(id="p1")).encode())
    import_request(project=made, files=[file], dry_run=False, by=UserFactory())
    whole, calls = imports.staging_write, []

    def cutting(**named: Any) -> None:
        calls.append(True)
        if len(calls) <= 3:
            cut()
        whole(**named)

    monkeypatch.setattr(imports, "staging_write", cutting)
    poll_until(imports_run, lambda: Import.objects.get().status == JobStatus.DONE)
    assert (len(calls), Import.objects.get().attempts, made.pairs.count()) == (4, 1, 1)


@pytest.mark.parametrize("step", ["fit", "predict"])
def test_a_run_is_done(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    services.run_request(project=PairFactory().project, method="fake")
    once(monkeypatch, Fake, step)
    poll_until(lambda: processing.lots_process(Queue.values), lambda: Run.objects.get().status == JobStatus.DONE)
    assert Highlight.objects.count() == 1
    assert Lot.objects.get().attempts == 1


def test_a_poll_finds_the_connection_cut_and_goes_on() -> None:
    seen: list[int] = []

    def action() -> None:
        seen.append(Lot.objects.count())
        if len(seen) < 3:
            cut()
        Lot.objects.count()
        seen.append(-1)

    poll_until(action, lambda: -1 in seen)
    assert seen == [0, 0, 0, -1], "cut twice, and done at the third poll"


def test_a_page_is_answered_by_a_thread_whose_connection_was_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """The web server's threads keep their connections (`config/wsgi.py`)."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 600)
    factory: Any = RequestFactory(SERVER_NAME="localhost")
    site: Any = WSGIHandler()
    found: list[tuple[int, int]] = []

    def answer() -> None:
        statuses: list[int] = []
        environ = factory._base_environ(REQUEST_METHOD="GET", PATH_INFO="/healthz")
        site(environ, lambda status, _headers: statuses.append(int(status[:3]))).close()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            found.append((statuses[0], cursor.fetchone()[0]))

    def thread() -> None:
        answer()
        answer()
        kept.set()
        cut_off.wait(60)
        answer()
        connection.close()

    kept, cut_off = threading.Event(), threading.Event()
    serving = threading.Thread(target=thread)
    serving.start()
    assert kept.wait(60)
    cut()
    connection.close()  # this thread's was cut too, if an earlier test left it open
    cut_off.set()
    serving.join()
    assert [status for status, _backend in found] == [200, 200, 200]
    backends = [backend for _status, backend in found]
    assert backends[0] == backends[1] != backends[2]
