"""Claims and jobs: one worker at a time, a lease that a heartbeat renews, a limit of attempts."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import InterfaceError, OperationalError
from django.utils import timezone
from pytest_django.fixtures import Settings

from agreement.models import Publication
from annotation.errors import Invalid
from annotation.models import JobStatus
from annotation.services import claims as claims_module
from annotation.services.claims import (
    ClaimLost,
    Heartbeat,
    claim_finish,
    claim_next,
    claim_release,
    claim_renew,
)
from annotation.services.jobs import JobKind, jobs_run
from tests.factories import ProjectFactory

claims: Any = claims_module

pytestmark = pytest.mark.django_db


@pytest.fixture
def job() -> Publication:
    """A row of a kind of job; any will do."""
    return Publication.objects.create(project=ProjectFactory(), number=1, format="csv")


def kind(perform: Callable[[Publication, Heartbeat], None]) -> JobKind[Publication]:
    return JobKind(
        name="tests",
        unfinished=lambda: Publication.objects.filter(status__in=("queued", "running")).order_by("pk"),
        perform=perform,
        failed=lambda job, problem: {"status": JobStatus.FAILED, "problem": problem},
        claimed={"status": JobStatus.RUNNING},
        released={"status": JobStatus.QUEUED},
    )


def finish(job: Publication, heartbeat: Heartbeat) -> None:
    claim_finish(job, status=JobStatus.DONE)


def claim(worker: str) -> Publication | None:
    return claim_next(kind(finish).unfinished(), give_up=lambda job: False, worker=worker, status="running")


def silence(job: Publication) -> None:
    Publication.objects.filter(pk=job.pk).update(heartbeat=timezone.now() - timedelta(seconds=31))


def test_one_worker_at_a_time(job: Publication) -> None:
    held = claim("one")
    assert held is not None
    assert (held.claimed_by, held.attempts, held.status) == ("one", 1, "running")
    assert held.claimed is not None and held.heartbeat is not None
    assert claim("two") is None


def test_a_silent_worker_loses_its_job_for_good(job: Publication) -> None:
    lost = claim("one")
    assert lost is not None
    silence(job)
    taken = claim("one")
    assert taken is not None and taken.attempts == 2, (
        "the same worker may be the next; its first claim is lost all the same"
    )
    for late in (claim_renew, claim_finish):
        with pytest.raises(ClaimLost):
            late(lost)
    assert not claim_release(lost)
    claim_renew(taken)
    claim_finish(taken, status=JobStatus.DONE)
    job.refresh_from_db()
    assert (job.status, job.claimed_by, job.heartbeat) == ("done", "", None)


def test_a_heartbeat_of_the_future_is_none(job: Publication) -> None:
    """The clock was set back by an hour after the claim: nobody waits an hour for a worker that may be gone."""
    lost = claim("one")
    assert lost is not None
    Publication.objects.filter(pk=job.pk).update(heartbeat=timezone.now() + timedelta(hours=1))
    assert claim("two") is not None
    with pytest.raises(ClaimLost):
        claim_finish(lost, status=JobStatus.DONE)


def test_a_worker_that_renews_keeps_its_job(job: Publication) -> None:
    held = claim("one")
    assert held is not None
    silence(job)
    claim_renew(held)
    assert claim("two") is None


def test_a_released_job_is_free_at_once_and_counts_no_attempt(job: Publication) -> None:
    held = claim("one")
    assert held is not None and claim_release(held, status=JobStatus.QUEUED)
    again = claim("two")
    assert again is not None and again.attempts == 1
    assert claim_release(again, counted=True)
    third = claim("three")
    assert third is not None and third.attempts == 2


def test_a_job_that_kills_its_workers_fails_with_a_message(job: Publication, settings: Settings) -> None:
    settings.JOB_ATTEMPTS = 2
    for _ in range(2):
        assert claim("doomed") is not None
        silence(job)
    assert jobs_run(kind(finish)) == 1
    job.refresh_from_db()
    assert job.status == JobStatus.FAILED
    assert job.problem.startswith("Failed after 2 attempts: each time the worker stopped before the job was finished,")
    assert jobs_run(kind(finish)) == 0


def test_a_refusal_is_stored_unchanged_and_an_error_as_a_message(job: Publication) -> None:
    def refuse(job: Publication, heartbeat: Heartbeat) -> None:
        raise Invalid("It cannot hold this.", hint="Choose another.")

    def crash(job: Publication, heartbeat: Heartbeat) -> None:
        raise KeyError("languages")

    for perform, problem in (
        (refuse, "It cannot hold this. Choose another."),
        (
            crash,
            "Stopped because of an internal error. Ask your server administrator to check the log.",
        ),
    ):
        Publication.objects.update(status=JobStatus.QUEUED)
        assert jobs_run(kind(perform)) == 1
        job.refresh_from_db()
        assert (job.status, job.problem) == (JobStatus.FAILED, problem)


def test_a_database_error_releases_the_job_for_a_limited_number_of_attempts(job: Publication) -> None:
    def locked(job: Publication, heartbeat: Heartbeat) -> None:
        raise OperationalError("database is locked")

    for attempt in (1, 2, 3):
        with pytest.raises(OperationalError):
            jobs_run(kind(locked))
        job.refresh_from_db()
        assert (job.status, job.claimed_by, job.attempts) == (JobStatus.QUEUED, "", attempt)
    assert jobs_run(kind(locked)) == 1
    job.refresh_from_db()
    assert job.status == JobStatus.FAILED


def test_a_lost_connection_uses_up_no_attempt(job: Publication, settings: Settings) -> None:
    settings.JOB_ATTEMPTS = 2
    lost = [
        psycopg.errors.AdminShutdown("terminating connection due to administrator command"),
        psycopg.OperationalError("server closed the connection unexpectedly"),
        None,
    ]

    def cut(job: Publication, heartbeat: Heartbeat) -> None:
        if not lost:
            return finish(job, heartbeat)
        raise InterfaceError("connection already closed") from lost.pop()

    for _ in range(3):
        with pytest.raises(InterfaceError):
            jobs_run(kind(cut))
        job.refresh_from_db()
        assert (job.status, job.claimed_by, job.attempts) == (JobStatus.QUEUED, "", 0)
    assert jobs_run(kind(cut)) == 1
    job.refresh_from_db()
    assert job.status == JobStatus.DONE


def test_a_job_is_released_once_the_database_answers_again(job: Publication, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [True, False, False]
    release = claims.claim_release

    def away(*arguments: Any, **named: Any) -> Any:
        if not answers.pop():
            raise OperationalError("connection refused")
        return release(*arguments, **named)

    def cut(job: Publication, heartbeat: Heartbeat) -> None:
        raise OperationalError("cut") from psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(claims, "claim_release", away)
    monkeypatch.setattr(claims, "_RETRY_SECONDS", 0)
    with pytest.raises(OperationalError, match="cut"):
        jobs_run(kind(cut))
    job.refresh_from_db()
    assert (job.status, job.claimed_by, job.attempts) == (JobStatus.QUEUED, "", 0)


def test_a_worker_told_to_stop_releases_its_job(job: Publication) -> None:
    on_annotation = iter((False, True, True))

    def check(job: Publication, heartbeat: Heartbeat) -> None:
        heartbeat.check()

    assert jobs_run(kind(check), stop=lambda: next(on_annotation)) == 0
    job.refresh_from_db()
    assert (job.status, job.claimed_by, job.attempts) == (JobStatus.QUEUED, "", 0)


def test_a_cancelled_job_writes_nothing(job: Publication) -> None:
    def cancelled(job: Publication, heartbeat: Heartbeat) -> None:
        Publication.objects.update(status=JobStatus.FAILED, problem="cancelled", claimed_by="")
        finish(job, heartbeat)

    assert jobs_run(kind(cancelled)) == 0
    job.refresh_from_db()
    assert (job.status, job.problem) == (JobStatus.FAILED, "cancelled")


@pytest.mark.django_db(transaction=True)
def test_the_lease_is_renewed_while_the_job_runs(job: Publication, settings: Settings) -> None:
    settings.JOB_LEASE_SECONDS = 0.6
    seen: list[object] = []

    def long(job: Publication, heartbeat: Heartbeat) -> None:
        for _ in range(1200):
            now = Publication.objects.get(pk=job.pk).heartbeat
            if now != job.heartbeat:
                seen.append(now)
                break
            time.sleep(0.05)
        finish(job, heartbeat)

    assert jobs_run(kind(long)) == 1
    assert len(seen) == 1


@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_says_that_the_job_was_lost(job: Publication, settings: Settings) -> None:
    settings.JOB_LEASE_SECONDS = 0.3
    held = claim("one")
    assert held is not None
    Publication.objects.update(claimed_by="two")
    with Heartbeat(held) as heartbeat:
        for _ in range(1200):
            if heartbeat.lost:
                break
            time.sleep(0.05)
        with pytest.raises(ClaimLost):
            heartbeat.check()
