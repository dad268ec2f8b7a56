"""Kept reports: never of older work than they say, computed by one worker at a time, taken over from a dead one."""

from __future__ import annotations

import importlib
import json
from datetime import timedelta

import pytest
from django.apps import apps
from django.utils import timezone

from agreement.models import CachedReport
from agreement.report.jobs import REPORTS
from agreement.report.page import body_of
from agreement.report.scope import Scope
from agreement.report.services import reports
from agreement.report.services.reports import disputes_of_scope, report_request
from annotation.models import Annotation, Project, Verdict
from annotation.services.claims import ClaimLost, claim_finish, claim_next
from annotation.services.jobs import jobs_run
from annotation.text.spans import spans_document
from tests.agreement.work import pair, project, spans_of, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Project:
    study, (one, two) = project()
    for _ in range(2):
        on = pair(study)
        submit(on, one, [("3", [0, 1], [0])])
        submit(on, two, [("3", [0, 1], [0])])
    return study


@pytest.fixture
def requested(study: Project, monkeypatch: pytest.MonkeyPatch) -> CachedReport:
    """A report that waits for a worker."""
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    row, fresh = report_request(project=study, scope=Scope(), body_of=body_of)
    assert (row.requested_fingerprint != "", fresh) == (True, False)
    return row


def overlap(row: CachedReport) -> list[list[float]]:
    assert row.body is not None
    return [each["overlap"] for each in row.body["rows"]]


def test_a_kept_report_is_computed_anew_when_spans_were_revised(study: Project) -> None:
    assert overlap(report_request(project=study, scope=Scope(), body_of=body_of)[0]) == [[1, 1], [1, 1]]
    work = Annotation.objects.order_by("pk").first()
    assert work is not None
    spans = spans_document(spans_of(work.pair, [("3", [2, 3], [0])]))
    Annotation.objects.filter(pk=work.pk).update(spans=spans, revision=2)
    row, fresh = report_request(project=study, scope=Scope(), body_of=body_of)
    assert fresh and sorted(overlap(row)) == [[0, 1], [1, 1]]
    assert len(disputes_of_scope(study, Scope())[1]) > 0


def test_a_report_of_many_people_is_left_to_a_worker(study: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MAX_SYNC_PEOPLE", 1)
    row, current = reports.report_request(project=study, scope=Scope(), body_of=body_of)
    assert not current and row.body is None and row.requested_fingerprint


def test_a_kept_report_holds_no_address(study: Project) -> None:
    """Addresses are made by the page, for who looks: a kept report outlives a change of them."""
    row = report_request(project=study, scope=Scope(), body_of=body_of)[0]
    body = json.dumps(row.body)
    assert f"/{study.slug}/" not in body and "/projects/" not in body
    assert row.body is not None and {each["drilldown"] for each in row.body["rows"]} == {
        f"pair?pk={pk}" for pk in study.pairs.values_list("pk", flat=True)
    }


def test_reports_kept_with_addresses_are_computed_anew(study: Project) -> None:
    row = report_request(project=study, scope=Scope(), body_of=body_of)[0]
    migration = importlib.import_module("agreement.migrations.0004_kept_reports_are_computed_anew")
    migration.forget_bodies(apps, None)
    row.refresh_from_db()
    assert row.body is None
    row, fresh = report_request(project=study, scope=Scope(), body_of=body_of)
    assert row.body is not None and fresh


def test_a_kept_report_is_computed_anew_when_a_verdict_changed(study: Project) -> None:
    assert len(overlap(report_request(project=study, scope=Scope(), body_of=body_of)[0])) == 2
    work = Annotation.objects.order_by("pk").first()
    assert work is not None
    Annotation.objects.filter(pk=work.pk).update(verdict="")
    row, fresh = report_request(project=study, scope=Scope(), body_of=body_of)
    assert fresh and len(overlap(row)) == 1, "reopened work is not submitted"
    Annotation.objects.filter(pk=work.pk).update(verdict=Verdict.SUBMITTED)
    assert len(overlap(report_request(project=study, scope=Scope(), body_of=body_of)[0])) == 2


def test_it_is_kept_since_when_a_report_waits(requested: CachedReport, study: Project) -> None:
    since = requested.requested
    assert since is not None
    submit(pair(study), study.annotators.get(alias="A1"))
    row, _fresh = report_request(project=study, scope=Scope(), body_of=body_of)
    assert row.requested == since, "it still waits when the work changes"
    assert jobs_run(REPORTS) == 1
    done = CachedReport.objects.get(pk=row.pk)
    assert done.requested is None and done.requested_fingerprint == ""


def test_a_dead_workers_report_is_taken_over_and_a_living_ones_is_not(requested: CachedReport) -> None:
    rows = CachedReport.objects.filter(pk=requested.pk)
    rows.update(claimed_by="one", heartbeat=timezone.now(), attempts=1)
    assert jobs_run(REPORTS) == 0, "its worker lives"
    rows.update(heartbeat=timezone.now() - timedelta(seconds=31))
    assert jobs_run(REPORTS) == 1
    row = rows.get()
    assert (row.requested_fingerprint, row.claimed_by, row.fingerprint) == ("", "", requested.requested_fingerprint)
    assert len(overlap(row)) == 2


def test_a_report_that_kills_its_workers_is_given_up_until_the_work_changes(
    requested: CachedReport, study: Project
) -> None:
    silent = timezone.now() - timedelta(seconds=31)
    CachedReport.objects.filter(pk=requested.pk).update(claimed_by="three", heartbeat=silent, attempts=3)
    assert jobs_run(REPORTS) == 1
    row, fresh = report_request(project=study, scope=Scope(), body_of=body_of)
    assert (row.requested_fingerprint, fresh) == ("", False) and row.problem.startswith("Failed after 3 attempts")
    submit(pair(study), study.annotators.get(alias="A1"))
    row, _ = report_request(project=study, scope=Scope(), body_of=body_of)
    assert (row.problem, row.attempts) == ("", 0) and jobs_run(REPORTS) == 1
    assert report_request(project=study, scope=Scope(), body_of=body_of)[1]


def test_a_worker_that_lost_its_report_writes_nothing(requested: CachedReport) -> None:
    kind = REPORTS
    lost = claim_next(kind.unfinished(), give_up=lambda row: False, worker="one")
    assert lost is not None
    CachedReport.objects.filter(pk=lost.pk).update(heartbeat=timezone.now() - timedelta(seconds=31))
    assert jobs_run(REPORTS) == 1
    with pytest.raises(ClaimLost):
        claim_finish(lost, body={"rows": []}, fingerprint="stale")
    assert len(overlap(CachedReport.objects.get(pk=lost.pk))) == 2


def test_work_that_goes_on_does_not_keep_a_report_from_being_finished(requested: CachedReport, study: Project) -> None:
    claimed = claim_next(REPORTS.unfinished(), give_up=lambda row: False)
    assert claimed is not None
    submit(pair(study), study.annotators.get(alias="A1"))
    report_request(project=study, scope=Scope(), body_of=body_of)
    claim_finish(claimed, **reports.report_compute(claimed, Scope(), requested.requested_fingerprint, body_of)[0])
    row, fresh = report_request(project=study, scope=Scope(), body_of=body_of)
    older = requested.requested_fingerprint
    assert (row.fingerprint, fresh) == (older, False), "the older one is there, the newer one requested"
    assert row.requested_fingerprint not in ("", older)
